// A finished run: its rules, how well they do, for whom, and what they say of one person.

import { get, post } from "./api.js";
import { chart } from "./charts.js";
import { field, h, replace, select } from "./dom.js";
import { count, decimal, percent, plural, short } from "./format.js";
import { className, record, ruleList } from "./rules.js";
import { complain } from "./shell.js";

export function verdict(result) {
  if (result.status === "optimal") {
    return h("div", { class: "verdict sure", role: "note" }, h("strong", {}, "Proven optimal"), h("p", {}, `No rule list over these ${count(result.antecedents)} antecedents has an objective below ${short(result.objective)} on these ${count(result.rows)} rows.`));
  }
  const why = { time_limit: "The time limit was reached", memory_limit: "The memory limit was reached", prefix_limit: "The limit of prefixes was reached", interrupted: "The search was stopped" }[result.status];
  return h("div", { class: "verdict", role: "note" }, h("strong", {}, "Not certified"), h("p", {}, `${why}. A better rule list may exist, by at most `, h("b", { id: "gap" }, decimal(result.gap)), ` of objective (${decimal(result.lower_bound)} is proven, ${decimal(result.objective)} was found).`));
}

export function figures(result) {
  const held = result.held_out;
  const entries = [
    ["Accuracy", percent(result.accuracy), `in training; ${percent(result.baseline)} by the most frequent class alone`],
    ["Held out", held ? percent(held.accuracy) : "–", held ? `on ${count(held.rows)} rows not learned from${held.same_list ? "; the same list was found" : "; learned a list of its own"}` : "not tested"],
    ["Rules", String(result.length), `λ = ${result.regularization} each`],
    ["Objective", decimal(result.objective), `${decimal(result.loss)} wrong + ${result.regularization} × ${result.length}`],
  ];
  return h("dl", { class: "big" }, entries.map(([name, value, hint]) => h("div", {}, h("dt", {}, name), h("dd", {}, value, h("small", {}, hint)))));
}

export function rules(result) {
  return h(
    "section",
    { class: "panel", id: "rules" },
    h("h2", {}, "The rule list"),
    h("p", { class: "hint" }, "The first rule that applies decides. The bar shows the share of rows a rule captures: solid where it is right, hatched where it is wrong."),
    ruleList(result.rules, result.classes, {
      target: result.label,
      detail: (rule) => [record(rule, result.rows), examples(rule, result)],
    }),
    result.weighted ? h("p", { class: "hint" }, "Classes are weighted: probabilities are of weight, counts are of rows.") : null,
  );
}

function examples(rule, result) {
  const { columns, rows } = rule.examples;
  if (rows.length === 0) return null;
  return h(
    "details",
    { class: "examples-of" },
    h("summary", {}, "Examples of rows"),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Examples of rows" },
      h(
        "table",
        { class: "cells" },
        h("thead", {}, h("tr", {}, ["line", ...columns, result.label ?? "label"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, rows.map((row) => h("tr", { class: row.label === rule.label ? "right" : "wrong" }, h("td", { class: "n" }, count(row.line)), row.cells.map((cell) => h("td", { class: cell === null ? "gone" : null }, cell ?? "missing")), h("td", {}, h("b", {}, row.label), row.label === rule.label ? "" : " ✗")))),
      ),
    ),
  );
}

export function confusions(result) {
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "Right and wrong"),
    h("div", { class: "two even" }, matrix("On the rows it learned from", result.classes, result.confusion), result.held_out ? matrix("On rows kept back", result.classes, result.held_out.confusion) : null),
  );
}

function matrix(title, classes, counts) {
  const most = Math.max(...counts.flat(), 1);
  return h(
    "figure",
    { class: "matrix" },
    h("figcaption", {}, title),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("td", {}), classes.map((name) => h("th", { scope: "col" }, h("small", {}, "predicted "), name)))),
        h("tbody", {}, counts.map((row, actual) => h("tr", {}, h("th", { scope: "row" }, h("small", {}, "is "), classes[actual]), row.map((n, predicted) => h("td", { class: actual === predicted ? "right" : "wrong", style: { "--heat": (n / most).toFixed(3) } }, count(n), h("small", {}, percent(n / Math.max(1, row.reduce((a, b) => a + b, 0))))))))),
      ),
    ),
  );
}

// Error rates by group.

