import assert from "node:assert/strict";
import test from "node:test";

import { likelyScore, scoreColumns, words } from "../../../src/surelist/web/static/js/rivals.js";

const column = (name, kind, ...values) => ({
  name,
  kind,
  distinct: values.length,
  values: values.map((value) => ({ value })),
});

test("numbers and columns of classes may be scores, the label and other texts not", () => {
  const columns = [
    column("decile_score", "whole number"),
    column("bank_says", "text", "yes", "no"),
    column("city", "text", "Rome", "Oslo"),
    column("label", "text", "yes", "no"),
  ];
  const names = (classes) => scoreColumns(columns, "label", classes).map((each) => each.name);
  assert.deepEqual(names(["no", "yes"]), ["decile_score", "bank_says"]);
  // A threshold tells two classes apart, no more.
  assert.deepEqual(names(["no", "yes", "perhaps"]), ["bank_says"]);
  assert.equal(likelyScore(columns), "decile_score");
  assert.equal(likelyScore(columns.slice(1)), "");
});

test("the limit and what was proven are stated", () => {
  const text = words({
    folds: 5,
    seconds: 10,
    statuses: { optimal: 4, time_limit: 1 },
    lengths: [3, 2, 3, 3, 2],
    rows: 600,
  });
  assert.match(text, /within 10 s: 4 of 5 proven optimal, rules: 2, 3/);
  assert.match(text, /Wilson/);
  assert.match(text, /Agresti and Min/);
});
