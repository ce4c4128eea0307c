// Adopt a list of the path: start a run with its own proof at a λ for which the list is optimal.

import { post } from "./api.js";
import { h } from "./dom.js";
import { leave } from "./leave.js";
import { complain } from "./shell.js";

const DIGITS = 12;

// The shortest decimal between two numbers, as text, such as "0.03"; the middle one of several.
// null where there is none of at most twelve digits.
export function decimalBetween(low, high) {
  const top = Math.min(high, 1);
  for (let digits = 1; digits <= DIGITS; digits += 1) {
    const unit = 10 ** digits;
    // Strictly between: at its ends another list is as good.
    let first = Math.floor(low * unit);
    while (first / unit <= low) first += 1;
    let last = Math.ceil(top * unit);
    while (last / unit >= top) last -= 1;
    if (first <= last) return (Math.floor((first + last) / 2) / unit).toFixed(digits);
  }
  return null;
}

// The settings of a run with another λ and the same features.
export function adoptedSettings(settings, regularization, frequency) {
  return { ...settings, regularization, min_frequency: frequency };
}

export function adoptButton(run, segment, frequency) {
  const regularization = decimalBetween(segment.start, segment.stop);
  if (regularization === null || !frequency) return null;
  const adopt = async () => {
    try {
      const settings = adoptedSettings(run.settings, regularization, frequency);
      const body = { dataset: run.dataset, settings };
      await leave(async () => `/runs/${(await post("/api/runs", body)).id}`);
    } catch (error) {
      complain(error);
    }
  };
  return h(
    "button",
    { type: "button", class: "small adopt", onclick: adopt },
    `Adopt, as a run with λ = ${regularization}`,
  );
}