export function groups(result) {
  if (result.groups.length === 0) return null;
  const names = result.groups.map((each) => [each.column, each.protected ? `${each.column} (protected)` : each.column]);
  const column = select(names, names[0][0], { id: "group-column" });
  const positive = select(result.classes, result.classes[result.classes.length - 1], { id: "group-class" });
  const table = h("div", { class: "scroll", id: "group-table" });
  const picture = h("div", { class: "chart", role: "img", "aria-label": "Rates by group; the table has the same figures" });
  function show() {
    const chosen = result.groups.find((each) => each.column === column.value);
    const code = result.classes.indexOf(positive.value);
    const rows = chosen.groups.map((group) => ({ value: group.value, ...rates(group.counts, code) }));
    const heads = ["Group", "Rows", "Accuracy", `Predicted ${positive.value}`, "False positives", "False negatives"];
    replace(
      table,
      h(
        "table",
        { class: "cells" },
        h("thead", {}, h("tr", {}, heads.map((text, index) => h("th", { scope: "col", class: index ? "n" : null }, text)))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.value), h("td", { class: "n" }, count(row.rows)), [row.accuracy, row.selected, row.falsePositive, row.falseNegative].map((share) => h("td", { class: "n" }, share === null ? "–" : percent(share)))))),
      ),
    );
    const shown = rows.filter((row) => row.rows > 0);
    chart(picture, (palette) => ({
      traces: [
        ["False positives", "falsePositive", 0],
        ["False negatives", "falseNegative", 3],
      ].map(([name, key, colour]) => ({ type: "bar", name, x: shown.map((row) => row.value), y: shown.map((row) => row[key]), marker: { color: palette.series[colour] } })),
      layout: { barmode: "group", yaxis: { tickformat: ".0%", rangemode: "tozero" }, xaxis: { type: "category" } },
    })).catch(complain);
  }
  column.addEventListener("change", show);
  positive.addEventListener("change", show);
  queueMicrotask(show);
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "Error rates by group"),
    h("div", { class: "fields" }, field("Compare groups by", column), field("Positive class", positive)),
    picture,
    table,
    h("p", { class: "hint" }, "False positives: share of rows of other classes that are predicted positive. False negatives: share of positive rows that are not. On all rows of the data."),
  );
}

function rates(counts, code) {
  const all = counts.flat().reduce((a, b) => a + b, 0);
  const sum = (row) => row.reduce((a, b) => a + b, 0);
  const positives = sum(counts[code]);
  const negatives = all - positives;
  const selected = counts.reduce((total, row) => total + row[code], 0);
  const right = counts.reduce((total, row, actual) => total + row[actual], 0);
  const share = (part, whole) => (whole ? part / whole : null);
  return { rows: all, accuracy: share(right, all), selected: share(selected, all), falsePositive: share(selected - counts[code][code], negatives), falseNegative: share(positives - counts[code][code], positives) };
}

// One person.

export function person(run) {
  const { result } = run;
  const answer = h("div", { id: "person-answer", role: "status" });
  const inputs = new Map();
  const control = (about) => {
    let input;
    if (about.kind === "yes/no") input = select([["", "missing"], ...about.values.map((each) => each.value).sort()], about.values[0]?.value);
    else if (about.kind === "number" || about.kind === "whole number") input = h("input", { type: "number", step: "any", value: about.middle ?? "" });
    else if (about.kind === "date") input = h("input", { type: "date", value: about.low ?? "" });
    else if (about.values.length && about.distinct <= about.values.length) input = select([["", "missing"], ...about.values.map((each) => each.value)], about.values[0]?.value);
    else input = h("input", { type: "text", value: about.values[0]?.value ?? about.low ?? "" });
    input.name = about.name;
    inputs.set(about.name, input);
    const hint = about.low !== undefined && about.kind !== "date" ? `${short(about.low)} to ${short(about.high)} in the data` : null;
    return field(about.name, input, Number.isFinite(Number(about.low)) ? hint : null);
  };
  const used = result.form.filter((each) => each.used);
  const others = result.form.filter((each) => !each.used);
  async function ask() {
    const values = Object.fromEntries([...inputs].map(([name, input]) => [name, input.value === "" ? null : input.value]));
    try {
      show(await post(`/api/runs/${run.id}/explain`, { values }));
    } catch (error) {
      replace(answer, h("p", { class: "warning" }, error.message));
    }
  }
  function show(found) {
    const code = result.classes.indexOf(found.label);
    const rule = result.rules[found.rule];
    replace(
      answer,
      h("p", { class: "answer" }, "Predicted ", h("span", { class: `verdict-label c${Math.max(0, code) % 6}` }, className(found.label, result.classes, result.label)), ` with probability ${percent(found.probabilities[found.label])}`),
      h(
        "ol",
        { class: "walk" },
        found.steps.map((step) => h("li", { class: step.fires ? "fires" : null }, result.rules[step.rule].clauses.map((text, index) => h("span", { class: step.clauses[index] ? "holds" : "fails" }, step.clauses[index] ? "✓ " : "✗ ", text)), h("span", { class: "hint" }, step.fires ? "this rule fires" : "does not apply"))),
        found.rule === result.rules.length - 1 ? h("li", { class: "fires" }, h("span", { class: "holds" }, rule.clauses.length ? "" : "no other rule applies"), h("span", { class: "hint" }, "the default decides")) : null,
      ),
    );
  }
  const form = h("form", { id: "person", onsubmit: (event) => event.preventDefault(), oninput: () => later() }, h("div", { class: "fields" }, used.map(control)), used.length === 0 ? h("p", { class: "hint" }, "This list asks nothing: it predicts the same for everyone.") : null, others.length ? h("details", {}, h("summary", {}, `${plural(others.length, "other column")}, which these rules do not ask about`), h("div", { class: "fields" }, others.map(control))) : null);
  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 150);
  };
  queueMicrotask(ask);
  return h("section", { class: "panel", id: "try" }, h("h2", {}, "Try one person"), h("p", { class: "hint" }, "Fill in a row and see which rule decides."), h("div", { class: "two even" }, form, answer));
}

