// What is in a column, in words.

import { count, plural } from "./format.js";

// Names, case numbers and the like tell rows apart, not classes; a single value tells nothing.
export function tellsAnything(column, rows) {
  const names =
    column.kind === "text" && column.distinct > rows / 4 && column.distinct > 30;
  return column.distinct > 0 && !names && !(column.distinct === 1 && column.missing === 0);
}

export function valuesText(column) {
  if (column.values.length && column.kind !== "number" && column.kind !== "whole number") {
    const shown = column.values
      .slice(0, 3)
      .map((each) => each.value)
      .join(", ");
    return column.distinct > 3 ? `${shown} and ${count(column.distinct - 3)} more` : shown;
  }
  if (column.low !== undefined) return `${column.low} to ${column.high}`;
  return plural(column.distinct, "value");
}
