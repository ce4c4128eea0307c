// Two runs side by side.

import { get, post } from "./api.js";
import { incomparable } from "./comparable.js";
import { field, h, replace, select, tableOf } from "./dom.js";
import { count, decimal, decimalUp, percent, plural } from "./format.js";
import { latest } from "./job.js";
import { ratesTable } from "./rival_rates.js";
import { showRows } from "./rows.js";
import { record, ruleList } from "./rules.js";
import { complain, shell, trouble } from "./shell.js";

const main = shell("compare");
const given = new URLSearchParams(location.search);
const body = h("div", {});

function column(run) {
  const { result } = run;
  return h(
    "article",
    { class: "panel" },
    h("h2", {}, h("a", { href: `/runs/${run.id}` }, run.name)),
    h("p", { class: "hint" }, run.dataset_name),
    h(
      "p",
      {},
      h(
        "span",
        { class: `badge ${result.status === "optimal" ? "good" : "warn"}` },
        result.status === "optimal" ? "Proven optimal" : `Gap ${decimalUp(result.gap)}`,
      ),
    ),
    ruleList(result.rules, result.classes, {
      label: `Rules of ${run.name}`,
      target: result.label,
      detail: (rule) => record(rule, result.rows),
    }),
  );
}

function comparable(runs) {
  const why = incomparable(runs.map((run) => run.result));
  return why && h("p", { class: "warning", id: "incomparable" }, why);
}

function table(runs) {
  const lines = [
    ["Accuracy in training", (r) => percent(r.accuracy)],
    ["Accuracy on rows kept back", (r) => (r.held_out ? percent(r.held_out.accuracy) : "–")],
    ["Rules", (r) => String(r.length)],
    ["λ", (r) => r.regularization],
    ["Objective", (r) => decimal(r.objective)],
    ["Gap", (r) => (r.status === "optimal" ? "none: proven" : decimalUp(r.gap))],
    ["Antecedents", (r) => count(r.antecedents)],
    ["Rows", (r) => count(r.rows)],
  ];
  return h(
    "div",
    { class: "scroll panel", tabindex: 0, role: "region", "aria-label": "Models compared" },
    tableOf(
      { class: "cells" },
      [h("td", {}), runs.map((run) => h("th", { scope: "col", class: "n" }, run.name))],
      lines.map(([name, text]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, name),
          runs.map((run) => h("td", { class: "n" }, text(run.result))),
        ),
      ),
    ),
  );
}

async function show(a, b) {
  history.replaceState(null, "", `/compare?a=${a}&b=${b}`);
  replace(body, h("p", { class: "stage" }, "Comparing…"));
  const found = await get(`/api/compare?a=${a}&b=${b}`);
  const { agreement } = found;
  replace(
    body,
    agreement
      ? h(
          "p",
          { class: "lead", id: "agreement" },
          `They agree on ${count(agreement.same)} of ${plural(agreement.rows, "row")} (${percent(agreement.same / agreement.rows)}). `,
          agreement.same < agreement.rows ? differing(found.runs) : null,
        )
      : h(
          "p",
          { class: "hint" },
          "They learned from different data sets, so their predictions are not compared row by row.",
        ),
    comparable(found.runs),
    table(found.runs),
    h("div", { class: "two even" }, found.runs.map(column)),
    agreement ? byGroup(found.runs) : null,
  );
}

// Names that tell two runs apart, which may be called the same.
function namesOf([a, b]) {
  return a.name === b.name ? [`${a.name} (first)`, `${b.name} (second)`] : [a.name, b.name];
}

function differing(runs) {
  const [first, second] = runs;
  const open = () =>
    showRows(first, "Rows on which they differ", { other: second.id }, namesOf(runs));
  return h(
    "button",
    { type: "button", class: "small", id: "differing", onclick: open },
    "Show the rows on which they differ",
  );
}

// Rates of both by group; the groups are those of the first run.
function byGroup(runs) {
  const [first, second] = runs;
  const { result } = first;
  if (result.groups.length === 0) return null;
  const by = select(
    result.groups.map((each) => each.column),
    result.groups[0].column,
    { id: "compare-column" },
  );
  const positive = select(result.classes, result.classes.at(-1), { id: "compare-class" });
  const box = h("div", { id: "compare-rates", "aria-live": "polite" });
  const ask = () =>
    post(`/api/runs/${first.id}/rates`, {
      columns: [by.value],
      positive: positive.value,
      other: second.id,
    });
  function draw({ groups }) {
    const [own, its] = namesOf(runs);
    const models = [
      ["training", own],
      ["other", its],
    ];
    replace(box, ratesTable(groups, by.value, positive.value, models));
  }
  const again = latest(ask, draw);
  for (const each of [by, positive]) each.addEventListener("change", again);
  queueMicrotask(again);
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "By group"),
    h(
      "div",
      { class: "fields" },
      field("Groups by", by),
      field("Positive class", positive),
    ),
    box,
    h("p", { class: "hint" }, "On all rows of the data. Below each share is its 95 % interval, by Wilson's score."),
  );
}

try {
  const runs = (await get("/api/runs")).filter((run) => run.state === "finished");
  if (runs.length < 2) {
    replace(
      main,
      h(
        "section",
        { class: "empty" },
        h("h1", {}, "Nothing to compare yet"),
        h("p", {}, "Two finished runs are needed, say with different λ."),
        h("p", {}, h("a", { class: "button primary", href: "/" }, "To the start")),
      ),
    );
  } else {
    const names = runs.map((run) => [run.id, `${run.name} (${run.dataset_name})`]);
    const first = select(names, given.get("a") ?? runs[0].id, { id: "first" });
    const second = select(names, given.get("b") ?? runs[1].id, { id: "second" });
    const again = () => show(first.value, second.value).catch(complain);
    first.addEventListener("change", again);
    second.addEventListener("change", again);
    replace(
      main,
      h("h1", {}, "Two lists, side by side"),
      h("div", { class: "fields panel" }, field("First run", first), field("Second run", second)),
      body,
    );
    await show(first.value, second.value);
  }
} catch (error) {
  trouble(main, error);
}
