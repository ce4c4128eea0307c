// The settings of a run, and the same run in a terminal and in Python.

import { get } from "./api.js";
import { h, replace } from "./dom.js";
import { complain, tell } from "./shell.js";

const WORDS = {
  max_clauses: "Conditions in a rule, at most",
  negations: "Negated conditions",
  strategy: "Cuts of numbers",
  n_cuts: "Cuts of a column, at most",
  max_features: "Features, at most",
  class_weight: "Weights of classes",
  min_support: "Least support of an antecedent",
  min_frequency: "Least frequency of a feature",
  max_length: "Rules, at most",
  time_limit: "Time limit, seconds",
  memory_limit_mb: "Memory limit, MB",
  policy: "Order of the queue",
  symmetry: "Symmetry map",
  bounds: "Bounds",
  n_jobs: "Threads",
  held_out: "Share of rows kept back for a test",
};

// Settings as pairs of texts: what it is about, and what was chosen.
export function settingLines(settings) {
  const roles = Object.entries(settings.roles ?? {});
  const named = (role) => roles.filter(([, each]) => each === role).map(([name]) => name);
  const lines = [
    ["Label", settings.label],
    ["λ, the price of a rule", settings.regularization],
    ["Protected columns", named("protected").join(", ")],
    ["Columns left out", named("leave_out").join(", ")],
    ...relabelLines(settings.relabel ?? {}),
    ...Object.entries(settings.columns ?? {}).map(([name, how]) => [
      `Cuts of ${name}`,
      Array.isArray(how) ? how.join(", ") || "none" : how,
    ]),
    ...Object.entries(WORDS).map(([key, words]) => [words, text(rounded(key, settings[key]))]),
  ];
  return lines.filter(([, value]) => value !== null && value !== undefined && value !== "");
}

// The memory limit is a part of the machine's, which is no round number.
const rounded = (key, value) =>
  key === "memory_limit_mb" && typeof value === "number" ? Math.round(value) : value;

function relabelLines({ cut = null, merge = {}, skip_missing: skip = false }) {
  return [
    ["Label cut at", text(cut)],
    ["Classes merged", Object.entries(merge).map(([old, name]) => `${old} → ${name}`).join(", ")],
    ["Rows without a label", skip ? "left out" : null],
  ];
}

function text(value) {
  if (value === null || value === undefined) return null;
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${each}`)
      .join(", ");
  return String(value);
}

function copied(title, id, content) {
  const code = h("pre", { class: "command", tabindex: 0, id, "aria-label": title }, content);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(content);
      tell("Copied");
    } catch {
      // Browsers may forbid it: then the text is at least chosen, for Ctrl-C.
      getSelection().selectAllChildren(code);
    }
  };
  return h(
    "div",
    { class: "copied" },
    h(
      "div",
      { class: "row between" },
      h("h3", {}, title),
      h(
        "button",
        { type: "button", class: "small", "aria-label": `Copy: ${title}`, onclick: copy },
        "Copy",
      ),
    ),
    code,
  );
}

export function reproduce(run) {
  const body = h("div", {});
  const box = h(
    "details",
    { class: "panel", id: "reproduce" },
    h("summary", {}, h("h2", {}, "Settings, and how to do it again")),
    h(
      "dl",
      { class: "facts", id: "settings" },
      settingLines(run.settings).map(([name, value]) =>
        h("div", {}, h("dt", {}, name), h("dd", {}, value)),
      ),
    ),
    body,
  );
  box.addEventListener("toggle", async () => {
    if (!box.open || body.childElementCount) return;
    try {
      const found = await get(`/api/runs/${run.id}/reproduce`);
      replace(
        body,
        copied("In a terminal", "fit-command", found.command),
        copied("In Python", "python-lines", found.python),
        h("p", { class: "hint" }, "Run them in the folder of the data file."),
      );
    } catch (error) {
      complain(error);
    }
  });
  return box;
}
