// All good lists of a run: columns that are needed, filters, a tree of rules, and one list to adopt.

import { listsPlot } from "./alternatives_plot.js";
import { ORDERS, chosen, rateWords, rulesOf, treeOf, written } from "./alternatives_set.js";
import { post } from "./api.js";
import { field, h, replace, select, tableOf } from "./dom.js";
import { count, decimal, decimalDown, percent, plural } from "./format.js";
import { liveList } from "./rules.js";
import { ended } from "./job.js";
import { complain } from "./shell.js";

const MOST_ROWS = 20;
const MOST_CHILDREN = 12;

export function browse(run, found) {
  let set = found;
  const wanted = {
    without: null,
    using: null,
    maxLength: null,
    group: set.gaps.length > 0 ? 0 : null,
    maxGap: null,
    order: "objective",
  };
  const said = h("p", { id: "alternatives-count", role: "status" });
  const tree = h("div", {});
  const table = h("div", {});
  const picked = h("div", { id: "alternatives-picked" });
  const open = (index) => replace(picked, choice(run, set, index, wanted));
  const pick = (index) => {
    open(index);
    picked.scrollIntoView({ block: "nearest" });
  };
  const plot = listsPlot(pick);
  function show() {
    set = written(found, wanted);
    const places = chosen(set, wanted);
    replace(said, sentence(set, places.length));
    replace(tree, rulesTree(set, treeOf(set, places), places.length, pick));
    replace(table, listTable(set, places, wanted.group, pick));
    plot.draw(set, places, wanted.group).catch(complain);
  }
  queueMicrotask(show);
  const kept = run.jobs.adopt;
  if (kept?.state === "finished" && kept.outcome.pick < set.prefixes.length) open(kept.outcome.pick);
  return h(
    "div",
    {},
    summary(set),
    h("h3", { class: "sub" }, "Which columns are needed"),
    columnsTable(set),
    h("h3", { class: "sub" }, "Browse the lists"),
    filters(set, wanted, show),
    said,
    plot.element,
    h("h4", { class: "sub" }, "By first rule, second rule, …"),
    tree,
    h("h4", { class: "sub" }, "As a table"),
    table,
    picked,
  );
}

function summary(set) {
  const same = set.predictions < set.lists ? `, with ${count(set.predictions)} different predictions` : "";
  const upTo = `complete up to an objective of ${decimalDown(set.complete_up_to)}`;
  const early = set.status === "complete" ? "" : "; a limit ended the search there";
  return h(
    "p",
    { id: "alternatives-summary" },
    h("strong", {}, plural(set.lists, "list")),
    ` (${count(set.orders)} orders of rules)${same}: ${upTo}${early}.`,
  );
}

function sentence(set, n) {
  const all = set.prefixes.length;
  const first = all < set.lists ? ` of the ${count(all)} best` : ` of ${count(all)}`;
  return `${plural(n, "list")}${first}`;
}

function columnsTable(set) {
  const rows = [...set.columns].sort((a, b) => b.lists - a.lists);
  const without = (each) =>
    each.best_without === null
      ? `more than ${decimalDown(set.complete_up_to - set.optimum)}`
      : decimal(Math.max(0, each.best_without - set.optimum));
  return scroll(
    "Which columns are needed",
    tableOf(
      { class: "cells needed stacked", style: { "--figures": 3 } },
      [
        h("th", { scope: "col", class: "full" }, "Column"),
        number("In lists"),
        "Share",
        number("Doing without it costs"),
      ],
      rows.map((each) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", class: "full" }, each.name),
          h("td", { class: "n" }, count(each.lists)),
          h("td", {}, shareBar(each.lists / Math.max(1, set.lists))),
          h("td", { class: "n" }, without(each)),
        ),
      ),
    ),
  );
}

const number = (text) => h("th", { scope: "col", class: "n" }, text);

const shareBar = (share, text = percent(share)) =>
  h(
    "span",
    { class: "share" },
    h("span", { class: "share-fill", style: { width: `${(6 * share).toFixed(2)}rem` } }),
    text,
  );

function filters(set, wanted, show) {
  const change = (name, read) => (event) => {
    wanted[name] = event.target.value === "" ? null : read(event.target.value);
    show();
  };
  const columns = () => [["", "any"], ...set.column_names.map((name, index) => [index, name])];
  const longest = Math.max(0, ...set.prefixes.map((each) => each.length));
  const lengths = Array.from({ length: longest + 1 }, (_, index) => index);
  const controls = [
    field(
      "Without column",
      select(columns(), "", {
        id: "alternatives-without",
        onchange: change("without", Number),
      }),
    ),
    field(
      "With column",
      select(columns(), "", {
        id: "alternatives-using",
        onchange: change("using", Number),
      }),
    ),
    field(
      "Rules, at most",
      select([["", "any"], ...lengths], "", {
        id: "alternatives-most",
        onchange: change("maxLength", Number),
      }),
    ),
  ];
  if (set.gaps.length > 0) {
    controls.push(
      field(
        "Groups",
        select([["", "none"], ...set.gaps.map((each, index) => [index, each.column])], 0, {
          id: "alternatives-group",
          onchange: change("group", Number),
        }),
      ),
      field(
        `Gap in ${rateWords(set.gaps[0].rate)}, at most`,
        h("input", {
          id: "alternatives-gap",
          type: "number",
          min: 0,
          max: 1,
          step: 0.01,
          oninput: change("maxGap", Number),
        }),
      ),
    );
  }
  const orders = set.gaps.length > 0 ? ORDERS : ORDERS.filter(([name]) => name !== "gap");
  controls.push(
    field(
      "Sort by",
      select(orders, "objective", { id: "alternatives-sort", onchange: change("order", String) }),
    ),
  );
  return h("div", { class: "row low" }, controls);
}

