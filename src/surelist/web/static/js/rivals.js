// Comparison of the list with an existing score, the majority class, a tree and stronger models.

import { get, post } from "./api.js";
import { field, h, panel, replace, select, tableOf } from "./dom.js";
import { count, percent, plural } from "./format.js";
import { judged, line, points, rangeText } from "./intervals.js";
import { follow, stopJob } from "./job.js";
import { rivalRates } from "./rival_rates.js";
import { rowsButton, showRows } from "./rows.js";
import { complain } from "./shell.js";

const NUMBERS = ["number", "whole number", "yes/no"];

// Columns that may predict already: numbers, where there are two classes, and columns of classes.
export function scoreColumns(columns, label, classes) {
  return columns.filter((each) => {
    if (each.name === label) return false;
    if (NUMBERS.includes(each.kind)) return classes.length === 2;
    return (
      each.distinct > 0 &&
      each.distinct <= each.values.length &&
      each.values.every(({ value }) => classes.includes(value))
    );
  });
}

// The column that is called like a score; none where no name tells.
export function likelyScore(columns) {
  return columns.find((each) => /score|decile|rating/i.test(each.name))?.name ?? "";
}

export function rivals(run) {
  const address = `/api/runs/${run.id}/rivals`;
  const body = h("div", { id: "rivals" });
  const watched = () =>
    follow(
      body,
      () => get(address),
      (found) => show(found),
    ).catch(failed);
  function failed(error) {
    complain(error);
    form(run, begin, {}).then((made) => replace(body, made), complain);
  }
  async function begin(asked) {
    show(await post(address, asked));
    await watched();
  }
  async function stop() {
    if (await stopJob(run, "rivals")) show({ state: null });
  }
  function show({ state, outcome, progress }) {
    if (state === "running") return replace(body, running(progress, stop));
    if (state === "finished") {
      const again = h("button", { type: "button", class: "small", id: "rivals-again" }, "Again");
      again.addEventListener("click", () => show({ state: null, outcome }));
      return replace(body, results(run, outcome), h("p", {}, again));
    }
    const warning = state === "failed" ? h("p", { class: "warning" }, outcome.error) : null;
    return form(run, begin, outcome ?? {}).then((made) => replace(body, warning, made), complain);
  }
  if (run.jobs.rivals?.state === "running") queueMicrotask(watched);
  else queueMicrotask(() => show({ state: null, ...run.jobs.rivals }));
  return panel(
    "compared",
    "Compared with what?",
    "The list beside what you have and what is usual, on the same rows and the same folds. Each row is predicted by models that have not seen it.",
    body,
  );
}

function running(progress, stop) {
  const { done = 0, of = 1, doing = "starting" } = progress ?? {};
  return h(
    "div",
    { role: "status" },
    h("p", { class: "stage" }, `Comparing: ${doing}`),
    h("progress", { value: done, max: of, "aria-label": "Comparing" }),
    h(
      "p",
      {},
      h("button", { type: "button", id: "rivals-stop", class: "small", onclick: stop }, "Stop"),
    ),
  );
}

