// Two runs side by side.

import { get } from "./api.js";
import { field, h, replace, select, tableOf } from "./dom.js";
import { count, decimal, decimalUp, percent, plural } from "./format.js";
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
          `They agree on ${count(agreement.same)} of ${plural(agreement.rows, "row")} (${percent(agreement.same / agreement.rows)}).`,
        )
      : h(
          "p",
          { class: "hint" },
          "They learned from different data sets, so their predictions are not compared row by row.",
        ),
    table(found.runs),
    h("div", { class: "two even" }, found.runs.map(column)),
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
