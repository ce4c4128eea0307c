// One run: watched while it searches, understood and kept once it is done.

import { againButton, further } from "./again.js";
import { alternatives } from "./alternatives.js";
import { get, patch, remove } from "./api.js";
import { chartBox } from "./charts.js";
import { concluded } from "./course.js";
import { h, replace, select } from "./dom.js";
import { count, decimal, duration, size, when } from "./format.js";
import { cautions } from "./findings.js";
import { crossed } from "./crossed.js";
import { fairness } from "./fairness.js";
import { groups } from "./groups.js";
import { keep } from "./keep.js";
import { path } from "./path.js";
import { person } from "./person.js";
import { reproduce } from "./reproduce.js";
import { rivals } from "./rivals.js";
import { showRows } from "./rows.js";
import { liveList } from "./rules.js";
import { score } from "./score.js";
import { complain, dialog, shell, steps, trouble } from "./shell.js";
import { heldOut } from "./test.js";
import { confusions, figures, rules, verdict } from "./understand.js";
import { drawCourse, drawPrunes, watch } from "./watch.js";

const main = shell("");
const id = location.pathname.split("/")[2];

function heading(run) {
  const title = h("h1", {}, run.name);
  const rename = async () => {
    const name = prompt("Another name for this run", run.name)?.trim();
    if (!name) return;
    try {
      run.name = (await patch(`/api/runs/${id}`, { name })).name;
      title.textContent = run.name;
    } catch (error) {
      complain(error);
    }
  };
  const erase = async () => {
    if (
      !(await dialog(
        "Delete this run?",
        "Its model and its certificate are deleted from this machine, for good.",
        "Delete",
      ))
    )
      return;
    try {
      await remove(`/api/runs/${id}`);
      location.assign("/");
    } catch (error) {
      complain(error);
    }
  };
  return h(
    "div",
    { class: "heading" },
    h(
      "div",
      { class: "grow" },
      title,
      h(
        "p",
        { class: "hint" },
        h("a", { href: `/data/${run.dataset}` }, run.dataset_name),
        ` · ${when(run.created)}`,
      ),
    ),
    h(
      "div",
      { class: "row" },
      againButton(run),
      h("button", { type: "button", class: "quiet small", onclick: rename }, "Rename"),
      h("button", { type: "button", class: "quiet small", onclick: erase }, "Delete"),
    ),
  );
}

function settled(run, measured) {
  document.title = `${run.name} · Surelist`;
  const links = { Data: `/data/${run.dataset}`, "Set up": `/data/${run.dataset}/setup` };
  if (run.state === "failed") {
    return replace(
      main,
      steps(2, links),
      heading(run),
      h(
        "div",
        { class: "verdict bad" },
        h("strong", {}, "There is no result"),
        h("p", { id: "failure" }, `${capital(run.outcome.error)}.`),
      ),
      lastList(),
      h(
        "p",
        {},
        h("a", { class: "button primary", href: `/data/${run.dataset}/setup` }, "Set up another"),
      ),
    );
  }
  const { result } = run;
  const tested = heldOut(run);
  return replace(
    main,
    steps(3, links),
    heading(run),
    verdict(result),
    cautions(result),
    further(run, measured),
    figures(result, tested.figure),
    h(
      "nav",
      { class: "onpage", "aria-label": "On this page" },
      [
        ["#rules", "Rules"],
        ["#try", "Try one person"],
        ["#right", "Right and wrong"],
        ["#groups", "Groups"],
        ["#compared", "Compared with what?"],
        ["#path", "Another λ"],
        ["#alternatives", "All good lists"],
        ["#score", "Score a file"],
        ["#keep", "Keep and verify"],
        ["#reproduce", "Settings"],
        ["#search", "The search"],
      ].map(([href, text]) => h("a", { href, onclick: () => unfold(href) }, text)),
    ),
    rules(result),
    person(run),
    confusions(result, tested.table, (actual, predicted) =>
      showRows(run, `Rows that are ${actual}, predicted ${predicted}`, { actual, predicted }),
    ),
    groups(result, (name, value) => showRows(run, `${name}: ${value}`, { groups: { [name]: value } })),
    crossed(run),
    fairness(run),
    rivals(run),
    path(run),
    alternatives(run),
    score(run),
    keep(run),
    reproduce(run),
    course(run),
    comparison(run),
  );
}

// What a link leads to is open when it is reached.
function unfold(href) {
  const target = document.querySelector(href);
  if (target?.tagName === "DETAILS") target.open = true;
}

// What a run without a result had shown last: to read, at least.
function lastList() {
  const box = h("div", {});
  get(`/api/runs/${id}/progress`)
    .then(({ points }) => {
      const last = points.findLast((point) => point.rules);
      if (last)
        replace(
          box,
          h(
            "section",
            { class: "panel" },
            h("h2", {}, "The best rule list that it had found"),
            liveList(last.rules),
            h("p", { class: "hint" }, `Its objective was ${decimal(last.objective)}.`),
          ),
        );
    })
    .catch(complain);
  return box;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function course(run) {
  const { counters, pruned } = run.result;
  const main_ = chartBox("Objective and lower bound over time");
  const prunes = chartBox("Prefixes cut off by each bound", { small: true });
  const box = h(
    "details",
    { class: "panel", id: "search" },
    h("summary", {}, h("h2", {}, "How the search went")),
    h(
      "dl",
      { class: "facts wide" },
      [
        ["Time", duration(counters.time)],
        ["Prefixes", count(counters.expanded)],
        ["Antecedents", count(run.result.antecedents)],
        ["Groups", count(run.result.equivalent_groups)],
        ["Longest queue", count(counters.max_queue)],
        ["Memory", size(counters.max_memory)],
      ].map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
    main_,
    h("h3", { class: "sub" }, "Cut off, by bound"),
    prunes,
  );
  box.addEventListener("toggle", async () => {
    if (!box.open) return;
    try {
      const { points } = await get(`/api/runs/${id}/progress`);
      await drawCourse(main_, concluded(points, run.result));
      await drawPrunes(prunes, { pruned });
    } catch (error) {
      complain(error);
    }
  });
  return box;
}

function comparison(run) {
  const box = h("section", { class: "panel" });
  get("/api/runs")
    .then((found) => {
      const others = found.filter((each) => each.id !== run.id && each.state === "finished");
      if (others.length === 0) return box.remove();
      const control = select(
        others.map((each) => [each.id, `${each.name} (${each.dataset_name})`]),
        others[0].id,
        { id: "other", "aria-label": "Run to compare with" },
      );
      return replace(
        box,
        h("h2", {}, "Compare with another run"),
        h(
          "div",
          { class: "row" },
          control,
          h(
            "button",
            {
              type: "button",
              onclick: () => location.assign(`/compare?a=${run.id}&b=${control.value}`),
            },
            "Compare",
          ),
        ),
      );
    })
    .catch(complain);
  return box;
}

async function show() {
  const [run, measured] = await Promise.all([get(`/api/runs/${id}`), get("/api/outlooks")]);
  document.title = `${run.name} · Surelist`;
  if (run.state === "finished" || run.state === "failed") return settled(run, measured);
  return replace(
    main,
    steps(2, { Data: `/data/${run.dataset}` }),
    heading(run),
    watch(
      run,
      measured,
      () => show().catch((error) => trouble(main, error)),
      (error) => trouble(main, error),
    ),
  );
}

show().catch((error) => trouble(main, error));
