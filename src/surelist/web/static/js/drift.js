// What has changed between training and a new file, in words.

import { percent, plural } from "./format.js";
import { rangeText } from "./intervals.js";

// What has changed, in a sentence.
export function driftWords({ file, rows, columns }) {
  const names = columns.filter((each) => each.drifted || each.problem).map((each) => each.name);
  const start = `${file}, ${plural(rows, "row")}: `;
  if (names.length === 0) return `${start}no column has changed much`;
  return `${start}${names.join(", ")} ${names.length === 1 ? "has" : "have"} changed`;
}

// How well the list does on the labels of the file, in a sentence.
export function accuracyWords({ accuracy, unlabelled }, training) {
  if (!accuracy)
    return unlabelled === null
      ? "The file has no labels, so it is not known how well the list does."
      : "No row has a label that the list knows.";
  const left = unlabelled ? ` ${plural(unlabelled, "row")} without a known label left out.` : "";
  return `Right on ${percent(accuracy.share)} (95 % interval by Wilson's score: ${rangeText(accuracy)}), ${percent(training)} in training.${left}`;
}

// A probability, in words where its digits would say nothing.
export function chance(probability) {
  if (probability === null) return "–";
  return probability < 0.001 ? "< 0.1 %" : percent(probability);
}

// What of a column was not seen in training.
export function unseen({ problem, unseen: values, outside }) {
  if (problem) return problem;
  if (values.length) return `${plural(outside, "row")} with new values: ${values.join(", ")}`;
  return outside ? `${plural(outside, "row")} outside the range` : "";
}
