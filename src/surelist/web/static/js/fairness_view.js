// A front of fair lists: a slider over its points, and of each the list, what is proven and rates by group.

import { SHARES, chart, chartBox } from "./charts.js";
import { h, replace, tableOf } from "./dom.js";
import { count, decimal, decimalDown, percent, plural } from "./format.js";
import { shareCell } from "./intervals.js";
import { liveList } from "./rules.js";
import { complain } from "./shell.js";

const RATES = {
  selection_rate: "Predicted positive",
  true_positive_rate: "True positive rate",
  false_positive_rate: "False positive rate",
  precision: "Precision",
  negative_precision: "Precision, negative",
  error_rate: "Error rate",
};
// Always told, besides the rates that the metric compares.
const ALWAYS = ["selection_rate", "false_positive_rate", "true_positive_rate", "error_rate"];

function ratesShown(found) {
  return Object.keys(RATES).filter((rate) => found.rates.includes(rate) || ALWAYS.includes(rate));
}

function pointName(point) {
  return `groups differ by ${percent(point.unfairness)}, objective ${decimal(point.objective)}`;
}

export function front(run, found) {
  const { points } = found;
  const chosen = h("div", { id: "fair-point" });
  const picture = chartBox("Objective against the difference between groups; the slider has the same points", {
    small: false,
    id: "fair-chart",
  });
  const slider = h("input", {
    id: "fair-slider",
    type: "range",
    min: 0,
    max: points.length - 1,
    step: 1,
    value: 0,
    "aria-label": "List of the front, from the best to the fairest",
  });
  const said = h("p", { id: "fair-said", role: "status" });
  const show = () => {
    const index = Number(slider.value);
    slider.setAttribute("aria-valuetext", pointName(points[index]));
    replace(
      said,
      h("strong", {}, `List ${index + 1} of ${points.length}`),
      `: ${pointName(points[index])}`,
    );
    replace(chosen, onePoint(run, found, index));
    draw(picture, found, index);
  };
  slider.addEventListener("input", show);
  queueMicrotask(show);
  return h(
    "div",
    {},
    points.length > 1
      ? h("div", { class: "row picked" }, h("span", {}, "best"), slider, h("span", {}, "fairest"))
      : null,
    said,
    picture,
    chosen,
    h("h3", { class: "sub" }, "What it does not say"),
    h(
      "ul",
      { id: "fair-caveats" },
      found.caveats.map((text) => h("li", {}, text)),
    ),
  );
}

function draw(picture, found, index) {
  const x = found.points.map((each) => each.unfairness);
  const y = found.points.map((each) => each.objective);
  chart(picture, (palette) => ({
    traces: [
      {
        x,
        y,
        name: "training",
        mode: "lines+markers",
        line: { color: palette.series[0], width: 2, shape: "hv" },
        marker: {
          size: 9,
          color: palette.series[0],
          symbol: found.points.map((each) => (each.certified ? "circle" : "circle-open")),
        },
      },
      {
        x: [x[index]],
        y: [y[index]],
        name: "this list",
        mode: "markers",
        marker: { size: 15, color: palette.series[3], symbol: "diamond" },
      },
    ],
    layout: {
      xaxis: { title: { text: "difference between groups" }, tickformat: SHARES, rangemode: "tozero" },
      yaxis: { title: { text: "objective" } },
    },
  })).catch(complain);
}

function onePoint(run, found, index) {
  const point = found.points[index];
  const again = found.held_out.points?.[index];
  return h(
    "div",
    {},
    h(
      "div",
      { class: "two even picked" },
      h("div", {}, h("h3", { class: "sub" }, "The list"), liveList(point.rules), proof(run, found, index)),
      h(
        "div",
        {},
        h("h3", { class: "sub" }, "What it means here"),
        point.meaning.map((text) => h("p", {}, text)),
        h(
          "p",
          { class: "hint" },
          `Accuracy ${percent(point.accuracy)} in training, against ${percent(found.points[0].accuracy)} of the first list.`,
        ),
      ),
    ),
    h("h3", { class: "sub" }, "Rates by group on all rows"),
    table(found, point.groups, "Rates by group on all rows"),
    heldOut(found, again),
  );
}

function proof(run, found, index) {
  const point = found.points[index];
  const sure = point.certified;
  const text = sure
    ? `Proven: no list whose groups differ by at most ${decimalDown(100 * point.tolerance, 2)} % has a lower objective.`
    : `Not proven to the end: such lists may reach ${decimalDown(point.lower_bound)}, this one has ${decimal(point.objective)}.`;
  const file = (kind) => `fair-${index + 1}.${kind}`;
  const link = (kind, name) =>
    h(
      "a",
      { class: "button", href: `/api/runs/${run.id}/fairness/${file(kind)}`, download: file(kind) },
      name,
    );
  return h(
    "div",
    {},
    h("p", { class: sure ? "fair-proof sure" : "fair-proof warning" }, text),
    h("div", { class: "row" }, link("cert", "Certificate"), link("json", "Model")),
    found.made_labels
      ? null
      : h(
          "p",
          { class: "hint" },
          "Check it without this page: ",
          h("code", {}, `surelist verify ${file("cert")} DATA --label ${run.result.label}`),
        ),
  );
}

function table(found, groups, label) {
  const shown = ratesShown(found);
  const heads = ["Group", "Rows", ...shown.map((rate) => RATES[rate])];
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    tableOf(
      { class: "cells rates" },
      heads.map((text, at) => h("th", { scope: "col", class: at ? "n" : null }, text)),
      groups.map((group) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, group.name),
          h("td", { class: "n" }, count(group.rows)),
          shown.map((rate) => shareCell(group[rate])),
        ),
      ),
    ),
  );
}

function heldOut(found, again) {
  const error = found.held_out.error ?? again?.error;
  const head = h("h3", { class: "sub" }, "Rates by group on rows not learned from");
  if (error || !again) return h("div", {}, head, h("p", { class: "hint" }, error ?? "none"));
  const same = again.same_list ? "the same list" : "another list";
  const apart =
    again.unfairness === null
      ? "some groups have no such rate there"
      : `groups differ by ${percent(again.unfairness)} there`;
  return h(
    "div",
    { id: "fair-held-out" },
    head,
    table(found, again.groups, "Rates by group on rows not learned from"),
    h(
      "p",
      { class: "hint" },
      `Learned again with the same tolerance from the other rows, which gives ${same}, and counted on ${plural(found.held_out.rows, "row")} kept back: ${apart}. Below each share is its 95 % interval, by Wilson's score.`,
    ),
  );
}
