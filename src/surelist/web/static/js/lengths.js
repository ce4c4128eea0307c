// What a search has proven so far, length by length: that no list so short is better.

import { h, replace } from "./dom.js";
import { duration, plural } from "./format.js";

// When each length was proven: [[1, seconds], [2, seconds], …].
export function provenTimes(points) {
  const times = [];
  for (const point of points)
    while (times.length < (point.proven_length ?? 0)) times.push([times.length + 1, point.time]);
  return times;
}

// A list that grows as the proof does; its last line is what the search is at.
export function lengthsList() {
  const list = h("ol", { class: "lengths", id: "lengths" });
  let shown = "";
  function show(points) {
    const times = provenTimes(points);
    const next = times.length + 1;
    const lines = times.map(([length, seconds]) => [
      "done",
      `No better list of ${plural(length, "rule")}`,
      `proven after ${duration(seconds)}`,
    ]);
    lines.push(["now", `Lists of ${plural(next, "rule")}${next > 1 ? " and more" : ""}`, "being searched"]);
    const text = JSON.stringify(lines);
    if (text === shown) return;
    shown = text;
    replace(
      list,
      lines.map(([kind, what, when]) =>
        h("li", { class: kind }, h("span", {}, what), h("small", {}, when)),
      ),
    );
  }
  return { list, show };
}
