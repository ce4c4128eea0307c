import assert from "node:assert/strict";
import test from "node:test";

import {
  judged,
  places,
  points,
  rangeText,
} from "../../../src/surelist/web/static/js/intervals.js";

test("intervals and differences as people read them", () => {
  assert.equal(rangeText({ low: 0.7784, high: 0.8409 }), "77.8 – 84.1 %");
  assert.equal(rangeText({ low: null, high: null }), null);
  assert.equal(points(-0.0483), "−4.8");
  assert.equal(points(0.02), "+2.0");
  assert.equal(points(-0.0001), "0.0");
});

test("a difference is judged by its interval alone", () => {
  assert.equal(judged({ low: 0.01, high: 0.03 }), "better");
  assert.equal(judged({ low: -0.03, high: -0.01 }), "worse");
  assert.equal(judged({ low: -0.001, high: 0.03 }), "not told apart");
});

test("lines lie between the bounds", () => {
  const rate = { share: 0.75, low: 0.5, high: 1 };
  assert.deepEqual(places(rate, 0.5, 1), { from: 0, to: 100, at: 50 });
});
