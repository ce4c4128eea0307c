// The path of λ: the optimal list for every price of a rule.

import { adoptButton } from "./adopt.js";
import { post } from "./api.js";
import { SHARES, chart, chartBox } from "./charts.js";
import { h, panel, replace, tableOf } from "./dom.js";
import { decimalUp, percent, short } from "./format.js";
import { ended, openJob, stopJob } from "./job.js";
import { complain } from "./shell.js";
import { logTicks } from "./ticks.js";

export function path(run) {
  const body = h("div", {});
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
  const stop = () => stopJob(run, "path");
  async function wait() {
    replace(
      body,
      h("p", { class: "stage", role: "status" }, "Finding the optimal list for every λ…"),
      h("p", { class: "hint elapsed" }),
      h("button", { type: "button", class: "small", id: "path-stop", onclick: stop }, "Stop"),
    );
    const found = await ended(run, "path", body);
    return found ? show(found) : replace(body, start());
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
          { class: "cells segments" },
          ["λ from", "to", "Rules", "Accuracy", "Proven"].map((text) =>
            h("th", { scope: "col", class: "n" }, text),
          ),
          segments.map((each) => segmentRows(each, own, job.outcome.min_frequency)),
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
        xaxis: { type: "log", ...logTicks(x), title: { text: "λ, the price of a rule" } },
        yaxis: { tickformat: SHARES },
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
  // Figures, and below them the list, which needs all of the width.
  function segmentRows(segment, own, frequency) {
    const marked = segment.start <= own && own < segment.stop ? "right" : null;
    const proven = segment.certified ? "optimal" : `gap ${decimalUp(segment.gap)}`;
    const figures = [
      ...[segment.start, segment.stop].map(short),
      segment.length,
      percent(segment.accuracy),
      proven,
    ];
    return [
      h("tr", { class: marked }, figures.map((text) => h("td", { class: "n" }, text))),
      h("tr", { class: marked }, h("td", { colspan: figures.length }, opened(segment, frequency))),
    ];
  }
  // The list itself, and the way to a run of its own.
  const opened = (segment, frequency) =>
    h(
      "details",
      { class: "opened" },
      h("summary", {}, "The list"),
      h("pre", { tabindex: 0, "aria-label": "Rule list" }, segment.text.join("\n")),
      adoptButton(run, segment, frequency),
    );
  openJob(run.jobs.path, { begin: () => replace(body, start()), wait, show, failed });
  return panel(
    "path",
    "What another λ would give",
    "A lower price buys longer lists that fit these rows better. The path has the optimal list for every λ from half of this run's upwards.",
    body,
  );
}