async function form(run, begin, { score = null, seconds = 10, folds = 5 }) {
  const { columns } = (await get(`/api/datasets/${run.dataset}`)).summary;
  const { classes } = run.result;
  const known = scoreColumns(columns, run.result.label, classes);
  const names = [["", "none"], ...known.map((each) => [each.name, each.name])];
  const column = select(names, score?.column ?? likelyScore(known), { id: "score-column" });
  const number = (id, value, more) => h("input", { type: "number", id, value, ...more });
  const threshold = number("score-threshold", score?.threshold ?? "", {
    step: "any",
    placeholder: "best in training",
  });
  const above = select(
    [
      ["yes", "it and above"],
      ["no", "it and below"],
    ],
    score?.above === false ? "no" : "yes",
    { id: "score-above" },
  );
  const positive = select(classes, score?.positive ?? classes.at(-1), { id: "score-class" });
  const limit = number("rival-seconds", seconds, { min: 1, max: 600 });
  const parts = number("rival-folds", folds, { min: 2, max: 10 });
  const details = h(
    "div",
    { class: "fields" },
    field("Threshold", threshold, "Empty: the best one on the rows learned from, in each fold."),
    field("Predicted at", above),
    field("the class", positive),
  );
  const chosen = () => known.find((each) => each.name === column.value);
  const adapt = () => {
    details.hidden = !chosen() || !NUMBERS.includes(chosen().kind);
  };
  column.addEventListener("change", adapt);
  adapt();
  async function go(event) {
    event.preventDefault();
    const given = {
      column: column.value,
      threshold: threshold.value === "" ? null : Number(threshold.value),
      positive: positive.value,
      above: above.value === "yes",
    };
    try {
      await begin({
        folds: Number(parts.value),
        seconds: Number(limit.value),
        score: column.value ? given : null,
      });
    } catch (error) {
      complain(error);
    }
  }
  return h(
    "form",
    { id: "rivals-form", onsubmit: go },
    h(
      "div",
      { class: "fields" },
      field(
        "A score or rule that you have",
        column,
        "A column of the data, also one that rules may not use.",
      ),
      field("Folds", parts),
      field("Seconds for the list, in each fold", limit),
    ),
    details,
    h("button", { class: "primary", id: "rivals-start" }, "Compare"),
  );
}

function results(run, outcome) {
  const rates = outcome.models.map((each) => each.accuracy);
  const least = Math.min(...rates.map((each) => each.low));
  const most = Math.max(...rates.map((each) => each.high));
  const heads = ["Model", "Accuracy", "", "Against this list, points", "Predict differently"];
  if (outcome.weighted) heads.push("Balanced accuracy");
  return [
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Models compared" },
      tableOf(
        {
          class: "cells rates stacked",
          id: "rival-table",
          style: { "--figures": outcome.weighted ? 4 : 3 },
        },
        heads.map((text, at) =>
          text
            ? h("th", { scope: "col", class: at ? "n" : "full" }, text)
            : h("td", { class: "line" }),
        ),
        outcome.models.map((model) =>
          h(
            "tr",
            { class: model.key === "list" ? "right" : null },
            h("th", { scope: "row", class: "full" }, model.name, h("small", {}, model.about)),
            h("td", { class: "n" }, percent(model.accuracy.share), small(model.accuracy)),
            h("td", { class: "line" }, line(model.accuracy, least, most)),
            against(model),
            h("td", { class: "n" }, differing(run, model)),
            outcome.weighted ? h("td", { class: "n" }, percent(model.balanced)) : null,
          ),
        ),
      ),
    ),
    h("p", { class: "hint", id: "rival-words" }, words(outcome)),
    rivalRates(run, outcome),
  ];
}

const small = (rate) => h("small", {}, rangeText(rate));

function against(model) {
  if (!model.difference) return h("td", { class: "n" }, "–");
  const { share, low, high } = model.difference;
  const range = `${points(low)} to ${points(high)}: ${judged(model.difference)}`;
  return h("td", { class: "n" }, points(share), h("small", {}, range));
}

function differing(run, model) {
  if (!model.difference) return "–";
  const title = `This list and ${model.name} differ`;
  const open = () =>
    showRows(run, title, { models: ["list", model.key] }, ["This list", model.name]);
  return [
    rowsButton(plural(model.differ, "row"), `${plural(model.differ, "row")}: ${title}`, open),
    h("small", {}, `list right on ${count(model.only_list)}, it on ${count(model.only_it)}`),
  ];
}

// What was done, and what the intervals are.
export function words({ folds, seconds, statuses, lengths, rows }) {
  const proven = statuses.optimal ?? 0;
  const sizes = [...new Set(lengths)].sort((a, b) => a - b).join(", ");
  return (
    `${count(rows)} rows in ${folds} folds. The list was learned again in each fold, within ${seconds} s: ` +
    `${proven} of ${folds} proven optimal, rules: ${sizes}. ` +
    "Accuracy has 95 % intervals by Wilson's score; differences are on the same rows, with the paired 95 % interval of Agresti and Min. " +
    "Both assume independent rows. Folds share training rows, so the true uncertainty is a little larger."
  );
}
