import assert from "node:assert/strict";
import test from "node:test";

import {
  classes,
  forgetChoices,
  loadChoices,
  saveChoices,
  settingsFor,
} from "../../../src/surelist/web/static/js/setup_state.js";

const column = (name, ...values) => ({ name, values: values.map((value) => ({ value })) });
const data = {
  kind: "table",
  summary: { columns: [column("age", "1", "2"), column("again", "yes", "no")] },
};

test("classes are the values of the label, or the labels' own", () => {
  assert.deepEqual(classes(data, { label: "again" }), ["no", "yes"]);
  assert.deepEqual(classes(data, {}), []);
  const own = { summary: { own_labels: [{ value: "b" }, { value: "a" }], columns: [] } };
  assert.deepEqual(classes(own, {}), ["a", "b"]);
});

test("settings are the defaults, but for what was chosen", () => {
  const settings = settingsFor(data, { label: "again", settings: { n_cuts: 7 } });
  assert.equal(settings.n_cuts, 7);
  assert.equal(settings.regularization, "0.01");
  assert.equal(settings.max_clauses, 2);
  assert.equal(settingsFor({ ...data, kind: "corels" }, {}).max_clauses, 1);
});

test("what no longer fits the data is forgotten", () => {
  const chosen = { columns: { age: [3], again: "category", gone: [1] } };
  const { columns } = settingsFor(data, { label: "again", settings: chosen });
  assert.deepEqual(columns, { age: [3] });
  const weights = (class_weight) =>
    settingsFor(data, { label: "again", settings: { class_weight } }).class_weight;
  assert.deepEqual(weights({ yes: 2, no: 1 }), { yes: 2, no: 1 });
  assert.equal(weights({ positive: 2, negative: 1 }), null);
  assert.equal(weights("balanced"), "balanced");
});

test("the defaults stay as they are, whatever is changed", () => {
  settingsFor(data, {}).columns.age = [1];
  assert.deepEqual(settingsFor(data, {}).columns, {});
});

test("choices are kept for each data set, and spoilt ones are none", (context) => {
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
  context.after(() => delete globalThis.localStorage);
  assert.deepEqual(loadChoices("a"), {});
  saveChoices("a", { label: "again" });
  assert.deepEqual(loadChoices("a"), { label: "again" });
  assert.deepEqual(loadChoices("b"), {});
  forgetChoices("a");
  assert.deepEqual(loadChoices("a"), {});
  saveChoices("a", {});
  for (const key of kept.keys()) kept.set(key, "{");
  assert.deepEqual(loadChoices("a"), {});
});