const scroll = (label, ...children) =>
  h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, children);

const ruleText = (set, node) => `${set.antecedents[node.antecedent]} → ${set.classes[node.label]}`;

// Each level is a list of rules; a rule that others follow can be opened.
function rulesTree(set, node, total, pick) {
  const few = node.children.slice(0, MOST_CHILDREN);
  const rest = node.children.length - few.length;
  return h(
    "ul",
    { class: "rules-tree" },
    node.ends.map((index) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "quiet small", onclick: () => pick(index) },
          `else ${rulesOf(set, index).at(-1).label}, objective ${decimal(set.objectives[index])}`,
        ),
      ),
    ),
    few.map((child) => {
      const inside = h("div", {});
      const branch = h(
        "details",
        {},
        h(
          "summary",
          {},
          h("span", { class: "rule-text" }, ruleText(set, child)),
          shareBar(child.count / total, plural(child.count, "list")),
        ),
        inside,
      );
      branch.addEventListener("toggle", () => {
        if (branch.open) replace(inside, rulesTree(set, child, total, pick));
      });
      return h("li", {}, branch);
    }),
    rest > 0 ? h("li", { class: "hint" }, `and ${plural(rest, "rule")} with fewer lists`) : null,
  );
}

function listTable(set, places, group, pick) {
  const box = h("div", {});
  let most = MOST_ROWS;
  function draw() {
    replace(box, rowsTable(set, places.slice(0, most), group, pick), places.length > most ? more() : null);
  }
  const more = () =>
    h(
      "button",
      {
        type: "button",
        class: "small",
        id: "alternatives-more",
        onclick: () => {
          most *= 5;
          draw();
        },
      },
      `Show more than ${count(most)}`,
    );
  draw();
  return box;
}

function rowsTable(set, few, group, pick) {
  const gaps = group === null ? null : set.gaps[group].gaps;
  const numbers = ["Objective", "Accuracy", "Rules", ...(gaps ? ["Gap"] : [])];
  return scroll(
    "Lists",
    tableOf(
      { class: "cells stacked", style: { "--figures": numbers.length } },
      [...numbers.map(number), h("th", { scope: "col", class: "full" }, "List"), h("td", { class: "full" })],
      few.map((index) =>
        h(
          "tr",
          {},
          h("td", { class: "n" }, decimal(set.objectives[index])),
          h("td", { class: "n" }, percent(set.accuracies[index])),
          h("td", { class: "n" }, set.prefixes[index].length),
          gaps ? h("td", { class: "n" }, decimal(gaps[index])) : null,
          h("td", { class: "list-text full" }, lineOf(set, index)),
          h(
            "td",
            { class: "full" },
            h(
              "button",
              {
                type: "button",
                class: "small",
                "aria-label": `Look at list ${index + 1}`,
                onclick: () => pick(index),
              },
              "Look",
            ),
          ),
        ),
      ),
    ),
  );
}

function lineOf(set, index) {
  return rulesOf(set, index)
    .map((rule) => (rule.antecedent === null ? `else ${rule.label}` : `${rule.antecedent} → ${rule.label}`))
    .join("; ");
}

// One list beside the run's own, and the controls to adopt it.
function choice(run, set, index, wanted) {
  const { group } = wanted;
  const own = run.result.rules.map((rule) => ({
    antecedent: rule.clauses.length === 0 ? null : rule.clauses.map((each) => `(${each})`).join(" and "),
    label: rule.label,
  }));
  const keep = h("div", { class: "row" });
  const name = (column) => (column === null ? null : set.column_names[column]);
  adoption(run, { index, without: name(wanted.without), using: name(wanted.using) }, keep);
  const gap = group === null ? "" : `, gap in ${rateWords(set.gaps[group].rate)} ${decimal(set.gaps[group].gaps[index])}`;
  return h(
    "div",
    { class: "two even picked" },
    h(
      "div",
      {},
      h("h4", { class: "sub" }, `List ${count(index + 1)}`),
      liveList(rulesOf(set, index)),
      h(
        "p",
        { class: "hint" },
        `Objective ${decimal(set.objectives[index])}, ${decimal(Math.max(0, set.objectives[index] - set.optimum))} above the optimum; accuracy ${percent(set.accuracies[index])}${gap}; ${plural(set.n_orders[index], "order")} of its rules.`,
      ),
      keep,
    ),
    h(
      "div",
      {},
      h("h4", { class: "sub" }, "This run's list"),
      liveList(own),
      h(
        "p",
        { class: "hint" },
        `Objective ${decimal(run.result.objective)}; accuracy ${percent(run.result.accuracy)}.`,
      ),
    ),
  );
}

function adoption(run, asked, box) {
  const start = () =>
    h("button", { type: "button", id: "alternatives-adopt", onclick: begin }, "Adopt this list");
  async function begin() {
    replace(box, h("p", { class: "stage", role: "status" }, "Writing its model and its proof…"));
    try {
      await post(`/api/runs/${run.id}/alternatives/adopt`, asked);
      const job = await ended(run, "adopt", box);
      run.jobs.adopt = job;
      if (!job) replace(box, start());
      else if (job.state === "failed") replace(box, h("p", { class: "warning" }, job.outcome.error), start());
      else replace(box, files());
    } catch (error) {
      replace(box, start());
      complain(error);
    }
  }
  const files = () =>
    ["alternative.json", "alternative.cert"].map((name) =>
      h(
        "a",
        { class: "button", href: `/api/runs/${run.id}/alternatives/${name}`, download: name },
        name === "alternative.json" ? "Model" : "Certificate",
      ),
    );
  const kept = run.jobs.adopt;
  replace(box, kept?.state === "finished" && kept.outcome.pick === asked.index ? files() : start());
}
