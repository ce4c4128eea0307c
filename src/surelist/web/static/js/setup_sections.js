// The parts of the set-up page, but for the columns.

import { field, h, replace, select } from "./dom.js";
import { count, plural } from "./format.js";
import { LAMBDAS, lambdaAdvice, nearestLambda, rowsToPay, typedLambda } from "./lambda.js";
import { classes } from "./setup_state.js";
import { complain } from "./shell.js";

export function lambdaSection(state) {
  const { settings, data, changed } = state;
  const words = h("p", { class: "lambda-words", id: "lambda-words" });
  const slider = h("input", {
    type: "range",
    id: "lambda",
    min: 0,
    max: LAMBDAS.length - 1,
    step: 1,
    value: nearestLambda(Number(settings.regularization) || 0.01),
    "aria-describedby": "lambda-words",
  });
  const exact = h("input", {
    type: "text",
    id: "lambda-exact",
    inputmode: "decimal",
    value: settings.regularization,
    size: 10,
  });
  const say = () => {
    const share = Number(settings.regularization);
    const rows = rowsToPay(share, data.summary.rows);
    slider.setAttribute("aria-valuetext", `λ = ${settings.regularization}`);
    replace(
      words,
      "Each rule must pay for itself with ",
      h("strong", {}, `${Number((100 * share).toPrecision(3))} % of the rows`),
      `: it has to get at least ${count(rows)} more of your ${plural(data.summary.rows, "row")} right. `,
      lambdaAdvice(share),
    );
  };
  slider.addEventListener("input", () => {
    exact.value = LAMBDAS[slider.value];
    settings.regularization = exact.value;
    say();
  });
  slider.addEventListener("change", () => changed({ regularization: exact.value }));
  exact.addEventListener("change", () => {
    const text = typedLambda(exact.value);
    if (text === null) {
      exact.setAttribute("aria-invalid", "true");
      return complain(new Error("λ must be a number between 0 and 1, such as 0.01"));
    }
    exact.removeAttribute("aria-invalid");
    slider.value = nearestLambda(Number(text));
    changed({ regularization: text });
    say();
  });
  say();
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "The price of a rule"),
    words,
    h(
      "div",
      { class: "slider" },
      h("span", { "aria-hidden": "true" }, "more rules"),
      h("label", { class: "visually-hidden", for: "lambda" }, "λ, the price of a rule"),
      slider,
      h("span", { "aria-hidden": "true" }, "fewer rules"),
    ),
    h("div", { class: "row" }, h("label", { for: "lambda-exact" }, "λ exactly"), exact),
  );
}

function numberInput(state, name, attributes, empty = null) {
  const { settings, changed } = state;
  const input = h("input", { type: "number", value: settings[name] ?? "", ...attributes });
  input.addEventListener("change", () => {
    if (!input.reportValidity()) return;
    changed({ [name]: input.value === "" ? empty : Number(input.value) });
  });
  return input;
}

export function conditionsSection(state) {
  const { settings, changed, columnsNote, columnsBox } = state;
  const clauses = select(
    [
      [1, "1: age < 25"],
      [2, "2: age < 25 and priors > 3"],
      [3, "3"],
    ],
    settings.max_clauses,
    { id: "max_clauses" },
  );
  clauses.addEventListener("change", () => changed({ max_clauses: Number(clauses.value) }));
  const negations = checkbox(state, "negations", "Also ask for the opposite: not sex = Male");
  const strategy = select(
    [
      ["auto", "Where the labels change"],
      ["quantile", "Into parts of as many rows"],
      ["uniform", "Into parts of equal width"],
      ["all", "Wherever two values differ"],
    ],
    settings.n_cuts === "all" ? "all" : settings.strategy,
    { id: "strategy" },
  );
  const most = field(
    "Cuts per column, at most",
    numberInput(state, "n_cuts", {
      min: 0,
      max: 20,
      required: true,
      id: "n_cuts",
      ...(settings.n_cuts === "all" ? { value: 3 } : {}),
    }),
  );
  const everywhere = h(
    "p",
    { class: "hint" },
    "Every place between two values is a possible cut. Lists of one rule are proven, then of two, and so on, as far as the time allows. This works with one or two clauses in a rule; with three, or with opposites, only for small tables.",
  );
  const show = () => {
    most.hidden = settings.n_cuts === "all";
    everywhere.hidden = !most.hidden;
  };
  show();
  strategy.addEventListener("change", () => {
    if (strategy.value === "all") changed({ strategy: "auto", n_cuts: "all" });
    else {
      const n = settings.n_cuts === "all" ? Number(most.querySelector("input").value) : settings.n_cuts;
      changed({ strategy: strategy.value, n_cuts: n });
    }
    show();
  });
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "What rules may ask"),
    h(
      "div",
      { class: "fields" },
      field("Clauses in one rule, at most", clauses),
      field("Where to cut numbers", strategy),
      most,
    ),
    everywhere,
    negations,
    h("h3", { class: "sub" }, "Columns and their cuts"),
    h(
      "p",
      { class: "hint" },
      "Drag a cut, move it with the arrow keys, or type it. Colours are classes.",
    ),
    columnsNote,
    columnsBox,
  );
}

