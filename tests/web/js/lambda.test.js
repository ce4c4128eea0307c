import assert from "node:assert/strict";
import test from "node:test";

import {
  LAMBDAS,
  lambdaAdvice,
  nearestLambda,
  rowsToPay,
  typedLambda,
} from "../../../src/surelist/web/static/js/lambda.js";

test("the slider's stops rise, and each is its own nearest", () => {
  LAMBDAS.forEach((text, index) => {
    assert.equal(nearestLambda(Number(text)), index);
    assert.equal(typedLambda(text), text);
    if (index) assert.ok(Number(LAMBDAS[index - 1]) < Number(text));
  });
});

test("nearness is a matter of the ratio", () => {
  assert.equal(LAMBDAS[nearestLambda(0.9)], "0.2");
  assert.equal(LAMBDAS[nearestLambda(1e-9)], "0.0005");
  assert.equal(LAMBDAS[nearestLambda(0.0014)], "0.0015");
});

test("what is typed is a number between 0 and 1, or refused", () => {
  assert.equal(typedLambda(" 0,015 "), "0.015");
  assert.equal(typedLambda(".5"), ".5");
  for (const wrong of ["", "0", "1", "1.5", "-0.1", "1e-3", "0.", "0.1.2", "0.0123456789012"])
    assert.equal(typedLambda(wrong), null, wrong);
});

test("a rule pays with at least one row, and with no less than its price", () => {
  assert.equal(rowsToPay(0.01, 7214), 73);
  assert.equal(rowsToPay(0.01, 100), 1);
  assert.equal(rowsToPay(0.001, 10), 1);
});

test("advice goes by the price", () => {
  assert.match(lambdaAdvice(0.03), /^Few/);
  assert.match(lambdaAdvice(0.01), /^A good/);
  assert.match(lambdaAdvice(0.0039), /^Longer/);
});
