// One person: a form made from the columns, and the rule that fires.

import { post } from "./api.js";
import { field, h, panel, replace, select } from "./dom.js";
import { percent, plural, short } from "./format.js";
import { unusual } from "./range.js";
import { className } from "./rules.js";

// The least or the largest value in training: a number, or a date as it is.
const edge = (value) => (Number.isFinite(Number(value)) ? short(value) : value);

export function person(run) {
  const { result } = run;
  const answer = h("div", { id: "person-answer", role: "status" });
  const inputs = new Map();
  const control = (about) => {
    let input;
    if (about.kind === "yes/no")
      input = select(
        [["", "missing"], ...about.values.map((each) => each.value).sort()],
        about.values[0]?.value,
      );
    else if (about.kind === "number" || about.kind === "whole number")
      input = h("input", { type: "number", step: "any", value: about.middle ?? "" });
    else if (about.kind === "date") input = h("input", { type: "date", value: about.low ?? "" });
    else if (about.values.length && about.distinct <= about.values.length)
      input = select(
        [["", "missing"], ...about.values.map((each) => each.value)],
        about.values[0]?.value,
      );
    else input = h("input", { type: "text", value: about.values[0]?.value ?? about.low ?? "" });
    input.name = about.name;
    inputs.set(about.name, input);
    const flag = h("p", { class: "unusual", "aria-live": "polite" });
    input.addEventListener("input", () => replace(flag, unusual(about, input.value)));
    const hint =
      about.low === undefined
        ? null
        : `${edge(about.low)} to ${edge(about.high)} in the data`;
    const made = field(about.name, input, hint);
    made.append(flag);
    return made;
  };
  const used = result.form.filter((each) => each.used);
  const others = result.form.filter((each) => !each.used);
  async function ask() {
    const values = Object.fromEntries(
      [...inputs].map(([name, input]) => [name, input.value === "" ? null : input.value]),
    );
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
      h(
        "p",
        { class: "answer" },
        "Predicted ",
        h(
          "span",
          { class: `verdict-label c${Math.max(0, code) % 6}` },
          className(found.label, result.classes, result.label),
        ),
        ` with probability ${percent(found.probabilities[found.label])}`,
      ),
      h(
        "ol",
        { class: "walk" },
        found.steps.map((step) =>
          h(
            "li",
            { class: step.fires ? "fires" : null },
            result.rules[step.rule].clauses.map((text, index) =>
              h(
                "span",
                { class: step.clauses[index] ? "holds" : "fails" },
                step.clauses[index] ? "✓ " : "✗ ",
                text,
              ),
            ),
            h("span", { class: "hint" }, step.fires ? "this rule fires" : "does not apply"),
          ),
        ),
        found.rule === result.rules.length - 1
          ? h(
              "li",
              { class: "fires" },
              h("span", { class: "holds" }, rule.clauses.length ? "" : "no other rule applies"),
              h("span", { class: "hint" }, "the default decides"),
            )
          : null,
      ),
    );
  }
  const form = h(
    "form",
    { id: "person", onsubmit: (event) => event.preventDefault(), oninput: () => later() },
    h("div", { class: "fields" }, used.map(control)),
    used.length === 0
      ? h("p", { class: "hint" }, "This list asks nothing: it predicts the same for everyone.")
      : null,
    others.length
      ? h(
          "details",
          {},
          h(
            "summary",
            {},
            `${plural(others.length, "other column")}, which these rules do not ask about`,
          ),
          h("div", { class: "fields" }, others.map(control)),
        )
      : null,
  );
  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 150);
  };
  queueMicrotask(ask);
  return panel(
    "try",
    "Try one person",
    "Fill in a row and see which rule decides.",
    h("div", { class: "two even" }, form, answer),
  );
}
