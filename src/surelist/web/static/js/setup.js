// How to search: conditions, the price of a rule, mistakes, limits; and how large that would be.

import { get, post } from "./api.js";
import { debounce, field, h, replace, select } from "./dom.js";
import { count, plural } from "./format.js";
import { histogram } from "./histogram.js";
import { loadChoices, saveChoices } from "./setup_state.js";
import { complain, shell, steps, trouble } from "./shell.js";

const main = shell("");
const id = location.pathname.split("/")[2];

let data;
let options;
let choices;
let settings;
let asked = null;

const LAMBDAS = ["0.0005", "0.001", "0.0015", "0.002", "0.0025", "0.003", "0.004", "0.005", "0.0075", "0.01", "0.0125", "0.015", "0.02", "0.025", "0.03", "0.04", "0.05", "0.075", "0.1", "0.15", "0.2"];

function current() {
  return { ...settings, label: data.summary.own_labels ? null : choices.label, roles: choices.roles };
}

function changed(part) {
  Object.assign(settings, part);
  choices.settings = settings;
  saveChoices(id, choices);
  refresh();
}

const size = h("dl", { class: "facts", "aria-live": "polite" });
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
  replace(size, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))), sizeWords(problem));
}

function sizeWords(problem) {
  const n = problem.antecedents;
  let text = "Small: usually certified in seconds.";
  if (n === 0) text = "No antecedent captures enough rows: lower λ or use more columns.";
  else if (n > 3000) text = "Large: this may take long to certify. A limit still gives the best list found, and its gap.";
  else if (n > 600) text = "Middling: seconds to minutes.";
  return h("p", { class: "hint" }, text);
}

let drawn = "";

function showColumns(found) {
  replace(columnsNote, `${plural(found.conditions, "condition")}; ${found.conditions_kept < found.conditions ? `the ${found.conditions_kept} that tell most are kept (more under Advanced)` : "all are kept"}.`);
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
    idle.length ? h("details", { open }, h("summary", {}, `${plural(idle.length, "column")} of which no condition is kept`), h("div", { class: "column-cards" }, idle.map(columnCard))) : null,
  );
  if (focused) [...columnsBox.querySelectorAll("[aria-label]")].find((each) => each.getAttribute("aria-label") === focused)?.focus();
}

function columnCard(column) {
  const own = settings.columns[column.name];
  const parts = [
    h("div", { class: "row" }, h("h3", {}, column.name), h("span", { class: "hint" }, column.n_kept ? plural(column.n_kept, "condition") : "not used")),
  ];
  if (column.histogram && own !== "category") {
    parts.push(
      histogram(column, Array.isArray(own) ? own : column.cuts, (cuts) => {
        drawn = "";
        changed({ columns: { ...settings.columns, [column.name]: cuts } });
      }),
    );
    if (own) parts.push(h("button", { type: "button", class: "quiet small", onclick: () => reset(column.name) }, "Cuts found by the labels again"));
  } else {
    parts.push(h("p", { class: "conditions" }, column.conditions.map((text) => h("span", { class: "chip" }, text)), column.n_conditions > column.conditions.length ? ` and ${column.n_conditions - column.conditions.length} more` : null));
    if (own === "category") parts.push(h("button", { type: "button", class: "quiet small", onclick: () => reset(column.name) }, "Take as numbers again"));
  }
  return h("article", { class: "column-card" }, parts);
}

function reset(name) {
  const { [name]: _, ...rest } = settings.columns;
  drawn = "";
  changed({ columns: rest });
}

// The price of a rule.

function lambdaSection() {
  const words = h("p", { class: "lambda-words", id: "lambda-words" });
  const nearest = (value) => LAMBDAS.reduce((best, each, index) => (Math.abs(Math.log(each / value)) < Math.abs(Math.log(LAMBDAS[best] / value)) ? index : best), 0);
  const slider = h("input", { type: "range", id: "lambda", min: 0, max: LAMBDAS.length - 1, step: 1, value: nearest(Number(settings.regularization) || 0.01), "aria-describedby": "lambda-words" });
  const exact = h("input", { type: "text", id: "lambda-exact", inputmode: "decimal", value: settings.regularization, size: 10 });
  const say = () => {
    const share = Number(settings.regularization);
    const rows = Math.max(1, Math.ceil(share * data.summary.rows));
    slider.setAttribute("aria-valuetext", `λ = ${settings.regularization}`);
    replace(words, "Each rule must pay for itself with ", h("strong", {}, `${Number((100 * share).toPrecision(3))} % of the rows`), `: it has to get at least ${count(rows)} more of your ${count(data.summary.rows)} rows right. `, share >= 0.03 ? "Few rules, quickly proven." : share < 0.004 ? "Longer lists; proving them can take long." : "A good place to begin.");
  };
  slider.addEventListener("input", () => {
    exact.value = LAMBDAS[slider.value];
    settings.regularization = exact.value;
    say();
  });
  slider.addEventListener("change", () => changed({ regularization: exact.value }));
  exact.addEventListener("change", () => {
    const text = exact.value.trim().replace(",", ".");
    if (!/^0?\.\d{1,12}$/.test(text)) {
      exact.setAttribute("aria-invalid", "true");
      return complain(new Error("λ must be a number between 0 and 1, such as 0.01"));
    }
    exact.removeAttribute("aria-invalid");
    slider.value = nearest(Number(text));
    changed({ regularization: text });
    say();
  });
  say();
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "The price of a rule"),
    words,
    h("div", { class: "slider" }, h("span", { "aria-hidden": "true" }, "more rules"), h("label", { class: "visually-hidden", for: "lambda" }, "λ, the price of a rule"), slider, h("span", { "aria-hidden": "true" }, "fewer rules")),
    h("div", { class: "row" }, h("label", { for: "lambda-exact" }, "λ exactly"), exact),
  );
}

