// Score a new file: what the list predicts there, what has changed, and how well it does.

import { get, post, upload } from "./api.js";
import { h, panel, replace, tableOf } from "./dom.js";
import { accuracyWords, chance, driftWords, unseen } from "./drift.js";
import { percent, plural } from "./format.js";
import { groups } from "./groups.js";
import { complain } from "./shell.js";
import { matrix } from "./understand.js";

export function score(run) {
  const body = h("div", { id: "scored", "aria-live": "polite" });
  const input = h("input", { type: "file", id: "score-file", class: "visually-hidden" });
  const line = h("p", { class: "dropline", role: "status" });
  const drop = h(
    "div",
    { class: "drop small" },
    input,
    h("label", { class: "button", for: "score-file" }, "Choose a file"),
    h("p", { class: "hint" }, "Or drop it here. The file itself is not kept."),
    line,
  );
  async function take(file) {
    if (!file) return;
    line.textContent = `Reading ${file.name}…`;
    try {
      const sent = await upload(file, () => {});
      show(await post(`/api/runs/${run.id}/score`, { upload: sent.id }));
    } catch (error) {
      complain(error);
    }
    line.textContent = "";
    input.value = "";
  }
  input.addEventListener("change", () => take(input.files[0]));
  drop.addEventListener("dragover", (event) => event.preventDefault());
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  const show = (found) => replace(body, found ? results(run, found) : null);
  get(`/api/runs/${run.id}/score`).then(show, complain);
  return panel(
    "score",
    "Score a new file",
    "A table with the columns that the rules ask about. You see what has changed since training, and how well the list does if the file has labels.",
    drop,
    body,
  );
}

function results(run, found) {
  const drifted = found.columns.filter((each) => each.drifted || each.problem);
  return [
    h(
      "div",
      { class: drifted.length ? "verdict" : "verdict sure", id: "drift-verdict" },
      h("strong", {}, driftWords(found)),
      h("p", {}, accuracyWords(found, run.result.accuracy)),
      h(
        "p",
        {},
        h(
          "a",
          { class: "button", href: `/api/runs/${run.id}/score/predictions.csv`, download: "" },
          "Download the predictions",
        ),
      ),
    ),
    drifts(found),
    captured(found),
    found.confusion ? matrix(`On ${found.file}`, found.classes, found.confusion) : null,
    found.groups.length ? groups(found, null, "new-") : null,
  ];
}

// The columns of the rules and those of which there is something to say; the others on demand.
function drifts(found) {
  const telling = (each) => each.used || each.drifted || each.problem || unseen(each) !== "";
  const rest = found.columns.filter((each) => !telling(each));
  return [
    h("h3", { class: "sub" }, "What has changed"),
    driftTable(found.columns.filter(telling), "drift"),
    rest.length
      ? h(
          "details",
          { id: "unchanged" },
          h("summary", {}, `${plural(rest.length, "other column")}, not much changed`),
          driftTable(rest, "no-drift"),
        )
      : null,
    h(
      "p",
      { class: "hint" },
      "Rows elsewhere: the share of rows that would have to lie elsewhere (total variation), by value, or by deciles of the training rows. By chance: how often files of the same kind would differ as much (chi-squared test). A column has changed from 10 % of the rows on, at less than 0.1 % by chance.",
    ),
  ];
}

function driftTable(columns, id) {
  const share = (value) => (value === null ? "–" : percent(value));
  const heads = ["Column", "Rows elsewhere", "By chance", "Missing before", "now", "Not seen in training"];
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Drift of columns" },
    tableOf(
      { class: "cells rates stacked", id, style: { "--figures": 4 } },
      heads.map((text, at) =>
        h("th", { scope: "col", class: at > 0 && at < 5 ? "n" : "full" }, text),
      ),
      columns.map((each) =>
        h(
          "tr",
          { class: each.drifted || each.problem ? "drifted" : null },
          h(
            "th",
            { scope: "row", class: "full" },
            each.name,
            each.used ? h("small", {}, "in the rules") : null,
          ),
          h("td", { class: "n" }, share(each.moved)),
          h("td", { class: "n" }, chance(each.chance)),
          h("td", { class: "n" }, each.missing ? percent(each.missing[0]) : "–"),
          h("td", { class: "n" }, each.missing ? percent(each.missing[1]) : "–"),
          h("td", { class: "full" }, unseen(each)),
        ),
      ),
    ),
  );
}

function captured(found) {
  return [
    h("h3", { class: "sub" }, "What the rules capture"),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows of each rule" },
      tableOf(
        { class: "cells stacked", style: { "--figures": 2 } },
        ["Rule", "In training", "In the file"].map((text, at) =>
          h("th", { scope: "col", class: at ? "n" : "full" }, text),
        ),
        found.rules.map((each) =>
          h(
            "tr",
            {},
            h("th", { scope: "row", class: "full" }, each.text),
            h("td", { class: "n" }, percent(each.training)),
            h("td", { class: "n" }, percent(each.file)),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "hint" },
      `Predicted ${found.predicted.map((each) => `${each.label}: ${plural(each.part, "row")}`).join("; ")}.`,
    ),
  ];
}
