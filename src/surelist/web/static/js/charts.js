// Charts by plotly.js, which is loaded when the first is drawn, in the colours of the page.

import { h } from "./dom.js";

let library = null;

function load() {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "/static/plotly.min.js";
    script.addEventListener("load", () => resolve(window.Plotly));
    script.addEventListener("error", () => reject(new Error("the charts could not be loaded")));
    document.head.append(script);
  });
  return library;
}

// Shares on an axis: as many digits as tell its ticks apart, so that no two are called the same.
export const SHARES = ".3~%";

// Plotly takes some markup in texts; what stands in a table must not become such.
export const plain = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const drawn = new Map();

function colours() {
  // The colour that light-dark() in the style sheet gives can only be read from an element.
  const probe = document.body.appendChild(document.createElement("i"));
  const of = (name) => {
    probe.style.setProperty("color", `var(${name})`);
    return getComputedStyle(probe).color;
  };
  const found = {
    soft: of("--soft"),
    line: of("--line"),
    series: [0, 1, 2, 3, 4, 5].map((index) => of(`--c${index}`)),
  };
  probe.remove();
  return found;
}

export function chartBox(label, { small = false, id = null } = {}) {
  return h("div", { class: small ? "chart small" : "chart", id, role: "img", "aria-label": label });
}

// `make` gets the colours and returns traces and layout, so that a change of theme can draw again.
export async function chart(element, make) {
  drawn.set(element, make);
  const plotly = await load();
  if (!element.isConnected && !document.contains(element)) return;
  const palette = colours();
  const { traces, layout } = make(palette);
  const axis = {
    gridcolor: palette.line,
    zerolinecolor: palette.line,
    linecolor: palette.line,
    automargin: true,
    fixedrange: true,
  };
  const full = {
    margin: { l: 56, r: 16, t: 32, b: 44 },
    height: 280,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "system-ui, sans-serif", size: 13, color: palette.soft },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0 },
    hovermode: "closest",
    ...layout,
    xaxis: { ...axis, ...layout.xaxis },
    yaxis: { ...axis, ...layout.yaxis },
  };
  if (layout.yaxis2) full.yaxis2 = { ...axis, ...layout.yaxis2 };
  await plotly.react(element, traces, full, { displayModeBar: false, responsive: true });
  element.dataset.points = traces.reduce((sum, trace) => sum + (trace.x?.length ?? 0), 0);
}

function again() {
  for (const [element, make] of drawn) {
    if (document.contains(element)) chart(element, make).catch(() => {});
    else drawn.delete(element);
  }
}

document.addEventListener("surelist:theme", again);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
