// Fair by constraint: the front of objective against unfairness of a run, found as a job.

import { get, post } from "./api.js";
import { field, h, panel, replace, select } from "./dom.js";
import { front } from "./fairness_view.js";
import { percent, plural } from "./format.js";
import { ended, openJob, stopJob } from "./job.js";
import { complain } from "./shell.js";

const METRICS = [
  ["statistical_parity", "Share predicted positive"],
  ["equal_opportunity", "True positive rate"],
  ["predictive_equality", "False positive rate"],
  ["equalized_odds", "True and false positive rate"],
  ["predictive_parity", "Precision"],
  ["conditional_use_accuracy_equality", "Precision of both predictions"],
];

const STEPS = [
  ["0.01", "0.01"],
  ["0.02", "0.02"],
  ["0.05", "0.05"],
  ["0.1", "0.1"],
];

// Protected columns first: they are what a front is usually about.
function columnsOf(result) {
  const names = [...result.groups].sort((a, b) => Number(b.protected) - Number(a.protected));
  return names.map((each) => [
    each.column,
    each.protected ? `${each.column} (protected)` : each.column,
  ]);
}

function form(run, asked, begin) {
  const columns = columnsOf(run.result);
  const { classes } = run.result;
  const metric = select(METRICS, asked.metric, { id: "fair-metric" });
  const sensitive = select(columns, asked.sensitive ?? columns[0][0], { id: "fair-sensitive" });
  const positive = select(classes, asked.positive ?? classes.at(-1), { id: "fair-positive" });
  const step = select(STEPS, asked.step, { id: "fair-step" });
  const only = h("input", {
    id: "fair-tolerance",
    type: "number",
    min: 0,
    max: 1,
    step: "any",
    value: asked.tolerance ?? "",
    placeholder: "all",
  });
  const go = () =>
    begin({
      metric: metric.value,
      sensitive: sensitive.value,
      positive: positive.value,
      step: Number(step.value),
      tolerance: only.value === "" ? null : Number(only.value),
    });
  return h(
    "div",
    {},
    h(
      "div",
      { class: "fields" },
      field("Rates to make equal", metric),
      field("Between groups of", sensitive),
      field("Positive class", positive),
      field("Each list fairer by", step),
      field("Only this tolerance", only),
    ),
    h("button", { type: "button", id: "fair-start", onclick: go }, "Find the front"),
  );
}

// Progress of a front. The number of its lists is not known before its end.
export function progressWords(progress) {
  if (!progress) return "";
  const { done, of, doing, unfairness } = progress;
  if (doing === "held out") return `All lists are found; ${done} of ${of} learned again without the rows kept back.`;
  return `${plural(done, "list")} found, of at most ${of}; the fairest so far differs by ${percent(unfairness)}.`;
}

export function fairness(run) {
  if (run.result.groups.length === 0 || run.result.classes.length !== 2) return null;
  const body = h("div", {});
  const first = { metric: "statistical_parity", step: 0.02 };
  const failed = (error) => {
    replace(body, form(run, first, begin));
    complain(error);
  };
  async function begin(asked) {
    try {
      await post(`/api/runs/${run.id}/fairness`, asked);
      await wait();
    } catch (error) {
      failed(error);
    }
  }
  const stop = () => stopJob(run, "fairness");
  async function wait() {
    const far = h("p", { role: "status", id: "fair-progress" }, "");
    const tell = ({ progress }) => {
      const words = progressWords(progress);
      if (words !== far.textContent) far.textContent = words;
    };
    replace(
      body,
      h(
        "p",
        { class: "stage", role: "status" },
        "Finding the best list for every tolerance, with proof…",
      ),
      far,
      h("p", { class: "hint elapsed" }),
      h(
        "p",
        { class: "hint" },
        "At most twelve lists, each within a minute; then the same on the rows kept back. It goes on when you leave this page.",
      ),
      h("button", { type: "button", class: "small", onclick: stop }, "Stop"),
    );
    await show(await ended(run, "fairness", body, tell));
  }
  async function show(job) {
    if (!job) return replace(body, form(run, first, begin));
    if (job.state === "failed")
      return replace(
        body,
        h("p", { class: "warning" }, job.outcome.error),
        form(run, first, begin),
      );
    const found = await get(`/api/runs/${run.id}/fairness`);
    return replace(body, form(run, found, begin), front(run, found));
  }
  openJob(run.jobs.fairness, {
    begin: () => replace(body, form(run, first, begin)),
    wait,
    show,
    failed,
  });
  return panel(
    "fairness",
    "Fair by constraint",
    "The best list whose rates differ between groups by no more than a tolerance, for every tolerance, each proven: so you see what treating groups alike costs. Rules do not ask about the groups' column.",
    body,
  );
}
