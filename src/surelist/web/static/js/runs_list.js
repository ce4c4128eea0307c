// The runs on the first page: found by a text, and deleted one by one or many at once.

import { remove } from "./api.js";
import { h, replace } from "./dom.js";
import { badge, percent, plural, when } from "./format.js";
import { complain, dialog } from "./shell.js";

const FROM = 6; // so many runs need a filter

// Whether a run is what somebody looks for: each word is in its name, its data or its state.
export function fits(run, text) {
  const about = `${run.name} ${run.dataset_name ?? ""} ${badge(run)[1]}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => about.includes(word));
}

// The columns that a list asks about although there are warnings about them.
export function warnedColumns(run) {
  return run.outcome.warned ?? []; // earlier versions did not keep them
}

function caution(run) {
  const names = warnedColumns(run);
  if (names.length === 0) return null;
  return h("span", { class: "badge warn long" }, `Asks about ${names.slice(0, 2).join(", ")}${names.length > 2 ? "…" : ""}: see its warnings`);
}

// `changed` looks again at what there is; `deleteOne(run)` is the button on a card.
export function runsList(changed, deleteOne) {
  const chosen = new Set();
  let runs = [];
  const search = h("input", {
    type: "search",
    id: "runs-filter",
    placeholder: "Name, data or state",
    "aria-label": "Show runs with",
  });
  const all = h("input", { type: "checkbox", id: "runs-all" });
  const erase = h("button", { type: "button", class: "danger small", id: "runs-delete" });
  const said = h("p", { class: "hint", role: "status" });
  const tools = h(
    "div",
    { class: "row tools" },
    search,
    h("span", { class: "check inline" }, all, h("label", { for: "runs-all" }, "Choose all shown")),
    erase,
    said,
  );
  const cards = h("ul", { class: "cards" });
  const box = h(
    "section",
    { "aria-labelledby": "runs" },
    h("h2", { id: "runs" }, "Your runs"),
    tools,
    cards,
  );
  const shown = () => runs.filter((run) => fits(run, search.value.trim()));

  function count() {
    const found = shown();
    const marked = found.filter((run) => chosen.has(run.id)).length;
    all.checked = marked > 0 && marked === found.length;
    all.indeterminate = marked > 0 && marked < found.length;
    erase.hidden = marked === 0;
    replace(erase, `Delete ${plural(marked, "run")}`);
    replace(said, found.length < runs.length ? `${found.length} of ${plural(runs.length, "run")}` : "");
  }

  function card(run) {
    const [kind, text] = badge(run);
    const mark = h("input", {
      type: "checkbox",
      "aria-label": `Choose the run “${run.name}”`,
      checked: chosen.has(run.id),
    });
    mark.addEventListener("change", () => {
      if (mark.checked) chosen.add(run.id);
      else chosen.delete(run.id);
      count();
    });
    return h(
      "li",
      { class: "card run-card" },
      runs.length >= FROM ? mark : null,
      h(
        "div",
        { class: "grow" },
        h("a", { class: "title", href: `/runs/${run.id}` }, run.name),
        h("p", { class: "hint" }, `${run.dataset_name} · ${when(run.created)}`),
      ),
      run.outcome.accuracy !== undefined
        ? h("span", { class: "figure" }, percent(run.outcome.accuracy), h("small", {}, "accuracy"))
        : null,
      caution(run),
      h("span", { class: `badge ${kind}` }, text),
      deleteOne(run),
    );
  }

  function draw() {
    replace(cards, shown().map(card));
    count();
  }

  async function eraseChosen() {
    // Only visible runs: a selected run that the filter hides is not deleted.
    const marked = shown().filter((run) => chosen.has(run.id));
    const what = plural(marked.length, "run");
    const sure = await dialog(
      `Delete ${what}?`,
      `This deletes ${what} with models and certificates from this machine, for good.`,
      "Delete",
    );
    if (!sure) return;
    erase.disabled = true;
    try {
      for (const run of marked) {
        await remove(`/api/runs/${run.id}`);
        chosen.delete(run.id);
      }
    } catch (error) {
      complain(error);
    }
    erase.disabled = false;
    changed();
  }

  search.addEventListener("input", draw);
  all.addEventListener("change", () => {
    for (const run of shown()) {
      if (all.checked) chosen.add(run.id);
      else chosen.delete(run.id);
    }
    draw();
  });
  erase.addEventListener("click", eraseChosen);

  function show(found) {
    const focused = cards.contains(document.activeElement)
      ? document.activeElement.getAttribute("aria-label")
      : null;
    runs = found;
    box.hidden = runs.length === 0;
    tools.hidden = runs.length < FROM;
    draw();
    if (focused)
      [...cards.querySelectorAll("[aria-label]")]
        .find((each) => each.getAttribute("aria-label") === focused)
        ?.focus();
  }
  return { box, show };
}
