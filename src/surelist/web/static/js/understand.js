// A finished run: what is proven, its rules, and how well they do.

import { h, panel, tableOf } from "./dom.js";
import { count, decimal, decimalDown, decimalUp, fractionDown, percent, plural } from "./format.js";
import { rowsButton } from "./rows.js";
import { record, ruleList } from "./rules.js";

export function verdict(result) {
  if (result.status === "optimal") {
    return h(
      "div",
      { class: "verdict sure", role: "note" },
      h("strong", {}, "Proven optimal"),
      h(
        "p",
        {},
        `No rule list over ${result.antecedents === 1 ? "this" : "these"} ${plural(result.antecedents, "antecedent")} has an objective below ${fractionDown(result.lower_bound_exact)} on these ${plural(result.rows, "row")}.`,
      ),
    );
  }
  if (result.kept) return keptVerdict(result);
  const why = {
    time_limit: "The time limit was reached",
    memory_limit: "The memory limit was reached",
    prefix_limit: "The limit of prefixes was reached",
    work_limit: "The work limit was reached",
    interrupted: "The search was stopped",
  }[result.status];
  return h(
    "div",
    { class: "verdict", role: "note" },
    h("strong", {}, "Not certified"),
    h(
      "p",
      {},
      `${why}. A better rule list may exist, by at most `,
      h("b", { id: "gap" }, decimalUp(result.gap)),
      ` of objective (${decimalDown(result.lower_bound)} is proven, ${decimal(result.objective)} was found).`,
      provenLength(result),
    ),
  );
}

// Short lists are settled first; runs of earlier versions do not say how far.
function provenLength(result) {
  if (!result.proven_length) return null;
  const length = plural(result.proven_length, "rule");
  return h("span", { id: "proven-length" }, ` No list of up to ${length} is better.`);
}

// The process of the search is gone; the best list that it had shown is not.
function keptVerdict(result) {
  const { reason, lower_bound: shown } = result.kept;
  return h(
    "div",
    { class: "verdict", role: "note" },
    h("strong", {}, "Not certified"),
    h(
      "p",
      {},
      `The search did not finish: ${reason}. The best list that it had found is kept. A better one may exist, by at most `,
      h("b", { id: "gap" }, decimalUp(result.gap)),
      " of objective.",
      provenLength(result),
      shown === null || shown <= result.lower_bound
        ? null
        : ` The search had come to a lower bound of ${decimalDown(shown)}, but its proof is lost: the certificate is for ${decimalDown(result.lower_bound)}.`,
    ),
  );
}

export function figures(result, tested) {
  const entries = [
    [
      "Accuracy",
      percent(result.accuracy),
      `in training; ${percent(result.baseline)} by the most frequent class alone`,
    ],
    ["Held out", tested],
    ["Rules", String(result.length), `λ = ${result.regularization} each`],
    [
      "Objective",
      decimal(result.objective),
      `${decimal(result.loss)} wrong + ${result.regularization} × ${result.length}`,
    ],
  ];
  return h(
    "dl",
    { class: "big" },
    entries.map(([name, value, hint]) =>
      h(
        "div",
        {},
        h("dt", {}, name),
        value instanceof Node ? value : h("dd", {}, value, h("small", {}, hint)),
      ),
    ),
  );
}

export function rules(result) {
  return panel(
    "rules",
    "The rule list",
    "The first rule that applies decides. The bar shows the share of rows a rule captures: solid where it is right, hatched where it is wrong.",
    ruleList(result.rules, result.classes, {
      target: result.label,
      detail: (rule) => [record(rule, result.rows), examples(rule, result)],
    }),
    result.weighted
      ? h(
          "p",
          { class: "hint" },
          "Classes are weighted: probabilities are of weight, counts are of rows.",
        )
      : null,
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
      tableOf(
        { class: "cells" },
        ["line", ...columns, result.label ?? "label"],
        rows.map((row) =>
          h(
            "tr",
            { class: row.label === rule.label ? "right" : "wrong" },
            h("td", { class: "n" }, count(row.line)),
            row.cells.map((cell) =>
              h("td", { class: cell === null ? "gone" : null }, cell ?? "missing"),
            ),
            h("td", {}, h("b", {}, row.label), row.label === rule.label ? "" : " ✗"),
          ),
        ),
      ),
    ),
  );
}

// `open` shows the rows of a cell, by actual and predicted class.
export function confusions(result, tested, open = null) {
  return h(
    "section",
    { class: "panel", id: "right" },
    h("h2", {}, "Right and wrong"),
    h(
      "div",
      { class: "two even" },
      matrix("On the rows it learned from", result.classes, result.confusion, open),
      tested,
    ),
  );
}

export function matrix(title, classes, counts, open = null) {
  const most = Math.max(...counts.flat(), 1);
  return h(
    "figure",
    { class: "matrix" },
    h("figcaption", {}, title),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
      tableOf(
        {},
        [
          h("td", {}),
          classes.map((name) => h("th", { scope: "col" }, h("small", {}, "predicted "), name)),
        ],
        counts.map((row, actual) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, h("small", {}, "is "), classes[actual]),
            row.map((n, predicted) =>
              h(
                "td",
                {
                  class: actual === predicted ? "right" : "wrong",
                  style: { "--heat": (n / most).toFixed(3) },
                },
                open && n
                  ? rowsButton(
                      count(n),
                      `${count(n)}: show the rows that are ${classes[actual]}, predicted ${classes[predicted]}`,
                      () => open(classes[actual], classes[predicted]),
                    )
                  : count(n),
                h(
                  "small",
                  {},
                  percent(
                    n /
                      Math.max(
                        1,
                        row.reduce((a, b) => a + b, 0),
                      ),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
