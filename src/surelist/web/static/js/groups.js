// Error rates by group.

import { SHARES, chart, chartBox, plain } from "./charts.js";
import { field, h, replace, select, tableOf } from "./dom.js";
import { count, percent } from "./format.js";
import { rates } from "./rates.js";
import { rowsButton } from "./rows.js";
import { complain } from "./shell.js";

// `open` shows the rows of a group; `prefix` keeps two such panels on a page apart.
export function groups(result, open = null, prefix = "") {
  if (result.groups.length === 0) return null;
  const names = result.groups.map((each) => [
    each.column,
    each.protected ? `${each.column} (protected)` : each.column,
  ]);
  const column = select(names, names[0][0], { id: `${prefix}group-column` });
  const positive = select(result.classes, result.classes[result.classes.length - 1], {
    id: `${prefix}group-class`,
  });
  const table = h("div", {
    class: "scroll",
    id: `${prefix}group-table`,
    tabindex: 0,
    role: "region",
    "aria-label": prefix ? "Rates by group in the file" : "Rates by group",
  });
  const picture = chartBox("Rates by group; the table has the same figures");
  function show() {
    const chosen = result.groups.find((each) => each.column === column.value);
    const code = result.classes.indexOf(positive.value);
    const rows = chosen.groups.map((group) => ({
      value: group.value,
      ...rates(group.counts, code),
    }));
    const heads = [
      "Group",
      "Rows",
      "Accuracy",
      `Predicted ${positive.value}`,
      "False positives",
      "False negatives",
    ];
    replace(
      table,
      tableOf(
        { class: "cells" },
        heads.map((text, index) => h("th", { scope: "col", class: index ? "n" : null }, text)),
        rows.map((row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, open ? groupButton(column.value, row.value) : row.value),
            h("td", { class: "n" }, count(row.rows)),
            [row.accuracy, row.selected, row.falsePositive, row.falseNegative].map((share) =>
              h("td", { class: "n" }, share === null ? "–" : percent(share)),
            ),
          ),
        ),
      ),
    );
    const shown = rows.filter((row) => row.rows > 0);
    chart(picture, (palette) => ({
      traces: [
        ["False positives", "falsePositive", 0],
        ["False negatives", "falseNegative", 3],
      ].map(([name, key, colour]) => ({
        type: "bar",
        name,
        x: shown.map((row) => plain(row.value)),
        y: shown.map((row) => row[key]),
        marker: { color: palette.series[colour] },
      })),
      layout: {
        barmode: "group",
        yaxis: { tickformat: SHARES, rangemode: "tozero" },
        xaxis: { type: "category" },
      },
    })).catch(complain);
  }
  const groupButton = (name, value) =>
    rowsButton(value, `Show the rows with ${name}: ${value}`, () => open(name, value));
  column.addEventListener("change", show);
  positive.addEventListener("change", show);
  queueMicrotask(show);
  return h(
    "section",
    { class: "panel", id: `${prefix}groups` },
    h("h2", {}, "Error rates by group"),
    h(
      "div",
      { class: "fields" },
      field("Compare groups by", column),
      field("Positive class", positive),
    ),
    picture,
    table,
    h(
      "p",
      { class: "hint" },
      "False positives: share of rows of other classes that are predicted positive. False negatives: share of positive rows that are not. On all rows of the data.",
    ),
  );
}
