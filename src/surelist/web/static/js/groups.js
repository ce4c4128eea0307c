// Error rates by group.

import { chart, chartBox } from "./charts.js";
import { field, h, replace, select, tableOf } from "./dom.js";
import { count, percent } from "./format.js";
import { rates } from "./rates.js";
import { complain } from "./shell.js";

export function groups(result) {
  if (result.groups.length === 0) return null;
  const names = result.groups.map((each) => [
    each.column,
    each.protected ? `${each.column} (protected)` : each.column,
  ]);
  const column = select(names, names[0][0], { id: "group-column" });
  const positive = select(result.classes, result.classes[result.classes.length - 1], {
    id: "group-class",
  });
  const table = h("div", {
    class: "scroll",
    id: "group-table",
    tabindex: 0,
    role: "region",
    "aria-label": "Rates by group",
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
            h("th", { scope: "row" }, row.value),
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
        x: shown.map((row) => row.value),
        y: shown.map((row) => row[key]),
        marker: { color: palette.series[colour] },
      })),
      layout: {
        barmode: "group",
        yaxis: { tickformat: ".0%", rangemode: "tozero" },
        xaxis: { type: "category" },
      },
    })).catch(complain);
  }
  column.addEventListener("change", show);
  positive.addEventListener("change", show);
  queueMicrotask(show);
  return h(
    "section",
    { class: "panel" },
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
