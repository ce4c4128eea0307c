import assert from "node:assert/strict";
import test from "node:test";

import { fromDays, neatCut, settled, stepOf, toDays, withCut } from "../../../src/surelist/web/static/js/cuts.js";

test("an arrow key moves by a hundredth, whole numbers by at least one", () => {
  assert.equal(stepOf(0, 50, false), 0.5);
  assert.equal(stepOf(0, 50, true), 1);
  assert.equal(stepOf(0, 1000, true), 10);
});

test("cuts are easy to read", () => {
  assert.equal(neatCut(12.3456789, false), 12.35);
  assert.equal(neatCut(12.6, true), 13);
});

test("cuts are in order, each once, and the given ones stay as they are", () => {
  const given = [10, 9, 100, 9];
  assert.deepEqual(settled(given), [9, 10, 100]);
  assert.deepEqual(given, [10, 9, 100, 9]);
});

test("another cut goes into the middle of the widest part", () => {
  assert.deepEqual(withCut([], 0, 10, false), [5]);
  assert.deepEqual(withCut([2], 0, 10, false), [2, 6]);
  assert.deepEqual(withCut([8], 0, 10, false), [4, 8]);
  assert.deepEqual(withCut([2, 4], 0, 5, false), [1, 2, 4]);
  assert.deepEqual(withCut([1], 0, 1, true), [1], "there is no room for another");
});

test("dates are cut on days", () => {
  assert.equal(toDays("1970-01-02"), 1);
  for (const text of ["1969-12-31", "2024-02-29", "2100-01-01"])
    assert.equal(fromDays(toDays(text)), text);
});