// The path of λ.

export function path(run) {
  const body = h("div", { id: "path" });
  async function begin() {
    try {
      await post(`/api/runs/${run.id}/jobs/path`);
      wait();
    } catch (error) {
      complain(error);
    }
  }
  async function wait() {
    replace(body, h("p", { class: "stage", role: "status" }, "Finding the optimal list for every λ…"));
    while (document.contains(body)) {
      const found = (await get(`/api/runs/${run.id}`)).jobs.path;
      if (!found) return replace(body, start());
      if (found.state !== "running") return show(found);
      await new Promise((resolve) => {
        setTimeout(resolve, 700);
      });
    }
  }
  const start = () => h("button", { type: "button", id: "path-start", onclick: begin }, "Find the path");
  function show(job) {
    if (job.state === "failed") return replace(body, h("p", { class: "warning" }, job.outcome.error), start());
    const { segments, own, status } = job.outcome;
    const picture = h("div", { class: "chart", role: "img", "aria-label": "Accuracy and length against λ; the table has the same figures" });
    replace(
      body,
      picture,
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          { class: "cells" },
          h("thead", {}, h("tr", {}, ["λ from", "to", "Rules", "Accuracy in training", "Proven"].map((text) => h("th", { scope: "col", class: "n" }, text)))),
          h("tbody", {}, segments.map((each) => h("tr", { class: each.start <= own && own < each.stop ? "right" : null }, h("td", { class: "n" }, short(each.start)), h("td", { class: "n" }, short(each.stop)), h("td", { class: "n" }, each.length), h("td", { class: "n" }, percent(each.accuracy)), h("td", { class: "n" }, each.certified ? "optimal" : `gap ${decimal(each.gap)}`)))),
        ),
      ),
      status === "optimal" ? null : h("p", { class: "hint" }, "The time for the path ran out before all of it was proven."),
    );
    const x = segments.flatMap((each) => [each.start, each.stop]);
    chart(picture, (palette) => ({
      traces: [
        { x, y: segments.flatMap((each) => [each.accuracy, each.accuracy]), name: "Accuracy in training", mode: "lines", line: { color: palette.series[0], width: 3 } },
        { x, y: segments.flatMap((each) => [each.length, each.length]), name: "Rules", yaxis: "y2", mode: "lines", line: { color: palette.series[3], width: 2, dash: "dot" } },
        { x: [own, own], y: [Math.min(...segments.map((each) => each.accuracy)), Math.max(...segments.map((each) => each.accuracy))], name: "this run", mode: "lines", line: { color: palette.soft, width: 1 } },
      ],
      layout: { xaxis: { type: "log", title: { text: "λ, the price of a rule" } }, yaxis: { tickformat: ".0%" }, yaxis2: { overlaying: "y", side: "right", rangemode: "tozero", dtick: segments[0].length > 8 ? null : 1, showgrid: false } },
    })).catch(complain);
    return body;
  }
  const job = run.jobs.path;
  if (!job) replace(body, start());
  else if (job.state === "running") queueMicrotask(() => wait().catch(complain));
  else queueMicrotask(() => show(job));
  return h("section", { class: "panel" }, h("h2", {}, "What another λ would give"), h("p", { class: "hint" }, "A lower price buys longer lists that fit these rows better. The path has the optimal list for every λ from half of this run's upwards."), body);
}
