import assert from "node:assert/strict";
import test from "node:test";

import { adoptedSettings, decimalBetween } from "../../../src/surelist/web/static/js/adopt.js";

test("the shortest decimal strictly between two numbers", () => {
  assert.equal(decimalBetween(0.005, 0.29), "0.1");
  assert.equal(decimalBetween(0.01, 0.02), "0.015");
  assert.equal(decimalBetween(0.0251, 0.0459), "0.03");
  assert.equal(decimalBetween(0.1, 0.2), "0.15");
});

test("it lies between, whatever the numbers are", () => {
  let state = 5;
  const random = () => {
    state = (1103515245 * state + 12345) % 2147483648;
    return state / 2147483648;
  };
  for (let trial = 0; trial < 2000; trial += 1) {
    const [low, high] = [random() ** 4, random() ** 4].sort((a, b) => a - b);
    const found = decimalBetween(low, high);
    if (found === null) {
      assert.ok(high - low < 1e-11);
      continue;
    }
    assert.match(found, /^0\.\d{1,12}$/);
    assert.ok(low < Number(found) && Number(found) < high, `${low} ${found} ${high}`);
  }
});

test("there is none between equal numbers, nor above 1", () => {
  assert.equal(decimalBetween(0.25, 0.25), null);
  assert.equal(decimalBetween(1, 2), null);
});

test("an adopted list has the features of its path and another price", () => {
  const settings = { label: "y", regularization: "0.01", min_support: null };
  assert.deepEqual(adoptedSettings(settings, "0.3", "0.01"), {
    label: "y",
    regularization: "0.3",
    min_support: null,
    min_frequency: "0.01",
  });
});
