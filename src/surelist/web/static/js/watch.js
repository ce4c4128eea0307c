// A search as it runs: objective and lower bound close in on each other.

import { advicePanel } from "./advice.js";
import { get, post } from "./api.js";
import { chart, chartBox } from "./charts.js";
import { gapShare, mostPruned, settledPoints } from "./course.js";
import { h, replace } from "./dom.js";
import { count, decimal, decimalDown, decimalUp, duration, plural, size } from "./format.js";
import { lengthsList } from "./lengths.js";
import { liveList } from "./rules.js";
import { complain, dialog } from "./shell.js";
import { logTicks } from "./ticks.js";

const STAGES = {
  reading: "Reading the data",
  mining: "Finding antecedents",
  resuming: "Going on from where it was",
  describing: "Writing down the result",
};

const QUIET = 5; // seconds without news, after which it says that it is busy

// How long a search has taken, and how much of its time is left.
export function clockWords(seconds, limit) {
  const taken = duration(seconds);
  if (limit === null) return [taken, "no limit"];
  const left = Math.max(0, limit - seconds);
  return [taken, left > 0 ? `of ${duration(limit)}; ${duration(left)} left` : "ending: its time is over"];
}

// What is being done, as its stage is reported.
export function stageWords({ stage, antecedents, found }) {
  const words = STAGES[stage] ?? stage;
  if (found?.status === "optimal") return `Proven optimal. ${words}`;
  return antecedents ? `${words}: ${count(antecedents)} so far` : words;
}

// `measured` says how measured searches went on. Calls finished() once the run has ended, and gone()
// where somebody has deleted it.
export function watch(run, measured, finished, gone) {
  const points = [];
  const stat = (name) => {
    const value = h("dd", {}, "–");
    return { value, box: h("div", {}, h("dt", {}, name), value) };
  };
  const stats = Object.fromEntries(
    [
      "Time",
      "Objective",
      "Lower bound",
      "Gap",
      "No better list",
      "Prefixes",
      "Queue",
      "Memory",
    ].map((name) => [name, stat(name)]),
  );
  const lengths = lengthsList();
  const advice = advicePanel(run, measured);
  const busy = h("p", { class: "hint busy", id: "busy" });
  const stage = h(
    "p",
    { class: "stage", role: "status" },
    run.state === "queued" ? "Waits for its turn" : "Starting",
  );
  const main = chartBox("Objective and lower bound over time", { id: "live-chart" });
  const queue = chartBox("Prefixes in the queue by length", { small: true });
  const prunes = chartBox("Prefixes cut off by each bound", { small: true });
  const list = h(
    "div",
    { id: "live-list" },
    h("p", { class: "hint" }, "The best rule list so far appears here."),
  );
  const stop = h(
    "button",
    { type: "button", class: "danger", id: "stop" },
    "Stop and keep the best",
  );
  stop.addEventListener("click", async () => {
    stop.disabled = true;
    try {
      await post(`/api/runs/${run.id}/stop`);
      showStopping();
    } catch (error) {
      stop.disabled = false;
      complain(error);
    }
  });
  // To the left of the pointer, and with a confirmation: a double click must not discard the run.
  const discard = h(
    "button",
    { type: "button", class: "quiet", id: "discard", hidden: true },
    "Discard",
  );
  discard.addEventListener("click", async () => {
    const sure = await dialog(
      "Discard this run?",
      "It ends at once, and the rule list that it has found is lost, for good.",
      "Discard",
    );
    if (!sure || ended) return;
    try {
      await post(`/api/runs/${run.id}/discard`);
    } catch (error) {
      complain(error);
    }
  });
  function showStopping() {
    stop.disabled = true;
    stop.textContent = "Stopping";
    if (stage.textContent === "Searching") stage.textContent = "Keeping what was found";
    discard.hidden = false;
  }
  const gapBar = h("span", { class: "fill" });
  const box = h(
    "section",
    { class: "watch" },
    h(
      "div",
      { class: "panel" },
      h("div", { class: "row between" }, stage, h("div", { class: "row stops" }, discard, stop)),
      busy,
      h("div", { class: "gapbar", role: "img", "aria-label": "Gap" }, gapBar),
      h(
        "dl",
        { class: "facts wide" },
        Object.values(stats).map((each) => each.box),
      ),
    ),
    advice.box,
    h(
      "div",
      { class: "panel" },
      h("h2", {}, "Proven so far, by length"),
      h(
        "p",
        { class: "hint" },
        "Beside the search of all lists, those of one rule are settled, then of two, and so on. What is proven of them stays proven, also where the search is stopped.",
      ),
      lengths.list,
    ),
    h(
      "div",
      { class: "panel" },
      h("h2", {}, "Objective and lower bound"),
      h(
        "p",
        { class: "hint" },
        "The best list found comes down, what is proven comes up. Where they meet, the list is optimal.",
      ),
      main,
    ),
    h("div", { class: "panel" }, h("h2", {}, "Best rule list so far"), list),
    h(
      "div",
      { class: "two even" },
      h("div", { class: "panel" }, h("h2", {}, "Queue by length"), queue),
      h("div", { class: "panel" }, h("h2", {}, "Cut off, by bound"), prunes),
    ),
  );

  let next = 0;
  let ended = false;
  let failures = 0;
  let began = null;
  let limit = null;
  let heard = performance.now();

  // Between two points of the course, too: a search may be silent for long.
  function tick() {
    if (ended || !document.contains(box)) return;
    if (began !== null && failures < 3) {
      const seconds = Math.max(0, (performance.now() - began) / 1000);
      const [taken, left] = clockWords(seconds, limit);
      replace(stats.Time.value, taken, h("small", {}, left));
      const last = points[points.length - 1];
      if (last) advice.show(last.time, last.proven_length ?? 0);
    }
    const quiet = (performance.now() - heard) / 1000;
    busy.textContent =
      began !== null && quiet > QUIET
        ? `Still working: no news for ${duration(quiet)}. A large step, or writing a checkpoint, can take a while.`
        : "";
    setTimeout(tick, 100);
  }

  function take(found) {
    let news = false;
    for (const point of found) {
      heard = performance.now();
      if (point.stage) {
        stage.textContent = stageWords(point);
        if (point.found) showEnd(point.found);
      } else {
        if (!stop.disabled) stage.textContent = "Searching";
        points.push(point);
        news = true;
        if (point.rules) replace(list, liveList(point.rules));
      }
    }
    if (news) show(points[points.length - 1]);
  }

  // The search is over before its result is written down.
  function showEnd(found) {
    replace(list, liveList(found.rules));
    fill(bounds(found));
    gapBar.style.setProperty("width", `${100 * gapShare(found)}%`);
  }

  const bounds = (last) => ({
    Objective: decimal(last.objective),
    "Lower bound": decimalDown(last.lower_bound),
    Gap: decimalUp(last.objective - last.lower_bound),
  });

  function fill(texts) {
    for (const [name, text] of Object.entries(texts)) stats[name].value.textContent = text;
  }

  function show(last) {
    fill({
      ...bounds(last),
      "No better list": last.proven_length
        ? `of up to ${plural(last.proven_length, "rule")}`
        : "not known yet",
      Prefixes: count(last.expanded),
      Queue: count(last.queue),
      Memory: size(last.memory),
    });
    gapBar.style.setProperty("width", `${100 * gapShare(last)}%`);
    lengths.show(points);
    drawCourse(main, points).catch(complain);
    drawQueue(queue, last).catch(() => {});
    drawPrunes(prunes, last).catch(() => {});
  }

  async function poll() {
    if (ended || !document.contains(box)) return;
    let wait = 400;
    try {
      const found = await get(`/api/runs/${run.id}/progress?after=${next}`);
      failures = 0;
      next = found.next;
      // By the clock of the server, which may not be that of this browser.
      if (found.started !== null && found.state !== "queued")
        began = performance.now() - 1000 * (found.used + found.now - found.started);
      limit = found.limit;
      take(found.points);
      if (found.state === "queued")
        stage.textContent = found.waiting
          ? `Waits behind ${plural(found.waiting, "other run")}`
          : "Waits for its turn";
      if (found.state === "stopping") showStopping();
      if (found.state === "finished" || found.state === "failed") {
        ended = true;
        finished();
        return;
      }
      if (found.state === "queued") wait = 1000;
    } catch (error) {
      if (error.status === 404) {
        ended = true;
        gone(error);
        return;
      }
      failures += 1;
      if (failures === 3) complain(error);
      wait = Math.min(10000, 500 * 2 ** failures);
    }
    setTimeout(poll, wait);
  }
  queueMicrotask(poll);
  queueMicrotask(tick);
  return box;
}

