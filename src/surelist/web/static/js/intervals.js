// A share with its interval: as text, and as a line with a dot.

import { h } from "./dom.js";
import { percent } from "./format.js";

const bare = (share) => (100 * share).toFixed(1);

// "77.8 – 84.1 %"; null where there are no rows.
export function rangeText({ low, high }) {
  return low === null || low === undefined ? null : `${bare(low)} – ${bare(high)} %`;
}

// A difference of two shares in points: "+2.0", "−4.8".
export function points(difference) {
  const text = Math.abs(100 * difference).toFixed(1);
  if (text === "0.0") return text;
  return `${difference < 0 ? "−" : "+"}${text}`;
}

// What the interval of a difference says, in words.
export function judged({ low, high }) {
  if (low > 0) return "better";
  if (high < 0) return "worse";
  return "not told apart";
}

export function shareCell(rate) {
  return rate.share === null
    ? h("td", { class: "n" }, "–")
    : h("td", { class: "n" }, percent(rate.share), h("small", {}, rangeText(rate)));
}

// Where the ends of a line and its dot lie between two bounds, in percent of the width.
export function places({ share, low, high }, least, most) {
  const place = (value) => (100 * (value - least)) / (most - least || 1);
  return { from: place(low), to: place(high), at: place(share) };
}

export function line(rate, least, most) {
  const { from, to, at } = places(rate, least, most);
  const style = {
    "--from": `${from.toFixed(2)}%`,
    "--to": `${to.toFixed(2)}%`,
    "--at": `${at.toFixed(2)}%`,
  };
  return h("span", { class: "interval", "aria-hidden": "true", style });
}
