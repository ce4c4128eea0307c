import assert from "node:assert/strict";
import test from "node:test";

import { tellsAnything, valuesText } from "../../../src/surelist/web/static/js/columns.js";

const text = (distinct, missing = 0) => ({ kind: "text", distinct, missing });

test("names and constants tell nothing", () => {
  assert.equal(tellsAnything(text(900), 1000), false, "nearly a name for each row");
  assert.equal(tellsAnything(text(250), 1000), true);
  assert.equal(tellsAnything(text(30), 40), true, "a small table");
  assert.equal(tellsAnything({ ...text(900), kind: "number" }, 1000), true);
  assert.equal(tellsAnything(text(1), 1000), false);
  assert.equal(tellsAnything(text(1, 3), 1000), true, "missing or not is a question");
  assert.equal(tellsAnything(text(0, 1000), 1000), false);
});

test("values are listed, or their range told", () => {
  const values = ["a", "b", "c", "d"].map((value) => ({ value }));
  assert.equal(valuesText({ kind: "text", distinct: 3, values: values.slice(0, 3) }), "a, b, c");
  assert.equal(valuesText({ kind: "text", distinct: 1004, values }), "a, b, c and 1,001 more");
  assert.equal(valuesText({ kind: "number", values, low: -1, high: 2.5 }), "-1 to 2.5");
  assert.equal(valuesText({ kind: "text", values: [], distinct: 1 }), "1 value");
});