function numberInput(name, attributes, empty = null) {
  const input = h("input", { type: "number", value: settings[name] ?? "", ...attributes });
  input.addEventListener("change", () => {
    if (!input.reportValidity()) return;
    changed({ [name]: input.value === "" ? empty : Number(input.value) });
  });
  return input;
}

function conditionsSection() {
  const clauses = select([[1, "1: age < 25"], [2, "2: age < 25 and priors > 3"], [3, "3"]], settings.max_clauses, { id: "max_clauses" });
  clauses.addEventListener("change", () => changed({ max_clauses: Number(clauses.value) }));
  const negations = checkbox("negations", "Also ask for the opposite: not sex = Male");
  const strategy = select([["auto", "Where the labels change"], ["quantile", "Into parts of as many rows"], ["uniform", "Into parts of equal width"]], settings.strategy, { id: "strategy" });
  strategy.addEventListener("change", () => changed({ strategy: strategy.value }));
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "What rules may ask"),
    h(
      "div",
      { class: "fields" },
      field("Clauses in one rule, at most", clauses),
      field("Where to cut numbers", strategy),
      field("Cuts per column, at most", numberInput("n_cuts", { min: 0, max: 20, required: true, id: "n_cuts" })),
    ),
    negations,
    h("h3", { class: "sub" }, "Columns and their cuts"),
    h("p", { class: "hint" }, "Drag a cut, move it with the arrow keys, or type it. Colours are classes."),
    columnsNote,
    columnsBox,
  );
}

function checkbox(name, text) {
  const box = h("input", { type: "checkbox", id: name, checked: settings[name] });
  box.addEventListener("change", () => changed({ [name]: box.checked }));
  return h("div", { class: "check" }, box, h("label", { for: name }, text));
}

// Mistakes.

function mistakesSection() {
  const weights = h("div", { class: "fields" });
  const kind = settings.class_weight === null ? "none" : settings.class_weight === "balanced" ? "balanced" : "own";
  const control = select([["none", "Every row counts the same"], ["balanced", "Every class counts the same"], ["own", "Weights of my own"]], kind, { id: "class_weight" });
  const showWeights = () => {
    if (control.value !== "own") return replace(weights);
    const own = settings.class_weight;
    return replace(
      weights,
      classes().map((label) => {
        const input = h("input", { type: "number", min: 0.001, step: "any", value: own[label] ?? 1, required: true });
        input.addEventListener("change", () => {
          if (input.reportValidity()) changed({ class_weight: { ...settings.class_weight, [label]: Number(input.value) } });
        });
        return field(`Weight of ${label}`, input);
      }),
    );
  };
  control.addEventListener("change", () => {
    if (control.value === "own") changed({ class_weight: Object.fromEntries(classes().map((label) => [label, 1])) });
    else changed({ class_weight: control.value === "balanced" ? "balanced" : null });
    showWeights();
  });
  showWeights();
  return h("section", { class: "panel" }, h("h2", {}, "What mistakes weigh"), field("Class weights", control, "A class that weighs more is mistaken less often."), weights);
}

function classes() {
  const values = data.summary.own_labels ?? data.summary.columns.find((each) => each.name === choices.label)?.values ?? [];
  return values.map((each) => each.value).sort();
}

// Limits, testing, advanced.

