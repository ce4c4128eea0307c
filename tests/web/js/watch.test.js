import assert from "node:assert/strict";
import test from "node:test";

globalThis.document ??= { addEventListener() {} };
globalThis.matchMedia ??= () => ({ addEventListener() {} });
const { provenTimes } = await import("../../../src/surelist/web/static/js/lengths.js");
const { clockWords, stageWords } = await import("../../../src/surelist/web/static/js/watch.js");
const { checkWords } = await import("../../../src/surelist/web/static/js/checking.js");
const { fits } = await import("../../../src/surelist/web/static/js/runs_list.js");
const { incomparable } = await import("../../../src/surelist/web/static/js/comparable.js");
const { progressWords } = await import("../../../src/surelist/web/static/js/fairness.js");
const { choicesOf } = await import("../../../src/surelist/web/static/js/again.js");

test("the stage says what is done, and that a proof is there before it is written down", () => {
  assert.equal(stageWords({ stage: "mining", antecedents: 1200 }), "Finding antecedents: 1,200 so far");
  assert.equal(stageWords({ stage: "describing" }), "Writing down the result");
  const found = { status: "optimal" };
  assert.match(stageWords({ stage: "describing", found }), /^Proven optimal. Writing down/);
  found.status = "interrupted";
  assert.equal(stageWords({ stage: "describing", found }), "Writing down the result");
});

test("each length has the moment from which it was proven", () => {
  const points = [
    { time: 0.1, proven_length: 0 },
    { time: 0.5, proven_length: 2 },
    { time: 2, proven_length: 2 },
    { time: 3, proven_length: 3 },
    // A search that goes on from a checkpoint may say less for a moment; it stays proven.
    { time: 4, proven_length: 1 },
    { time: 5 },
  ];
  assert.deepEqual(provenTimes(points), [
    [1, 0.5],
    [2, 0.5],
    [3, 3],
  ]);
});

test("a front says how far it is", () => {
  assert.equal(progressWords(null), "");
  const found = { done: 3, of: 12, doing: "front", unfairness: 0.0512 };
  assert.equal(
    progressWords(found),
    "3 lists found, of at most 12; the fairest so far differs by 5.1 %.",
  );
  assert.match(progressWords({ ...found, of: 3, doing: "held out" }), /^All lists are found; 3 of 3 /);
});

test("the clock tells what is left", () => {
  assert.deepEqual(clockWords(12, 60), ["12.0 s", "of 1 min 00 s; 48.0 s left"]);
  assert.deepEqual(clockWords(61, 60), ["1 min 01 s", "ending: its time is over"]);
  assert.deepEqual(clockWords(3, null), ["3.0 s", "no limit"]);
});

test("a check says how far it is", () => {
  assert.equal(checkWords({ done: 5, of: 1200 }, 3), "5 of 1,200 steps of the proof checked, for 3.0 s");
  assert.equal(checkWords(null, 3), "Reading the proof and the data, for 3.0 s");
});

test("runs are found by words of their name, data and state", () => {
  const run = {
    name: "income, λ = 0.01",
    dataset_name: "Adult.csv",
    state: "finished",
    outcome: { status: "optimal" },
  };
  for (const text of ["", "adult", "0.01 proven", "INCOME csv"]) assert.ok(fits(run, text), text);
  assert.ok(!fits(run, "adult gap"));
});

test("objectives of different prices are not compared without a word", () => {
  const of = (regularization, weighted = false) => ({ regularization, weighted });
  assert.match(incomparable([of("0.01"), of("0.02")]), /0.01 and 0.02.*cannot be compared/);
  assert.match(incomparable([of("0.01", true), of("0.01")]), /Weights/);
  assert.equal(incomparable([of("0.01"), of("0.01")]), null);
});

test("another set-up begins with all that was chosen for a run", () => {
  const run = {
    settings: { label: "y", roles: { id: "leave_out" }, relabel: { cut: 3 }, n_cuts: 5 },
    result: { classes: ["a", "b"] },
  };
  assert.deepEqual(choicesOf(run), {
    label: "y",
    roles: { id: "leave_out" },
    relabel: { cut: 3 },
    settings: { n_cuts: 5 },
    classes: ["a", "b"],
  });
});
