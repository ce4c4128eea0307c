// How to search: conditions, the price of a rule, mistakes, limits; and how large that would be.

import { trialWords } from "./advice.js";
import { get, post } from "./api.js";
import { debounce, field, h, replace } from "./dom.js";
import { count, plural, sizeWords } from "./format.js";
import { histogram } from "./histogram.js";
import {
  advancedSection,
  conditionsSection,
  lambdaSection,
  limitsSection,
  mistakesSection,
} from "./setup_sections.js";
import { loadChoices, saveChoices, settingsFor } from "./setup_state.js";
import { complain, shell, steps, trouble } from "./shell.js";

const main = shell("");
const id = location.pathname.split("/")[2];

let data;
let options;
let choices;
let settings;
let asked = null;

function current() {
  return {
    ...settings,
    label: data.summary.own_labels ? null : choices.label,
    relabel: (data.summary.own_labels ? null : choices.relabel) ?? {},
    roles: choices.roles,
  };
}

function changed(part) {
  Object.assign(settings, part);
  choices.settings = settings;
  saveChoices(id, choices);
  refresh();
}

const size = h("div", { class: "size", "aria-live": "polite" });
const columnsBox = h("div", {});
const columnsNote = h("p", { class: "hint" });

const refresh = debounce(async () => {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  size.setAttribute("aria-busy", "true");
  try {
    const body = current();
    const columns = await post(`/api/datasets/${id}/columns`, body, signal);
    showColumns(columns);
    const problem = await post(`/api/datasets/${id}/problem`, body, signal);
    showSize(problem, columns);
    await tryIt(body, signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    replace(size, h("div", { class: "warning" }, error.message));
  }
  size.removeAttribute("aria-busy");
}, 250);

function showSize(problem, columns) {
  const facts = [
    ["Rows", count(problem.rows)],
    ["Classes", columns.classes.map((each) => each.label).join(", ")],
    ["Conditions", count(problem.features)],
    ["Antecedents", count(problem.antecedents)],
    ["Groups of equal rows", count(problem.groups)],
  ];
  replace(
    size,
    h(
      "dl",
      { class: "facts" },
      facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
    h("p", { class: "hint", id: "outlook" }, sizeWords(problem.antecedents)),
  );
}

// A trial of a second tells more of a search than its size does.
async function tryIt(body, signal) {
  const words = document.getElementById("outlook");
  if (words.textContent) return;
  replace(words, "Trying it for a second…");
  const found = await post(`/api/datasets/${id}/trial`, body, signal);
  replace(words, trialWords(found));
}

let drawn = "";

function showColumns(found) {
  replace(
    columnsNote,
    `${plural(found.conditions, "condition")}; ${found.conditions_kept < found.conditions ? `the ${found.conditions_kept} most informative are kept (more under Advanced)` : "all are kept"}.`,
  );
  // Cards are redrawn only where something else than the user's own dragging changed them.
  const shape = JSON.stringify(found.columns.map((each) => [each.name, each.cuts, each.n_kept]));
  if (shape === drawn) return;
  drawn = shape;
  const focused = document.activeElement?.getAttribute("aria-label");
  const open = columnsBox.querySelector("details")?.open;
  const idle = found.columns.filter((each) => each.n_kept === 0 && !settings.columns[each.name]);
  const busy = found.columns.filter((each) => !idle.includes(each));
  replace(
    columnsBox,
    h("div", { class: "column-cards" }, busy.map(columnCard)),
    idle.length
      ? h(
          "details",
          { open },
          h("summary", {}, `${plural(idle.length, "column")} of which no condition is kept`),
          h("div", { class: "column-cards" }, idle.map(columnCard)),
        )
      : null,
  );
  if (focused)
    [...columnsBox.querySelectorAll("[aria-label]")]
      .find((each) => each.getAttribute("aria-label") === focused)
      ?.focus();
}

// Of many values the most informative are kept; the card shows some of them.
function moreConditions({ conditions, n_conditions: all, n_kept: kept }) {
  const hidden = (kept || all) - conditions.length;
  const left = kept ? all - kept : 0;
  const texts = [hidden ? `${hidden} more` : null, left ? `${left} that tell less are not used` : null];
  return texts.some(Boolean) ? h("span", { class: "hint" }, texts.filter(Boolean).join("; ")) : null;
}

function columnCard(column) {
  const own = settings.columns[column.name];
  const parts = [
    h(
      "div",
      { class: "row" },
      h("h3", {}, column.name),
      h("span", { class: "hint" }, column.n_kept ? plural(column.n_kept, "condition") : "not used"),
    ),
  ];
  if (column.everywhere) {
    parts.push(
      h("p", { class: "conditions" }, `Every place between two values is a possible cut.`),
      own === "all" ? resetButton(column, "Cuts found by the labels again") : null,
    );
  } else if (column.histogram && own !== "category") {
    parts.push(
      histogram(column, Array.isArray(own) ? own : column.cuts, (cuts) => {
        choose(column.name, cuts);
      }),
    );
    parts.push(
      own
        ? resetButton(column, "Cuts found by the labels again")
        : quiet("Cut it everywhere", () => choose(column.name, "all")),
    );
  } else {
    parts.push(
      h(
        "p",
        { class: "conditions" },
        column.conditions.map((text) => h("span", { class: "chip" }, text)),
        moreConditions(column),
      ),
    );
    if (own === "category") parts.push(resetButton(column, "Take as numbers again"));
  }
  return h("article", { class: "column-card" }, parts);
}

const quiet = (text, onclick) =>
  h("button", { type: "button", class: "quiet small", onclick }, text);
const resetButton = (column, text) => quiet(text, () => reset(column.name));

function choose(name, how) {
  drawn = "";
  changed({ columns: { ...settings.columns, [name]: how } });
}

function reset(name) {
  const { [name]: _, ...rest } = settings.columns;
  drawn = "";
  changed({ columns: rest });
}

async function start(button) {
  button.disabled = true;
  try {
    const name = document.getElementById("run-name").value.trim();
    const run = await post("/api/runs", { dataset: id, name, settings: current() });
    location.assign(`/runs/${run.id}`);
  } catch (error) {
    complain(error);
    button.disabled = false;
  }
}

function side() {
  const name = h("input", {
    type: "text",
    id: "run-name",
    maxlength: 200,
    placeholder: `${choices.label ?? data.name}, λ = …`,
  });
  const button = h(
    "button",
    { type: "button", class: "primary wide", id: "start" },
    "Start the search",
  );
  button.addEventListener("click", () => start(button));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !button.disabled) start(button);
  });
  return h(
    "aside",
    { class: "side", "aria-label": "Before you start" },
    h(
      "div",
      { class: "panel" },
      h("h2", {}, "The search"),
      size,
      field("Name of the run (optional)", name),
      h("div", { class: "startbar" }, button),
      h("p", { class: "hint keys" }, "Ctrl+Enter starts it from anywhere."),
    ),
  );
}

try {
  [data, options] = await Promise.all([get(`/api/datasets/${id}`), get("/api/options")]);
  choices = loadChoices(id);
  if (!data.summary.own_labels && !choices.label) location.replace(`/data/${id}`);
  choices.roles ??= {};
  settings = settingsFor(data, choices);
  const state = { settings, data, options, choices, changed, columnsNote, columnsBox };
  document.title = `Set up ${data.name} · Surelist`;
  replace(size, h("p", { class: "hint" }, "Counting…"));
  replace(
    main,
    h("a", { class: "skip", href: "#start" }, "Skip to “Start the search”"),
    steps(1, { Data: `/data/${id}` }),
    h("h1", {}, "Set up the search"),
    h(
      "p",
      { class: "lead" },
      data.summary.own_labels
        ? `Learning from ${data.name}.`
        : h("span", {}, "Predicting ", h("strong", {}, choices.label), ` from ${data.name}.`),
    ),
    h(
      "div",
      { class: "with-side" },
      h(
        "div",
        {},
        lambdaSection(state),
        conditionsSection(state),
        mistakesSection(state),
        limitsSection(state),
        advancedSection(state),
      ),
      side(),
    ),
  );
  refresh();
} catch (error) {
  trouble(main, error);
}
