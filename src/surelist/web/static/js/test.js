// The test after the search: how lists learned with the same settings do on rows not seen before.

import { get, post } from "./api.js";
import { h, replace } from "./dom.js";
import { percent, plural } from "./format.js";
import { follow, stopJob } from "./job.js";
import { complain } from "./shell.js";
import { matrix } from "./understand.js";

// Returns the figure, and where the confusion matrix appears once there is one.
export function heldOut(run) {
  const figure = h("dd", { id: "held-out", "aria-live": "polite" });
  const table = h("div", {});
  const small = (text) => h("small", {}, text);
  const button = (text, onclick) =>
    h("button", { type: "button", class: "small", onclick }, text);

  function show({ result, jobs }) {
    const held = result.held_out;
    const job = jobs.test;
    replace(
      table,
      held ? [matrix("On rows kept back", result.classes, held.confusion), learned(held)] : null,
    );
    if (held) return replace(figure, percent(held.accuracy), small(words(held)));
    if (job?.state === "running")
      return replace(figure, "…", small("being tested; the list itself is done"), [
        button("Stop the test", stop),
      ]);
    const again = run.settings.held_out > 0 ? button("Test now", begin) : null;
    return replace(figure, "–", small(job ? `not tested: ${job.outcome.error}` : "not tested"), [
      again,
    ]);
  }

  // The list that was tested, where it is not the run's own.
  function learned(held) {
    if (held.same_list || !held.text) return null;
    return h(
      "details",
      { class: "tested-list" },
      h("summary", {}, `The list that was learned from the other ${plural(held.train_rows, "row")}`),
      h("pre", { class: "command" }, held.text.join("\n")),
    );
  }

  function words(held) {
    const list = held.same_list ? "the same list was found" : "learned a list of its own";
    const early = held.status === "optimal" ? "" : ", not proven optimal";
    return `on ${plural(held.rows, "row")} not learned from; ${list}${early}`;
  }

  async function look() {
    const found = await get(`/api/runs/${run.id}`);
    return { state: found.jobs.test?.state, found };
  }
  const wait = () => follow(figure, look, ({ found }) => show(found), 700);
  async function begin() {
    try {
      await post(`/api/runs/${run.id}/jobs/test`);
      await wait();
    } catch (error) {
      complain(error);
    }
  }
  const stop = () => stopJob(run, "test");

  show(run);
  if (run.jobs.test?.state === "running") queueMicrotask(() => wait().catch(complain));
  return { figure, table };
}
