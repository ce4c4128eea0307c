// Every list of a set as a point: its objective against the gap between groups, or its accuracy. A
// click on a point opens the list.

import { kindsOf, rateWords, rulesOf } from "./alternatives_set.js";
import { chart, chartBox, plain } from "./charts.js";
import { h } from "./dom.js";
import { count } from "./format.js";

const MOST_POINTS = 5000;
const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "cross", "circle-open"];

const name = (set, kind, index) => {
  const column = kind.column === null ? null : plain(set.column_names[kind.column]);
  if (kind.column === null) return index === 0 ? "all lists" : "the others";
  return index === 0 ? column : `else ${column}`;
};

const hover = (set, index) =>
  rulesOf(set, index)
    .map((rule) => (rule.antecedent === null ? `else ${rule.label}` : `${rule.antecedent} → ${rule.label}`))
    .map(plain)
    .join("<br>");

export function listsPlot(pick) {
  const box = chartBox("Objective of each list against the gap between groups or its accuracy", {
    id: "alternatives-plot",
  });
  const said = h("p", { class: "hint", id: "alternatives-plot-hint" });
  let listens = false;
  async function draw(set, places, group) {
    const few = [...places].sort((a, b) => set.objectives[a] - set.objectives[b]).slice(0, MOST_POINTS);
    const height = group === null ? set.accuracies : set.gaps[group].gaps;
    const title = group === null ? "accuracy" : `gap in ${rateWords(set.gaps[group].rate)}`;
    const best = few.length < places.length ? ` The ${count(few.length)} best are drawn.` : "";
    said.textContent = `Coloured by the columns that lists use: those with the first column, of the others those with the next, and so on.${best} Click a point to see its list.`;
    await chart(box, (palette) => ({
      traces: kindsOf(set, few).map((kind, index) => ({
        type: "scatter",
        mode: "markers",
        name: `${name(set, kind, index)} (${count(kind.places.length)})`,
        x: kind.places.map((each) => set.objectives[each]),
        y: kind.places.map((each) => height[each]),
        customdata: kind.places,
        text: kind.places.map((each) => hover(set, each)),
        hovertemplate: "%{text}<extra></extra>",
        marker: {
          color: kind.column === null ? palette.soft : palette.series[index],
          symbol: SYMBOLS[kind.column === null ? SYMBOLS.length - 1 : index],
          size: 7,
          opacity: 0.75,
        },
      })),
      layout: {
        height: 340,
        xaxis: { title: { text: "objective" } },
        yaxis: { title: { text: title } },
      },
    }));
    if (listens || !box.on) return;
    listens = true;
    box.on("plotly_click", (event) => pick(event.points[0].customdata));
  }
  return { element: h("div", {}, box, said), draw };
}
