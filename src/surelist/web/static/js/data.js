// One data set: what is in it, what to predict, what to leave out.

import { get, post } from "./api.js";
import { tellsAnything, valuesText } from "./columns.js";
import { field, h, panel, replace, select, tableOf } from "./dom.js";
import { beside, inspected, open, overview } from "./findings.js";
import { labelPanel, readable, usualRelabel } from "./label.js";
import { badge, count, percent, plural, sentence, size } from "./format.js";
import { loadChoices, saveChoices } from "./setup_state.js";
import { complain, shell, steps, tell, trouble } from "./shell.js";

const main = shell("");
const id = location.pathname.split("/")[2];
const ROLES = [
  ["use", "Use"],
  ["protected", "Protected"],
  ["leave_out", "Leave out"],
];

let data;
let choices;
let findings = [];
let labels;

function save() {
  saveChoices(id, choices);
}

// Found by another process; until it answers, the page can be used without.
async function inspect() {
  const label = data.summary.own_labels ? null : choices.label;
  const asked = JSON.stringify([label, choices.relabel]);
  const warned = h("p", { class: "hint" }, "Looking for columns that give the label away…");
  replace(remarks, warned);
  try {
    const found = await inspected(id, label, choices.relabel);
    if (asked !== JSON.stringify([data.summary.own_labels ? null : choices.label, choices.relabel]))
      return;
    findings = found.findings;
    choices.classes = found.labels?.classes?.map((each) => each.value) ?? null;
    save();
    labels.show(found.labels);
  } catch (error) {
    findings = [];
    complain(error);
  }
  showColumns();
  showNext();
}

function setRole(name, role) {
  if (role === "use") delete choices.roles[name];
  else choices.roles[name] = role;
}

function follow(names, role) {
  for (const name of names) setRole(name, role);
  save();
  showColumns();
  showNext();
  table.focus();
}

function setAll(role) {
  for (const each of data.summary.columns) {
    if (each.name === choices.label || choices.roles[each.name] === "protected") continue;
    setRole(each.name, role);
  }
  save();
  showColumns();
  showNext();
}

const remarks = h("div", { "aria-live": "polite", id: "remarks" });
const table = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Columns" });

function showColumns() {
  replace(
    remarks,
    overview(findings, choices.roles, (names) => follow(names, "leave_out")),
  );
  replace(
    table,
    tableOf(
      { class: "columns" },
      ["Column", "Holds", "Missing", "Values", "In rules"],
      data.summary.columns.map(columnRow),
    ),
  );
}

function columnRow(column) {
  const isLabel = !data.summary.own_labels && column.name === choices.label;
  const role = choices.roles[column.name] ?? "use";
  let control;
  if (isLabel) control = h("span", { class: "badge good" }, "Label");
  else {
    control = select(ROLES, role, { "aria-label": `How to use ${column.name}` });
    control.addEventListener("change", () => {
      setRole(column.name, control.value);
      save();
      showColumns();
      showNext();
      controlOf(column.name)?.focus();
    });
    control.dataset.role = role;
  }
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      column.name,
      beside(
        isLabel ? [] : findings.filter((each) => each.column === column.name),
        role,
        (name, to) => {
          follow([name], to);
          controlOf(name)?.focus();
        },
      ),
    ),
    h("td", {}, column.kind),
    h(
      "td",
      { class: column.missing ? "n some" : "n" },
      column.missing
        ? `${count(column.missing)} (${percent(column.missing / data.summary.rows, 0)})`
        : "none",
    ),
    h("td", { class: "values" }, valuesText(column)),
    h("td", {}, control),
  );
}

// The table is rebuilt after each choice; the focus stays where it was.
function controlOf(name) {
  return [...table.querySelectorAll("select")].find(
    (each) => each.getAttribute("aria-label") === `How to use ${name}`,
  );
}

function preview() {
  const { summary } = data;
  const most = 30;
  return h(
    "details",
    { class: "panel" },
    h("summary", {}, h("h2", {}, "The first rows")),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "The first rows" },
      tableOf(
        { class: "cells" },
        summary.columns.slice(0, most).map((each) => each.name),
        summary.preview.map((row) =>
          h(
            "tr",
            {},
            row
              .slice(0, most)
              .map((cell) =>
                cell === null ? h("td", { class: "gone" }, "missing") : h("td", {}, cell),
              ),
          ),
        ),
      ),
    ),
    summary.columns.length > most
      ? h("p", { class: "hint" }, `and ${plural(summary.columns.length - most, "more column")}`)
      : null,
  );
}