function limitsSection() {
  const times = select([[10, "10 seconds"], [60, "1 minute"], [600, "10 minutes"], [3600, "1 hour"], [28800, "8 hours"], ["", "No limit"]], settings.time_limit ?? "", { id: "time_limit" });
  times.addEventListener("change", () => changed({ time_limit: times.value === "" ? null : Number(times.value) }));
  const held = select([[0, "No"], [0.1, "On 10 % of the rows"], [0.2, "On 20 % of the rows"], [0.3, "On 30 % of the rows"]], settings.held_out, { id: "held_out" });
  held.addEventListener("change", () => changed({ held_out: Number(held.value) }));
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "Limits and testing"),
    h(
      "div",
      { class: "fields" },
      field("Time", times, "When it is over you get the best list found, and how far from optimal it may be."),
      field("Memory in MB", numberInput("memory_limit_mb", { min: 16, max: options.memory_mb, placeholder: options.memory_mb, id: "memory" }), "The search goes on within it, more slowly."),
      field("Test on rows not learned from", held, "The list, and its proof, are about all rows. For the test, a second search learns from the others."),
    ),
  );
}

function advancedSection() {
  const bounds = new Set(settings.bounds ?? options.bounds);
  const boxes = options.bounds.map((name) => {
    const box = h("input", { type: "checkbox", id: `bound-${name}`, checked: bounds.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) bounds.add(name);
      else bounds.delete(name);
      changed({ bounds: bounds.size === options.bounds.length ? null : [...bounds] });
    });
    return h("div", { class: "check" }, box, h("label", { for: `bound-${name}` }, name.replaceAll("_", " ")));
  });
  const choice = (name, values, text) => {
    const control = select(values.map((each) => [each, each.replaceAll("_", " ")]), settings[name], { id: name });
    control.addEventListener("change", () => changed({ [name]: control.value }));
    return field(text, control);
  };
  return h(
    "details",
    { class: "panel" },
    h("summary", {}, h("h2", {}, "Advanced")),
    h(
      "div",
      { class: "fields" },
      choice("policy", options.policies, "Order of the queue"),
      choice("symmetry", options.symmetries, "Symmetry map"),
      field("Threads", numberInput("n_jobs", { min: 1, max: Math.max(options.processors, 1), required: true, id: "n_jobs" })),
      field("Longest rule list", numberInput("max_length", { min: 0, max: 100, placeholder: "any", id: "max_length" })),
      field("Conditions to keep, at most", numberInput("max_features", { min: 1, max: 2000, required: true, id: "max_features" })),
    ),
    h("fieldset", {}, h("legend", {}, "Bounds in use (the optimum does not depend on them; the time does)"), h("div", { class: "boxes" }, boxes)),
  );
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
  const name = h("input", { type: "text", id: "run-name", maxlength: 200, placeholder: `${choices.label ?? data.name}, λ = …` });
  const button = h("button", { type: "button", class: "primary wide", id: "start" }, "Start the search");
  button.addEventListener("click", () => start(button));
  return h("aside", { class: "side", "aria-label": "Before you start" }, h("div", { class: "panel" }, h("h2", {}, "The search"), size, field("Name of the run (optional)", name), button));
}

const DEFAULTS = {
  regularization: "0.01",
  max_clauses: 2,
  negations: false,
  strategy: "auto",
  n_cuts: 3,
  max_features: 40,
  columns: {},
  class_weight: null,
  min_support: null,
  max_length: null,
  time_limit: 600,
  memory_limit_mb: null,
  policy: "lower_bound",
  symmetry: "captured",
  bounds: null,
  n_jobs: 1,
  held_out: 0.2,
};

try {
  [data, options] = await Promise.all([get(`/api/datasets/${id}`), get("/api/options")]);
  choices = loadChoices(id);
  if (!data.summary.own_labels && !choices.label) location.replace(`/data/${id}`);
  choices.roles ??= {};
  settings = { ...DEFAULTS, ...(data.kind === "corels" ? { max_clauses: 1 } : {}), ...(choices.settings ?? {}) };
  const known = new Set(data.summary.columns.map((each) => each.name));
  settings.columns = Object.fromEntries(Object.entries(settings.columns).filter(([name]) => known.has(name) && name !== choices.label));
  if (typeof settings.class_weight === "object" && settings.class_weight && !classes().every((each) => each in settings.class_weight)) settings.class_weight = null;
  document.title = `Set up ${data.name} · Surelist`;
  replace(size, h("p", { class: "hint" }, "Counting…"));
  replace(
    main,
    steps(1, { Data: `/data/${id}` }),
    h("h1", {}, "Set up the search"),
    h("p", { class: "lead" }, data.summary.own_labels ? `Learning from ${data.name}.` : h("span", {}, "Predicting ", h("strong", {}, choices.label), ` from ${data.name}.`)),
    h("div", { class: "with-side" }, h("div", {}, lambdaSection(), conditionsSection(), mistakesSection(), limitsSection(), advancedSection()), side()),
  );
  refresh();
} catch (error) {
  trouble(main, error);
}
