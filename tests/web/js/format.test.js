import assert from "node:assert/strict";
import test from "node:test";

import {
  badge,
  count,
  decimal,
  decimalDown,
  decimalUp,
  duration,
  fractionDown,
  percent,
  plural,
  sentence,
  short,
  size,
  sizeWords,
} from "../../../src/surelist/web/static/js/format.js";

test("counts have separators and the right number", () => {
  assert.equal(count(1234567), "1,234,567");
  assert.equal(plural(1, "row"), "1 row");
  assert.equal(plural(0, "row"), "0 rows");
  assert.equal(plural(2, "row has", "rows have"), "2 rows have");
  assert.equal(percent(0.1234), "12.3 %");
  assert.equal(percent(1, 0), "100 %");
});

test("decimals show that there is none", () => {
  assert.equal(decimal(null), "–");
  assert.equal(decimal(undefined), "–");
  assert.equal(decimal(0.25), "0.2500");
  assert.equal(short(null), "–");
  assert.equal(short(1 / 3), "0.33333");
});

test("rounded bounds and gaps stay true", () => {
  for (let i = 1; i < 2000; i += 1) {
    const exact = i / 1999;
    assert.ok(Number(decimalDown(exact)) <= exact);
    assert.ok(Number(decimalUp(exact)) >= exact);
    assert.ok(decimalUp(exact) - decimalDown(exact) < 1.5e-4);
  }
  assert.equal(decimalDown(0.25), "0.2500");
  assert.equal(decimalUp(0.25), "0.2500");
  assert.equal(decimalUp(null), "–");
});

test("a fraction is shown in six digits that are no more than it is", () => {
  assert.equal(fractionDown("0"), "0");
  assert.equal(fractionDown("37/300"), "0.123333");
  assert.equal(fractionDown("2/3"), "0.666666");
  assert.equal(fractionDown("1/2"), "0.5");
  assert.equal(fractionDown("1"), "1");
  for (const [top, bottom] of [
    [1, 7],
    [22, 7],
    [999_999, 1_000_000],
    [1, 123_457],
  ]) {
    const shown = Number(fractionDown(`${top}/${bottom}`));
    assert.ok(shown <= top / bottom, `${top}/${bottom}`);
    assert.ok(shown > (top / bottom) * (1 - 1e-5), `${top}/${bottom}`);
  }
});

test("sizes and times have a unit that fits", () => {
  assert.equal(size(1), "1 kB");
  assert.equal(size(2_500_000), "2.5 MB");
  assert.equal(size(3_210_000_000), "3.21 GB");
  assert.equal(duration(0), "0.0 s");
  assert.equal(duration(0.04), "less than 0.1 s");
  assert.equal(duration(61), "1 min 01 s");
  assert.equal(duration(3720), "1 h 02 min");
});

test("a message becomes a sentence", () => {
  assert.equal(sentence("line 3: a name is missing"), "Line 3: a name is missing.");
  assert.equal(sentence("take it for “missing”"), "Take it for “missing”.");
});

test("a run's badge says how it stands", () => {
  assert.deepEqual(badge({ state: "queued", waiting: 2 }), ["wait", "Waits behind 2"]);
  assert.deepEqual(badge({ state: "queued" }), ["wait", "Waits"]);
  assert.deepEqual(badge({ state: "running" }), ["live", "Searching"]);
  assert.deepEqual(badge({ state: "stopping" }), ["live", "Stopping"]);
  assert.deepEqual(badge({ state: "failed" }), ["bad", "No result"]);
  const finished = (outcome) => badge({ state: "finished", outcome });
  assert.deepEqual(finished({ status: "optimal" }), ["good", "Proven optimal"]);
  assert.deepEqual(finished({ status: "time_limit", gap: 0.00001 }), ["warn", "Gap 0.0001"]);
});

test("the size of a problem says only that there is nothing to search", () => {
  assert.match(sizeWords(0), /^No antecedent/);
  assert.equal(sizeWords(1), "");
});