export function drawCourse(element, all) {
  const points = settledPoints(all);
  const x = points.map((point) => point.time);
  return chart(element, (palette) => ({
    traces: [
      {
        x,
        y: points.map((point) => point.lower_bound),
        name: "Lower bound",
        mode: "lines",
        line: { color: palette.series[1], width: 2.5, shape: "hv" },
      },
      {
        x,
        y: points.map((point) => point.objective),
        name: "Objective",
        mode: "lines",
        line: { color: palette.series[0], width: 2.5, shape: "hv" },
        fill: "tonexty",
        fillcolor: "rgba(128,128,128,.12)",
      },
    ],
    layout: { xaxis: { title: { text: "seconds" }, rangemode: "tozero" }, yaxis: {} },
  }));
}

function drawQueue(element, last) {
  return chart(element, (palette) => ({
    traces: [
      {
        type: "bar",
        x: last.queue_by_length.map((_, length) => length),
        y: last.queue_by_length,
        marker: { color: palette.series[1] },
      },
    ],
    layout: { height: 220, xaxis: { title: { text: "length of the prefix" }, dtick: 1 } },
  }));
}

export function drawPrunes(element, last) {
  const pairs = mostPruned(last.pruned);
  return chart(element, (palette) => ({
    traces: [
      {
        type: "bar",
        orientation: "h",
        x: pairs.map(([, n]) => n),
        y: pairs.map(([name]) => name),
        marker: { color: palette.series[2] },
      },
    ],
    layout: {
      height: 220,
      margin: { l: 8, r: 16, t: 8, b: 32 },
      xaxis: { type: "log", ...logTicks(pairs.map(([, n]) => n)) },
    },
  }));
}
