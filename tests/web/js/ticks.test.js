import assert from "node:assert/strict";
import test from "node:test";

import { logTicks } from "../../../src/surelist/web/static/js/ticks.js";

test("ticks within a few powers of ten are told in full", () => {
  const { tickvals, ticktext } = logTicks([0.0023, 0.03]);
  assert.deepEqual(tickvals, [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]);
  assert.deepEqual(ticktext.slice(0, 3), ["0.001", "0.002", "0.005"]);
});

test("a long axis has powers of ten, never two of one name", () => {
  for (const most of [1e5, 1e9, 1e12, 1e30]) {
    const { tickvals, ticktext } = logTicks([1, most]);
    assert.ok(tickvals.length <= 10, ticktext.join());
    assert.equal(new Set(ticktext).size, ticktext.length);
  }
  assert.deepEqual(logTicks([1, 1e5]).ticktext, ["1", "10", "100", "1K", "10K", "100K"]);
});

test("where there is nothing, the chart decides", () => {
  assert.deepEqual(logTicks([0, -1]), {});
});
