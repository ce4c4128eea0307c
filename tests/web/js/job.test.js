import assert from "node:assert/strict";
import test from "node:test";

globalThis.document ??= { addEventListener() {} };
globalThis.matchMedia ??= () => ({ addEventListener() {} });
const { latest, openJob } = await import("../../../src/surelist/web/static/js/job.js");

test("of two questions, only the answer to the later one is drawn", async () => {
  const waiting = [];
  const drawn = [];
  const ask = () =>
    new Promise((resolve) => {
      waiting.push(resolve);
    });
  const again = latest(ask, (answer) => drawn.push(answer));
  const both = [again(), again()];
  waiting[1]("second");
  waiting[0]("first");
  await Promise.all(both);
  assert.deepEqual(drawn, ["second"]);
});

test("a section opens with what its job is: none, running or ended", async () => {
  const called = [];
  const steps = {
    begin: () => called.push("begin"),
    wait: (job) => called.push(`wait ${job.state}`),
    show: (job) => called.push(`show ${job.state}`),
    failed: (error) => called.push(error.message),
  };
  openJob(undefined, steps);
  openJob({ state: "running" }, steps);
  openJob({ state: "failed" }, steps);
  openJob({ state: "running" }, { ...steps, wait: () => Promise.reject(new Error("lost")) });
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  assert.deepEqual(called, ["begin", "wait running", "show failed", "lost"]);
});
