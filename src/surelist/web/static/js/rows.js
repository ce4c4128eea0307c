// Rows behind a number: those of a cell, of a group, or on which two models differ.

import { post } from "./api.js";
import { h, replace, tableOf } from "./dom.js";
import { count, plural } from "./format.js";
import { complain } from "./shell.js";

// Opens a dialog with the rows that are asked for; `heads` name what is predicted.
export function showRows(run, title, asked, heads = ["Predicted"]) {
  const body = h("div", { class: "rows-body" });
  const box = h(
    "dialog",
    { class: "rows", "aria-labelledby": "rows-title" },
    h(
      "div",
      { class: "row between" },
      h("h2", { id: "rows-title" }, title),
      h("button", { type: "button", id: "rows-close", onclick: () => box.close() }, "Close"),
    ),
    body,
  );
  box.addEventListener("close", () => box.remove());
  async function turn(offset) {
    body.setAttribute("aria-busy", "true");
    const found = await post(`/api/runs/${run.id}/rows`, { ...asked, offset });
    body.removeAttribute("aria-busy");
    replace(body, pages(found, turn), table(found, run.result, heads));
  }
  document.body.append(box);
  replace(body, h("p", { class: "stage" }, "Looking for the rows…"));
  box.showModal();
  turn(0).catch((error) => {
    box.close();
    complain(error);
  });
}

// A button that looks like what it says, and opens the rows behind it.
export function rowsButton(text, label, onclick) {
  return h("button", { type: "button", class: "figure-button", "aria-label": label, onclick }, text);
}

function pages(found, turn) {
  const last = found.offset + found.rows.length;
  const step = (text, offset, allowed) =>
    h(
      "button",
      {
        type: "button",
        class: "small",
        disabled: !allowed,
        onclick: () => turn(offset).catch(complain),
      },
      text,
    );
  const words =
    found.rows.length < found.total
      ? `Rows ${count(found.offset + 1)} to ${count(last)} of ${count(found.total)}`
      : plural(found.total, "row");
  return h(
    "div",
    { class: "row between" },
    h("p", { id: "rows-count", role: "status" }, words),
    found.rows.length < found.total
      ? h(
          "div",
          { class: "row" },
          step("Earlier", Math.max(0, found.offset - 50), found.offset > 0),
          step("Later", last, last < found.total),
        )
      : null,
  );
}

function table(found, result, heads) {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows" },
    tableOf(
      { class: "cells" },
      ["line", result.label ?? "label", ...heads, ...found.columns],
      found.rows.map((row) =>
        h(
          "tr",
          {},
          h("td", { class: "n" }, count(row.line)),
          h("td", {}, h("b", {}, row.label)),
          row.predicted.map((label) =>
            h(
              "td",
              { class: label === row.label ? null : "mistake" },
              label,
              label === row.label ? "" : " ✗",
            ),
          ),
          row.cells.map((cell) =>
            h("td", { class: cell === null ? "gone" : null }, cell ?? "missing"),
          ),
        ),
      ),
    ),
  );
}
