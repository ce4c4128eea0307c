// A rule list in large type.

import { h } from "./dom.js";
import { count, percent, plural } from "./format.js";

export function ruleList(rules, classes, options = {}) {
  return h(
    "ol",
    { class: "rules", "aria-label": options.label ?? "The rule list" },
    rules.map((rule, index) =>
      h(
        "li",
        { class: "rule", "data-rule": index },
        sentence(rule, classes, options.target),
        options.detail?.(rule, index) ?? null,
      ),
    ),
  );
}

// A class that is a bare number says little without the name of its column.
export function className(text, classes, label) {
  return label && classes.every((each) => /^(-?[\d.]+|true|false)$/i.test(each))
    ? `${label} = ${text}`
    : text;
}

export function sentence(rule, classes, label) {
  const code = Math.max(0, classes.indexOf(rule.label));
  const clauses = [];
  rule.clauses.forEach((text, index) => {
    if (index) clauses.push(h("span", { class: "word" }, " and "));
    clauses.push(h("span", { class: text.length <= 26 ? "clause whole" : "clause" }, text));
  });
  return h(
    "p",
    { class: "sentence" },
    h("span", { class: "word" }, rule.head === "always" ? "always " : `${rule.head} `),
    clauses,
    h("span", { class: "word" }, rule.clauses.length ? " then predict " : " predict "),
    h("span", { class: `verdict-label c${code % 6}` }, className(rule.label, classes, label)),
  );
}

export function record(rule, rows) {
  const share = rule.captured / Math.max(1, rows);
  const right = rule.captured ? rule.correct / rule.captured : 0;
  return h(
    "div",
    { class: "record" },
    h(
      "span",
      {
        class: "track",
        role: "img",
        "aria-label": `${percent(share)} of the rows, ${percent(right)} of them right`,
      },
      h("span", { class: "fill right", style: { width: `${100 * share * right}%` } }),
      h("span", { class: "fill wrong", style: { width: `${100 * share * (1 - right)}%` } }),
    ),
    h(
      "span",
      { class: "hint" },
      `captures ${plural(rule.captured, "row")} (${percent(share)}), ${count(rule.correct)} rightly · probability ${percent(rule.probability)}`,
    ),
  );
}

// While a search runs there are antecedents and labels only.
export function liveList(rules) {
  return h(
    "ol",
    { class: "rules live" },
    rules.map((rule, index) =>
      h(
        "li",
        { class: "rule" },
        h(
          "p",
          { class: "sentence" },
          h(
            "span",
            { class: "word" },
            rule.antecedent === null
              ? index
                ? "else predict "
                : "always predict "
              : index
                ? "else if "
                : "if ",
          ),
          rule.antecedent === null ? null : h("span", { class: "clause" }, rule.antecedent),
          rule.antecedent === null ? null : h("span", { class: "word" }, " then predict "),
          h("span", { class: "verdict-label" }, rule.label),
        ),
      ),
    ),
  );
}
