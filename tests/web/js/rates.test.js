import assert from "node:assert/strict";
import test from "node:test";

import { rates } from "../../../src/surelist/web/static/js/rates.js";

test("rates of a group are shares of its own rows", () => {
  // 10 negatives, 4 of them mistaken; 5 positives, 1 of them overlooked.
  const counts = [
    [6, 4],
    [1, 4],
  ];
  assert.deepEqual(rates(counts, 1), {
    rows: 15,
    accuracy: 10 / 15,
    selected: 8 / 15,
    falsePositive: 0.4,
    falseNegative: 0.2,
  });
});

test("with the other class positive, the mistakes change places", () => {
  const counts = [
    [6, 4],
    [1, 4],
  ];
  const [one, other] = [rates(counts, 1), rates(counts, 0)];
  assert.equal(one.falsePositive, other.falseNegative);
  assert.equal(one.falseNegative, other.falsePositive);
  assert.equal(one.accuracy, other.accuracy);
});

test("a share of no rows is none", () => {
  const none = rates(
    [
      [0, 0],
      [0, 0],
    ],
    1,
  );
  assert.equal(none.accuracy, null);
  assert.equal(none.falseNegative, null);
});

test("of three classes, all but one are negative", () => {
  const counts = [
    [5, 0, 1],
    [1, 3, 0],
    [0, 2, 8],
  ];
  assert.equal(rates(counts, 2).falsePositive, 1 / 10);
  assert.equal(rates(counts, 2).falseNegative, 2 / 10);
});
