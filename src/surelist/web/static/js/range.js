// Whether a value is within the training data; beyond them, a rule only extrapolates.

import { short } from "./format.js";

const NUMBERS = ["number", "whole number", "yes/no"];

// What is unusual about a value, in words; null where nothing is. `about` is the column in training.
export function unusual(about, value) {
  if (value === "" || value === null)
    return about.missing === 0 ? "missing in no row that it learned from" : null;
  if (NUMBERS.includes(about.kind)) {
    const number = Number(value);
    if (Number.isNaN(number) || about.low === undefined) return null;
    if (number < about.low || number > about.high)
      return `outside of what it learned from: ${short(about.low)} to ${short(about.high)}`;
    return null;
  }
  if (about.kind === "date" || about.kind === "moment") {
    // Dates as ISO texts stand in the order of time.
    if (about.low === undefined) return null;
    if (value < about.low || value > about.high)
      return `outside of what it learned from: ${about.low} to ${about.high}`;
    return null;
  }
  if (about.distinct > about.values.length) return null;
  return about.values.some((each) => each.value === value)
    ? null
    : "a value in no row that it learned from";
}
