import assert from "node:assert/strict";
import test from "node:test";

import {
  concluded,
  gapShare,
  mostPruned,
  settledPoints,
} from "../../../src/surelist/web/static/js/course.js";

test("the moment before any list was looked for is left out, if others remain", () => {
  const points = [0, 0.1, 0.2].map((time) => ({ time }));
  assert.deepEqual(settledPoints(points), points.slice(1));
  assert.deepEqual(settledPoints(points.slice(0, 2)), points.slice(0, 2));
  assert.deepEqual(settledPoints(points.slice(1)), points.slice(1));
});

test("the proven share is between 0 and 1", () => {
  assert.equal(gapShare({ lower_bound: 0.1, objective: 0.4 }), 0.25);
  assert.equal(gapShare({ lower_bound: 0, objective: 0 }), 0);
  assert.equal(gapShare({ lower_bound: 0.5, objective: 0.4 }), 1);
});

test("the eight strongest bounds are shown, the strongest last", () => {
  const pruned = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`bound_no_${index}`, index]),
  );
  const shown = mostPruned(pruned);
  assert.equal(shown.length, 8);
  assert.deepEqual(shown.at(-1), ["bound no 11", 11]);
  assert.deepEqual(mostPruned({ idle: 0 }), []);
});

test("the end is the result, and never before what was reported", () => {
  const result = { counters: { time: 0.03 }, objective: 0.3, lower_bound: 0.3 };
  const points = [{ stage: "reading" }, { time: 0.4, objective: 0.5, lower_bound: 0.1 }];
  const end = { time: 0.4, objective: 0.3, lower_bound: 0.3 };
  assert.deepEqual(concluded(points, result), [points[1], end]);
  assert.deepEqual(concluded([], result), [{ ...end, time: 0.03 }]);
  result.counters.time = 2;
  assert.equal(concluded(points, result).at(-1).time, 2);
});
