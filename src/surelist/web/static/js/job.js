// Follow something that takes a while: look again until it is no longer running.

import { get, remove } from "./api.js";
import { duration } from "./format.js";
import { complain } from "./shell.js";

export const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

// Calls `look`, which returns what it found, until that does not run or the element is gone.
export async function follow(element, look, show, milliseconds = 500) {
  while (document.contains(element)) {
    const found = await look();
    show(found);
    if (found.state !== "running") return;
    await pause(milliseconds);
  }
}

// Polls a job of the run until it has ended; undefined where it was stopped or the page left.
// While it runs, what is called `elapsed` in the box says for how long, and `tell` gets the job.
export async function ended(run, kind, box, tell = () => {}) {
  while (document.contains(box)) {
    const job = (await get(`/api/runs/${run.id}`)).jobs[kind];
    if (!job || job.state !== "running") return job;
    const clock = box.querySelector(".elapsed");
    if (clock) clock.textContent = `for ${duration(job.seconds)}`;
    tell(job);
    await pause(700);
  }
  return undefined;
}

// Stops a job of the run; true if the server agreed.
export async function stopJob(run, kind) {
  try {
    await remove(`/api/runs/${run.id}/jobs/${kind}`);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

// What a section shows when the page opens: the job that runs, what the last one found, or how to begin.
export function openJob(job, { begin, wait, show, failed }) {
  if (!job) return begin();
  const next = job.state === "running" ? wait : show;
  return queueMicrotask(async () => {
    try {
      await next(job);
    } catch (error) {
      failed(error);
    }
  });
}

// A function that asks and draws the answer, unless it was called again meanwhile.
export function latest(ask, draw) {
  let calls = 0;
  return async () => {
    calls += 1;
    const mine = calls;
    try {
      const answer = await ask();
      if (mine === calls) draw(answer);
    } catch (error) {
      complain(error);
    }
  };
}
