// What to predict: a column, and how its values become classes.

import { field, h, replace, select } from "./dom.js";
import { count, percent, plural } from "./format.js";

const MOST_CLASSES = 100;
const MOST_MERGED = 20;
const NUMBERS = ["number", "whole number"];

const columnOf = (data, choices) =>
  data.summary.columns.find((each) => each.name === choices.label);

// How a column becomes classes unless the user says otherwise: rows without a label are left out.
export function usualRelabel(column) {
  return { cut: null, merge: {}, skip_missing: Boolean(column?.missing) };
}

// Why a column cannot be classes as it is; null where it can.
export function objection(column, relabel) {
  if (!column || (relabel?.cut ?? null) !== null) return null;
  if (column.distinct < 2) return `${column.name} has one value only: there is nothing to tell.`;
  if (column.distinct <= MOST_CLASSES) return null;
  const many = `${column.name} has ${count(column.distinct)} different values, and a rule list predicts at most ${MOST_CLASSES} classes.`;
  return NUMBERS.includes(column.kind)
    ? `${many} Cut it at a number: the classes are then below it, and from it on.`
    : `${many} Choose another column, or add one to the file that puts these values into groups.`;
}

export function readable(data, choices) {
  return objection(columnOf(data, choices), choices.relabel ?? { cut: null }) === null;
}

function classBar(values, total) {
  return h(
    "ul",
    { class: "classbar" },
    values.slice(0, 12).map((each, index) =>
      h(
        "li",
        {},
        h("span", { class: "name" }, each.value),
        h(
          "span",
          { class: "track" },
          h("span", {
            class: `fill c${index % 6}`,
            style: { width: `${(100 * each.count) / total}%` },
          }),
        ),
        h("span", { class: "n" }, `${count(each.count)} · ${percent(each.count / total)}`),
      ),
    ),
  );
}

// Returns the panel, and how to show the classes once they are counted.
export function labelPanel(data, choices, changed) {
  const { summary } = data;
  const panel = h("section", { class: "panel" }, h("h2", {}, "What to predict"));
  if (summary.own_labels) {
    const total = summary.own_labels.reduce((sum, each) => sum + each.count, 0);
    panel.append(
      h("p", {}, "The labels came in a file of their own."),
      classBar(summary.own_labels, total),
    );
    return { panel, show: () => {} };
  }
  const how = h("div", { id: "relabel" });
  const bars = h("div", { id: "classes", "aria-live": "polite" });
  const control = select(
    [["", "Choose a column…"], ...summary.columns.map((each) => [each.name, each.name])],
    choices.label ?? "",
    { id: "label" },
  );
  const set = (part) => {
    choices.relabel = { ...choices.relabel, ...part };
    changed();
  };
  control.addEventListener("change", () => {
    choices.label = control.value || null;
    choices.relabel = usualRelabel(columnOf(data, choices));
    ask();
    changed();
  });

  function ask() {
    const column = columnOf(data, choices);
    replace(bars);
    replace(how, column ? [objectionLine(column), cutField(column, set), merging(column, set)] : null);
  }
  function objectionLine(column) {
    const text = objection(column, choices.relabel ?? usualRelabel(column));
    return text ? h("p", { class: "warning", id: "objection" }, text) : null;
  }
  function cutField(column, tell) {
    if (!NUMBERS.includes(column.kind) || column.distinct <= 2) return null;
    const input = h("input", {
      type: "number",
      step: "any",
      id: "label-cut",
      value: choices.relabel?.cut ?? "",
      placeholder: column.middle ?? "",
    });
    input.addEventListener("change", () => {
      const cut = input.value === "" ? null : Number(input.value);
      tell({ cut, merge: {} });
      ask();
      document.getElementById("label-cut")?.focus();
    });
    return field(
      "Cut at",
      input,
      `Two classes: below this number, and from it on. ${column.low} to ${column.high}${column.middle === undefined ? "" : `, half of them below ${column.middle}`}. Empty: each value is a class.`,
    );
  }
  function merging(column, tell) {
    const values = column.values;
    if ((choices.relabel?.cut ?? null) !== null || values.length < 3 || column.distinct > MOST_MERGED)
      return null;
    const named = choices.relabel?.merge ?? {};
    return h(
      "details",
      { open: Object.keys(named).length > 0 },
      h("summary", {}, "Merge classes"),
      h("p", { class: "hint" }, "Classes with the same name are one class."),
      h(
        "div",
        { class: "fields" },
        values.map((each) => {
          const input = h("input", { type: "text", value: named[each.value] ?? each.value });
          input.addEventListener("change", () => {
            const merge = { ...choices.relabel?.merge };
            if (input.value.trim() && input.value.trim() !== each.value)
              merge[each.value] = input.value.trim();
            else delete merge[each.value];
            tell({ merge });
          });
          return field(`Predict ${each.value} as`, input);
        }),
      ),
    );
  }
  function show(found) {
    if (!found || found.error)
      return replace(bars, found ? h("p", { class: "warning" }, found.error) : null);
    return replace(
      bars,
      found.left_out
        ? h(
            "p",
            { class: "hint", id: "left-out" },
            `${plural(found.left_out, "row without a label is", "rows without a label are")} left out; ${plural(found.rows, "row")} remain.`,
          )
        : null,
      found.n_classes <= MOST_CLASSES ? classBar(found.classes, Math.max(1, found.rows)) : null,
    );
  }
  ask();
  panel.append(
    field("Label column", control, "Each of its values is a class. Rules predict one of them."),
    how,
    bars,
  );
  return { panel, show };
}
