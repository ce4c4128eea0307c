// The path of λ: the optimal list for every price of a rule.

import { get, post } from "./api.js";
import { chart, chartBox } from "./charts.js";
import { h, replace, tableOf } from "./dom.js";
import { decimalUp, percent, short } from "./format.js";
import { complain } from "./shell.js";

export function path(run) {
  const body = h("div", { id: "path" });
  async function begin() {
    try {
      await post(`/api/runs/${run.id}/jobs/path`);
      await wait();
    } catch (error) {
      failed(error);
    }
  }
  function failed(error) {
    replace(body, start());
    complain(error);
  }
  async function wait() {
    replace(
      body,
      h("p", { class: "stage", role: "status" }, "Finding the optimal list for every λ…"),
    );
    while (document.contains(body)) {
      const found = (await get(`/api/runs/${run.id}`)).jobs.path;
      if (!found) return replace(body, start());
      if (found.state !== "running") return show(found);
      await new Promise((resolve) => {
        setTimeout(resolve, 700);
      });
    }
  }
  const start = () =>
    h("button", { type: "button", id: "path-start", onclick: begin }, "Find the path");
  function show(job) {
    if (job.state === "failed")
      return replace(body, h("p", { class: "warning" }, job.outcome.error), start());
    const { segments, own, status } = job.outcome;
    const picture = chartBox("Accuracy and length against λ; the table has the same figures");
    replace(
      body,
      picture,
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Lists for other λ" },
        tableOf(
          { class: "cells" },
          ["λ from", "to", "Rules", "Accuracy in training", "Proven"].map((text) =>
            h("th", { scope: "col", class: "n" }, text),
          ),
          segments.map((each) =>
            h(
              "tr",
              { class: each.start <= own && own < each.stop ? "right" : null },
              h("td", { class: "n" }, short(each.start)),
              h("td", { class: "n" }, short(each.stop)),
              h("td", { class: "n" }, each.length),
              h("td", { class: "n" }, percent(each.accuracy)),
              h("td", { class: "n" }, each.certified ? "optimal" : `gap ${decimalUp(each.gap)}`),
            ),
          ),
        ),
      ),
      status === "optimal"
        ? null
        : h("p", { class: "hint" }, "The time for the path ran out before all of it was proven."),
    );
    const x = segments.flatMap((each) => [each.start, each.stop]);
    chart(picture, (palette) => ({
      traces: [
        {
          x,
          y: segments.flatMap((each) => [each.accuracy, each.accuracy]),
          name: "Accuracy in training",
          mode: "lines",
          line: { color: palette.series[0], width: 3 },
        },
        {
          x,
          y: segments.flatMap((each) => [each.length, each.length]),
          name: "Rules",
          yaxis: "y2",
          mode: "lines",
          line: { color: palette.series[3], width: 2, dash: "dot" },
        },
        {
          x: [own, own],
          y: [
            Math.min(...segments.map((each) => each.accuracy)),
            Math.max(...segments.map((each) => each.accuracy)),
          ],
          name: "this run",
          mode: "lines",
          line: { color: palette.soft, width: 1 },
        },
      ],
      layout: {
        xaxis: { type: "log", title: { text: "λ, the price of a rule" } },
        yaxis: { tickformat: ".0%" },
        yaxis2: {
          overlaying: "y",
          side: "right",
          rangemode: "tozero",
          dtick: segments[0].length > 8 ? null : 1,
          showgrid: false,
        },
      },
    })).catch(complain);
    return body;
  }
  const job = run.jobs.path;
  if (!job) replace(body, start());
  else if (job.state === "running") queueMicrotask(() => wait().catch(failed));
  else queueMicrotask(() => show(job));
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "What another λ would give"),
    h(
      "p",
      { class: "hint" },
      "A lower price buys longer lists that fit these rows better. The path has the optimal list for every λ from half of this run's upwards.",
    ),
    body,
  );
}
