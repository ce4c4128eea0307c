// What to know about columns before a search: shown beside each, and again with the result.

import { post } from "./api.js";
import { h } from "./dom.js";
import { plural } from "./format.js";

// The findings, and the classes that the labels become.
export const inspected = (dataset, label, relabel) =>
  post(`/api/datasets/${dataset}/inspection`, { label, relabel: relabel ?? {} });

// What a finding asks to do with its column; null where there is nothing to decide.
export function advice(finding) {
  if (finding.kind === "protected") return "protected";
  const useless = ["constant", "duplicate"].includes(finding.kind);
  return finding.level === "warning" || useless ? "leave_out" : null;
}

// The columns that are still used though a finding of some level advises against it.
export function open(findings, level, roles) {
  const names = findings
    .filter((each) => each.level === level && advice(each) && !roles[each.column])
    .map((each) => each.column);
  return [...new Set(names)];
}

const ACTIONS = { leave_out: "Leave out", protected: "Protect" };

// The findings about one column, each with a button that follows its advice.
export function beside(findings, role, follow) {
  if (findings.length === 0) return null;
  return h(
    "ul",
    { class: "findings" },
    findings
      .filter((each) => each.kind !== "protected" || role === "use")
      .map((each) => {
        const to = advice(each);
        return h(
          "li",
          { class: role === "use" ? each.level : "settled" },
          h("span", {}, each.text),
          to && role === "use"
            ? h(
                "button",
                {
                  type: "button",
                  class: "small",
                  "aria-label": `${ACTIONS[to]}: ${each.column}`,
                  onclick: () => follow(each.column, to),
                },
                ACTIONS[to],
              )
            : null,
        );
      }),
  );
}

// One line above the columns, with one button for all of them.
export function overview(findings, roles, leaveOut) {
  const names = open(findings, "warning", roles);
  if (names.length === 0) return null;
  return h(
    "div",
    { class: "warning overview", id: "warnings" },
    h(
      "p",
      {},
      `${plural(names.length, "column")} may give the label away, or identify rows: ${names.slice(0, 6).join(", ")}${names.length > 6 ? " and others" : ""}. A list that uses them may be proven optimal and still be worthless.`,
    ),
    h(
      "button",
      { type: "button", class: "small", id: "leave-out-warned", onclick: () => leaveOut(names) },
      names.length === 1 ? "Leave it out" : `Leave all ${names.length} out`,
    ),
  );
}

// Beside the verdict: what the proof does not know.
export function cautions(result) {
  const findings = result.findings ?? []; // results of earlier versions have none
  const serious = (each) => each.used && each.level === "warning";
  const used = findings.filter(serious);
  const others = findings.filter((each) => !serious(each));
  if (findings.length === 0) return null;
  const list = (some) => h("ul", {}, some.map((each) => h("li", {}, each.text)));
  return h(
    "div",
    { class: used.length ? "verdict caution" : "caution", role: "note", id: "cautions" },
    used.length
      ? [
          h("strong", {}, "Before you rely on it"),
          h("p", {}, "A proof cannot tell whether a column is known in time. The rules ask about these:"),
          list(used),
        ]
      : null,
    others.length
      ? h(
          "details",
          {},
          h("summary", {}, `${plural(others.length, "other remark")} on these data`),
          list(others),
        )
      : null,
  );
}