function reading() {
  if (data.kind !== "table") return null;
  const input = h("input", {
    type: "text",
    id: "missing",
    value: (data.summary.missing_texts ?? []).join(", "),
    placeholder: "?, -99",
  });
  const form = h(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const missing = input.value
          .split(",")
          .map((text) => text.trim())
          .filter(Boolean);
        try {
          const runs = data.runs;
          data = { ...(await post(`/api/datasets/${id}/reading`, { missing })), runs };
          tell("Read anew.");
          show();
        } catch (error) {
          complain(error);
        }
      },
    },
    field(
      "More texts that stand for a missing value, with commas between them",
      input,
      "Empty fields, NA, N/A, NaN and null are missing anyway.",
    ),
    h("button", { type: "submit", class: "small" }, "Read the file again"),
  );
  return h(
    "details",
    { class: "panel" },
    h("summary", {}, h("h2", {}, "How the file is read")),
    form,
  );
}

const next = h("div", { class: "next" });

function showNext() {
  const labelled = data.summary.own_labels || (choices.label && readable(data, choices));
  const used = data.summary.columns.filter(
    (each) => each.name !== choices.label && !choices.roles[each.name],
  ).length;
  const ready = labelled && used > 0;
  const out = Object.values(choices.roles);
  const warned = open(findings, "warning", choices.roles).length;
  const protectedOnes = out.filter((role) => role === "protected").length;
  replace(
    next,
    h(
      "p",
      {},
      labelled
        ? used
          ? `${plural(used, "column")} for rules${protectedOnes ? `, ${protectedOnes} protected` : ""}.`
          : "No column is left for rules: use at least one."
        : "Choose the column to predict first.",
      warned && ready ? [" ", h("a", { href: "#remarks" }, `${plural(warned, "warning")}.`)] : null,
    ),
    h(
      "a",
      {
        class: "button primary",
        href: ready ? `/data/${id}/setup` : null,
        "aria-disabled": ready ? null : "true",
        id: "next",
      },
      "Set up the search",
    ),
  );
}

function pastRuns() {
  if (!data.runs?.length) return null;
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "Runs on these data"),
    h(
      "ul",
      { class: "cards" },
      data.runs.map((run) => {
        const [kind, text] = badge(run);
        return h(
          "li",
          { class: "card run-card" },
          h("a", { class: "title grow", href: `/runs/${run.id}` }, run.name),
          h("span", { class: `badge ${kind}` }, text),
        );
      }),
    ),
  );
}

function show() {
  const { summary } = data;
  document.title = `${data.name} · Surelist`;
  labels = labelPanel(data, choices, () => {
    save();
    showColumns();
    showNext();
    inspect();
  });
  showColumns();
  showNext();
  replace(
    main,
    h("a", { class: "skip", href: "#next" }, "Skip to “Set up the search”"),
    steps(0, { "Set up": choices.label || summary.own_labels ? `/data/${id}/setup` : null }),
    h("h1", {}, data.name),
    h(
      "p",
      { class: "lead" },
      `${plural(summary.rows, "row")}, ${plural(summary.columns.length, "column")}, ${size(data.bytes)}. `,
      h("a", { href: `/api/datasets/${id}/file`, download: true }, "Download the file"),
    ),
    summary.notes.map((note) => h("p", { class: "warning" }, sentence(note))),
    labels.panel,
    panel(
      null,
      "Columns",
      "Mark attributes such as race or sex as protected: no rule will ask about them, and you can compare error rates between their groups afterwards. Leave out identifiers and what is only known afterwards.",
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "small", onclick: () => setAll("use") }, "Use all"),
        h(
          "button",
          { type: "button", class: "small", onclick: () => setAll("leave_out") },
          "Leave all out",
        ),
      ),
      remarks,
      table,
    ),
    preview(),
    reading(),
    pastRuns(),
    next,
  );
}

try {
  data = await get(`/api/datasets/${id}`);
  choices = loadChoices(id);
  if (!choices.roles) {
    const suggested = data.summary.columns.find(
      (each) => each.name === data.summary.suggested_label,
    );
    choices = { label: suggested?.name ?? null, roles: {}, relabel: usualRelabel(suggested) };
    for (const each of data.summary.columns) {
      if (each.name === choices.label) continue;
      if (each.looks_protected) choices.roles[each.name] = "protected";
      else if (!tellsAnything(each, data.summary.rows)) choices.roles[each.name] = "leave_out";
    }
    save();
  }
  show();
  await inspect();
} catch (error) {
  trouble(main, error);
}