function checkbox(state, name, text) {
  const { settings, changed } = state;
  const box = h("input", { type: "checkbox", id: name, checked: settings[name] });
  box.addEventListener("change", () => changed({ [name]: box.checked }));
  return h("div", { class: "check" }, box, h("label", { for: name }, text));
}

// Mistakes.

export function mistakesSection(state) {
  const { settings, data, choices, changed } = state;
  const weights = h("div", { class: "fields" });
  const kind =
    settings.class_weight === null
      ? "none"
      : settings.class_weight === "balanced"
        ? "balanced"
        : "own";
  const control = select(
    [
      ["none", "Every row counts the same"],
      ["balanced", "Every class counts the same"],
      ["own", "Weights of my own"],
    ],
    kind,
    { id: "class_weight" },
  );
  const showWeights = () => {
    if (control.value !== "own") return replace(weights);
    const own = settings.class_weight;
    return replace(
      weights,
      classes(data, choices).map((label) => {
        const input = h("input", {
          type: "number",
          min: 0.001,
          step: "any",
          value: own[label] ?? 1,
          required: true,
        });
        input.addEventListener("change", () => {
          if (input.reportValidity())
            changed({ class_weight: { ...settings.class_weight, [label]: Number(input.value) } });
        });
        return field(`Weight of ${label}`, input);
      }),
    );
  };
  control.addEventListener("change", () => {
    if (control.value === "own")
      changed({ class_weight: Object.fromEntries(classes(data, choices).map((label) => [label, 1])) });
    else changed({ class_weight: control.value === "balanced" ? "balanced" : null });
    showWeights();
  });
  showWeights();
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "What mistakes weigh"),
    field("Class weights", control, "A class with more weight is misclassified less often."),
    weights,
  );
}

// Limits, testing, advanced.

export function limitsSection(state) {
  const { settings, options, changed } = state;
  const times = select(
    [
      [10, "10 seconds"],
      [60, "1 minute"],
      [600, "10 minutes"],
      [3600, "1 hour"],
      [28800, "8 hours"],
      ["", "No limit"],
    ],
    settings.time_limit ?? "",
    { id: "time_limit" },
  );
  times.addEventListener("change", () =>
    changed({ time_limit: times.value === "" ? null : Number(times.value) }),
  );
  const held = select(
    [
      [0, "No"],
      [0.1, "On 10 % of the rows"],
      [0.2, "On 20 % of the rows"],
      [0.3, "On 30 % of the rows"],
    ],
    settings.held_out,
    { id: "held_out" },
  );
  held.addEventListener("change", () => changed({ held_out: Number(held.value) }));
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "Limits and testing"),
    h(
      "div",
      { class: "fields" },
      field(
        "Time",
        times,
        "For the search and the test together. When it is over you get the best list found, and how far from optimal it may be.",
      ),
      field(
        "Memory in MB",
        numberInput(state, "memory_limit_mb", {
          min: 16,
          max: options.memory_mb,
          placeholder: options.memory_mb,
          id: "memory",
        }),
        "The search goes on within it, more slowly.",
      ),
      field(
        "Test on rows not learned from",
        held,
        "The list, and its proof, are about all rows. For the test, a second search learns from the others, in the time that the first leaves: about a quarter, or more.",
      ),
    ),
  );
}

export function advancedSection(state) {
  const { settings, options, changed } = state;
  const bounds = new Set(settings.bounds ?? options.bounds);
  const boxes = options.bounds.map((name) => {
    const box = h("input", { type: "checkbox", id: `bound-${name}`, checked: bounds.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) bounds.add(name);
      else bounds.delete(name);
      changed({ bounds: bounds.size === options.bounds.length ? null : [...bounds] });
    });
    return h(
      "div",
      { class: "check" },
      box,
      h("label", { for: `bound-${name}` }, name.replaceAll("_", " ")),
    );
  });
  const choice = (name, values, text) => {
    const control = select(
      values.map((each) => [each, each.replaceAll("_", " ")]),
      settings[name],
      { id: name },
    );
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
      field(
        "Threads",
        numberInput(state, "n_jobs", {
          min: 1,
          max: Math.max(options.processors, 1),
          required: true,
          id: "n_jobs",
        }),
      ),
      field(
        "Longest rule list",
        numberInput(state, "max_length", {
          min: 0,
          max: 100,
          placeholder: "any",
          id: "max_length",
        }),
      ),
      field(
        "Conditions to keep, at most",
        numberInput(state, "max_features", {
          min: 1,
          max: 2000,
          required: true,
          id: "max_features",
        }),
      ),
    ),
    h(
      "fieldset",
      {},
      h("legend", {}, "Bounds in use (the optimum does not depend on them; the time does)"),
      h("div", { class: "boxes" }, boxes),
    ),
  );
}
