// Groups crossed, such as race and sex together, with intervals: small groups show how little they say.

import { post } from "./api.js";
import { field, h, replace, select, tableOf } from "./dom.js";
import { count } from "./format.js";
import { shareCell } from "./intervals.js";
import { latest } from "./job.js";
import { rowsButton, showRows } from "./rows.js";

const FEW = 30;
const HEADS = ["Rows", "Accuracy", null, "False positives", "False negatives"];
const RATES = ["accuracy", "selected", "false_positive", "false_negative"];

export function crossed(run) {
  const { result } = run;
  const names = result.groups.map((each) => each.column);
  if (names.length < 2) return null;
  const first = select(names, names[0], { id: "crossed-first" });
  const second = select(names, names[1], { id: "crossed-second" });
  const positive = select(result.classes, result.classes.at(-1), { id: "crossed-class" });
  const body = h("div", { id: "crossed", "aria-live": "polite" });
  const columns = () => [...new Set([first.value, second.value])];
  const draw = latest(
    () => post(`/api/runs/${run.id}/rates`, { columns: columns(), positive: positive.value }),
    ({ groups }) => replace(body, table(run, columns(), groups, positive.value)),
  );
  const again = () => (box.open ? draw() : undefined);
  for (const each of [first, second, positive]) each.addEventListener("change", again);
  const box = h(
    "details",
    { class: "panel", id: "crossed-groups" },
    h("summary", {}, h("h2", {}, "Groups crossed")),
    h(
      "div",
      { class: "fields" },
      field("Groups by", first),
      field("and by", second),
      field("Positive class", positive),
    ),
    body,
    h(
      "p",
      { class: "hint" },
      `On all rows of the data. Below each share is its 95 % interval, by Wilson's score. Groups of fewer than ${FEW} rows are pale: such figures say little. Choose a number of rows to see them.`,
    ),
  );
  box.addEventListener("toggle", again);
  return box;
}

function table(run, columns, groups, positive) {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rates of crossed groups" },
    tableOf(
      { class: "cells rates" },
      [columns, HEADS.map((head) => head ?? `Predicted ${positive}`)]
        .flat()
        .map((head, at) => h("th", { scope: "col", class: at < columns.length ? null : "n" }, head)),
      groups.map((group) => {
        const title = columns.map((name, at) => `${name}: ${group.values[at]}`).join(", ");
        const wanted = Object.fromEntries(columns.map((name, at) => [name, group.values[at]]));
        const open = () => showRows(run, title, { groups: wanted });
        return h(
          "tr",
          { class: group.rows < FEW ? "few" : null },
          group.values.map((value, at) =>
            h(at ? "td" : "th", { scope: at ? null : "row" }, value),
          ),
          h("td", { class: "n" }, rowsButton(count(group.rows), `${count(group.rows)} rows with ${title}: show them`, open)),
          RATES.map((rate) => shareCell(group.models.training[rate])),
        );
      }),
    ),
  );
}
