// All good lists: every rule list that is nearly as good as this run's, found as a job.

import { browse } from "./alternatives_view.js";
import { get, post } from "./api.js";
import { field, h, panel, replace, select } from "./dom.js";
import { ended, openJob, stopJob } from "./job.js";
import { complain } from "./shell.js";

const TOLERANCES = [
  ["0.01", "1 %"],
  ["0.05", "5 %"],
  ["0.1", "10 %"],
  ["0.2", "20 %"],
];

function form(asked, begin) {
  const tolerance = select(TOLERANCES, asked.tolerance, { id: "alternatives-tolerance" });
  const length = select([1, 2, 3, 4, 5], asked.max_length, { id: "alternatives-length" });
  const go = () =>
    begin({ tolerance: Number(tolerance.value), max_length: Number(length.value) });
  return h(
    "div",
    { class: "row low" },
    field("Worse than the optimum by at most", tolerance),
    field("Rules, at most", length),
    h(
      "button",
      { type: "button", id: "alternatives-start", onclick: go },
      "Find all good lists",
    ),
  );
}

export function alternatives(run) {
  const body = h("div", {});
  const first = { tolerance: 0.05, max_length: Math.min(5, Math.max(3, run.result.length)) };
  const failed = (error) => {
    replace(body, form(first, begin));
    complain(error);
  };
  async function begin(asked) {
    try {
      await post(`/api/runs/${run.id}/alternatives`, asked);
      await wait();
    } catch (error) {
      failed(error);
    }
  }
  const stop = () => stopJob(run, "alternatives");
  async function wait() {
    replace(
      body,
      h("p", { class: "stage", role: "status" }, "Finding every list that is good enough…"),
      h("p", { class: "hint elapsed" }),
      h("button", { type: "button", class: "small", onclick: stop }, "Stop"),
    );
    await show(await ended(run, "alternatives", body));
  }
  async function show(job) {
    if (!job) return replace(body, form(first, begin));
    if (job.state === "failed")
      return replace(body, h("p", { class: "warning" }, job.outcome.error), form(first, begin));
    const [now, set] = await Promise.all([
      get(`/api/runs/${run.id}`),
      get(`/api/runs/${run.id}/alternatives`),
    ]);
    return replace(body, form(set, begin), browse(now, set));
  }
  openJob(run.jobs.alternatives, {
    begin: () => replace(body, form(first, begin)),
    wait,
    show,
    failed,
  });
  return panel(
    "alternatives",
    "All good lists",
    "Often many lists are nearly as good and use other columns. Here are all of them, none is missing: see which columns are needed, and choose the list that you can accept.",
    body,
  );
}
