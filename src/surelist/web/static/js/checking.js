// A running check: its progress, its elapsed time, and a button to stop it.

import { h, replace } from "./dom.js";
import { count, duration, plural } from "./format.js";

// How far a check is; where it says nothing of itself, its clock runs all the same.
export function checkWords(progress, seconds) {
  const time = `for ${duration(seconds)}`;
  if (!progress?.of) return `Reading the proof and the data, ${time}`;
  const { done, of } = progress;
  return `${count(done)} of ${plural(of, "step")} of the proof checked, ${time}`;
}

export function checking(cancel) {
  const bar = h("progress", { max: 1, "aria-label": "Checked" });
  const words = h("p", { class: "hint" }, "Reading the proof and the data");
  const show = ({ progress, seconds }) => {
    if (progress?.of) bar.value = progress.done / progress.of;
    replace(words, checkWords(progress, seconds));
  };
  const box = h(
    "div",
    { class: "checking" },
    h(
      "div",
      { class: "row between" },
      h("p", { class: "stage", role: "status" }, "The checker goes through the proof"),
      h("button", { type: "button", class: "small", id: "verify-cancel", onclick: cancel }, "Cancel"),
    ),
    bar,
    words,
  );
  return { box, show };
}
