// Rates by group of the list and of another model, side by side, on rows that neither has seen.

import { post } from "./api.js";
import { field, h, replace, select, tableOf } from "./dom.js";
import { count } from "./format.js";
import { shareCell } from "./intervals.js";
import { latest } from "./job.js";

const RATES = [
  ["accuracy", "Accuracy"],
  ["selected", null],
  ["false_positive", "False positives"],
  ["false_negative", "False negatives"],
];

export function rivalRates(run, outcome) {
  const names = run.result.groups.map((each) => each.column);
  if (names.length === 0) return null;
  const others = outcome.models.filter((each) => each.key !== "list");
  const column = select(names, names[0], { id: "rival-column" });
  const other = select(
    others.map((each) => [each.key, each.name]),
    others[0].key,
    { id: "rival-other" },
  );
  const positive = select(outcome.classes, outcome.classes.at(-1), { id: "rival-class" });
  const body = h("div", { id: "rival-rates", "aria-live": "polite" });
  const ask = () =>
    post(`/api/runs/${run.id}/rates`, {
      columns: [column.value],
      positive: positive.value,
      models: ["list", other.value],
    });
  function draw({ groups }) {
    const name = others.find((each) => each.key === other.value).name;
    const models = [
      ["list", "This list"],
      [other.value, name],
    ];
    replace(body, ratesTable(groups, column.value, positive.value, models));
  }
  const again = latest(ask, draw);
  for (const each of [column, other, positive]) each.addEventListener("change", again);
  queueMicrotask(again);
  return [
    h("h3", { class: "sub" }, "By group"),
    h(
      "div",
      { class: "fields" },
      field("This list beside", other),
      field("Groups by", column),
      field("Positive class", positive),
    ),
    body,
  ];
}

// Rates of two models, whose keys and names are given, by group.
export function ratesTable(groups, column, positive, models) {
  const heads = [column, "Rows", "Model", ...RATES.map(([, text]) => text ?? `Predicted ${positive}`)];
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rates by group, both models" },
    tableOf(
      { class: "cells rates" },
      heads.map((text, at) => h("th", { scope: "col", class: at === 0 || at === 2 ? null : "n" }, text)),
      groups.flatMap((group) =>
        models.map(([model, called], at) =>
          h(
            "tr",
            { class: at ? null : "first" },
            at
              ? null
              : [
                  h("th", { scope: "rowgroup", rowspan: 2 }, group.values[0]),
                  h("td", { class: "n", rowspan: 2 }, count(group.rows)),
                ],
            h("td", {}, called),
            RATES.map(([rate]) => shareCell(group.models[model][rate])),
          ),
        ),
      ),
    ),
  );
}
