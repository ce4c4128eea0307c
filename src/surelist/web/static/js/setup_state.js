// What the user has chosen for a data set but not started yet; kept in this browser.

const key = (dataset) => `surelist.setup.${dataset}`;

export function loadChoices(dataset) {
  try {
    return JSON.parse(localStorage.getItem(key(dataset))) ?? {};
  } catch {
    return {};
  }
}

export function forgetChoices(dataset) {
  localStorage.removeItem(key(dataset));
}

export function saveChoices(dataset, choices) {
  localStorage.setItem(key(dataset), JSON.stringify(choices));
}

const DEFAULTS = {
  regularization: "0.01",
  max_clauses: 2,
  negations: false,
  strategy: "auto",
  n_cuts: 3,
  max_features: 28,
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

// The classes that can be predicted.
export function classes(data, choices) {
  if (choices.classes && !data.summary.own_labels) return [...choices.classes].sort();
  const values =
    data.summary.own_labels ??
    data.summary.columns.find((each) => each.name === choices.label)?.values ??
    [];
  return values.map((each) => each.value).sort();
}

// What was chosen, where it still fits the data, and the defaults for the rest.
export function settingsFor(data, choices) {
  const settings = {
    ...DEFAULTS,
    ...(data.kind === "corels" ? { max_clauses: 1 } : {}),
    ...choices.settings,
  };
  const known = new Set(data.summary.columns.map((each) => each.name));
  settings.columns = Object.fromEntries(
    Object.entries(settings.columns).filter(([name]) => known.has(name) && name !== choices.label),
  );
  const weights = settings.class_weight;
  const ofOthers =
    weights !== null &&
    typeof weights === "object" &&
    !classes(data, choices).every((each) => each in weights);
  if (ofOthers) settings.class_weight = null;
  return settings;
}
