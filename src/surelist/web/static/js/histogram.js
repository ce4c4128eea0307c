// A histogram by class with cuts that can be moved: by pointer, by arrow keys, or typed.

import { fromDays, neatCut, settled, stepOf, toDays, withCut } from "./cuts.js";
import { h, replace, svg } from "./dom.js";
import { plural, short } from "./format.js";

const WIDTH = 360;
const HEIGHT = 96;

// Cuts are numbers; of dates they are texts such as "2024-01-31", and `changed` gets such texts.
export function histogram(column, given, change) {
  const dated = column.kind === "date" || column.kind === "moment";
  const cuts = dated ? given.map(toDays) : given;
  const changed = (found) => change(dated ? found.map(fromDays) : found);
  const say = dated ? fromDays : short;
  const { edges, counts } = column.histogram;
  const low = edges[0];
  const high = edges[edges.length - 1];
  const totals = edges.slice(1).map((_, bin) => counts.reduce((sum, each) => sum + each[bin], 0));
  const top = Math.max(...totals, 1);
  const x = (value) => (WIDTH * (value - low)) / (high - low || 1);
  const whole = dated || column.kind === "whole number";
  const step = stepOf(low, high, whole);
  const neat = (value) => neatCut(value, whole);
  let values = settled(cuts);

  const bars = [];
  totals.forEach((_, bin) => {
    let y = HEIGHT;
    counts.forEach((each, code) => {
      const tall = (HEIGHT * each[bin]) / top;
      y -= tall;
      const left = x(edges[bin]);
      bars.push(
        svg("rect", {
          class: `bar c${code % 6}`,
          x: left,
          y,
          width: Math.max(0.5, x(edges[bin + 1]) - left - 1),
          height: tall,
        }),
      );
    });
  });
  const lines = svg("g", {});
  const picture = svg(
    "svg",
    {
      class: "histogram",
      viewBox: `-6 -8 ${WIDTH + 12} ${HEIGHT + 12}`,
      preserveAspectRatio: "none",
      role: "group",
      "aria-label": `Histogram of ${column.name}`,
    },
    bars,
    lines,
  );
  const inputs = h("div", { class: "cuts" });

  function draw() {
    replace(
      lines,
      values.map((value, index) => {
        const handle = svg(
          "g",
          {
            class: "cut",
            tabindex: 0,
            role: "slider",
            "aria-label": `Cut ${index + 1} of ${column.name}`,
            "aria-valuemin": low,
            "aria-valuemax": high,
            "aria-valuenow": value,
            "aria-valuetext": dated ? fromDays(value) : null,
            transform: `translate(${x(value)} 0)`,
          },
          svg("line", { y1: -6, y2: HEIGHT + 2 }),
          svg("rect", { class: "grip", x: -4, y: -8, width: 8, height: 10, rx: 2 }),
          svg("rect", { class: "hit", x: -10, y: -8, width: 20, height: HEIGHT + 12 }),
        );
        handle.addEventListener("pointerdown", (event) => drag(event, handle, index));
        handle.addEventListener("keydown", (event) => {
          const by = {
            ArrowLeft: -step,
            ArrowDown: -step,
            ArrowRight: step,
            ArrowUp: step,
            PageDown: -10 * step,
            PageUp: 10 * step,
          }[event.key];
          if (by) {
            event.preventDefault();
            move(index, neat(values[index] + by), true);
            lines.children[Math.min(index, lines.children.length - 1)]?.focus();
          } else if (event.key === "Delete" || event.key === "Backspace") {
            event.preventDefault();
            drop(index);
          }
        });
        return handle;
      }),
    );
    replace(
      inputs,
      values.map((value, index) => {
        const input = h("input", {
          ...(dated ? { type: "date" } : { type: "number", step: "any" }),
          value: dated ? fromDays(value) : value,
          "aria-label": `Cut ${index + 1} of ${column.name}`,
        });
        input.addEventListener("change", () => {
          const typed = dated ? toDays(input.value) : Number(input.value);
          if (input.value !== "" && Number.isFinite(typed)) move(index, typed, true);
        });
        return h(
          "span",
          { class: "cutbox" },
          input,
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              "aria-label": `Remove cut ${say(value)} of ${column.name}`,
              onclick: () => drop(index),
            },
            "×",
          ),
        );
      }),
      h(
        "button",
        {
          type: "button",
          class: "quiet small",
          onclick: add,
          "aria-label": `Add a cut to ${column.name}`,
        },
        "+ cut",
      ),
    );
  }

  function move(index, value, settle) {
    values[index] = Math.min(Math.max(value, low), high);
    if (settle) {
      values = settled(values);
      draw();
      changed(values);
    } else {
      lines.children[index].setAttribute("transform", `translate(${x(values[index])} 0)`);
      inputs.children[index].querySelector("input").value = dated
        ? fromDays(values[index])
        : values[index];
    }
  }

  function drop(index) {
    values.splice(index, 1);
    draw();
    changed(values);
  }

  function add() {
    values = withCut(values, low, high, whole);
    draw();
    changed(values);
  }

  function drag(event, handle, index) {
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    const box = picture.getBoundingClientRect();
    const scale = (WIDTH + 12) / box.width;
    const moved = (at) =>
      move(
        index,
        neat(low + (((at.clientX - box.left) * scale - 6) / WIDTH) * (high - low)),
        false,
      );
    const done = () => {
      handle.removeEventListener("pointermove", moved);
      move(index, values[index], true);
    };
    handle.addEventListener("pointermove", moved);
    handle.addEventListener("pointerup", done, { once: true });
    handle.addEventListener("pointercancel", done, { once: true });
  }

  draw();
  return h(
    "div",
    { class: "histbox" },
    picture,
    h(
      "div",
      { class: "ends" },
      h("span", {}, say(whole ? Math.ceil(low) : low)),
      h("span", {}, `${plural(top, "row")} in the tallest bar`),
      h("span", {}, say(whole ? Math.floor(high) : high)),
    ),
    inputs,
  );
}
