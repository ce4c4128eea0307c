// Go on from a run: continue its search, or set up another with what was chosen for it.

import { adviceButtons } from "./advice.js";
import { post } from "./api.js";
import { h } from "./dom.js";
import { loadChoices, saveChoices } from "./setup_state.js";
import { complain } from "./shell.js";

// What the set-up page is to begin with: everything as it was for this run.
export function choicesOf(run) {
  const { label, roles, relabel, ...settings } = run.settings;
  return {
    label,
    roles: roles ?? {},
    relabel: relabel ?? {},
    settings,
    ...(run.result ? { classes: run.result.classes } : {}),
  };
}

export function againButton(run) {
  return h(
    "button",
    {
      type: "button",
      class: "small",
      id: "again",
      onclick: () => {
        saveChoices(run.dataset, { ...loadChoices(run.dataset), ...choicesOf(run) });
        location.assign(`/data/${run.dataset}/setup`);
      },
    },
    "Run again with changes",
  );
}

// What to do about a gap: more time for this search, or another that ends.
export function further(run, { single }) {
  if (run.result.status === "optimal") return null;
  const go = h("button", { type: "button", class: "primary", id: "continue" }, "Continue the search");
  go.addEventListener("click", async () => {
    go.disabled = true;
    try {
      await post(`/api/runs/${run.id}/continue`);
      location.reload();
    } catch (error) {
      go.disabled = false;
      complain(error);
    }
  });
  return h(
    "details",
    { class: "panel", id: "further", open: run.can_continue },
    h("summary", {}, h("h2", {}, "Go on from here")),
    run.can_continue
      ? h(
          "div",
          {},
          h("p", {}, go),
          h(
            "p",
            { class: "hint" },
            "From where it was: nothing that was searched is searched again. It gets as much time as it had.",
          ),
        )
      : null,
    h("p", {}, "Or search for something that is proven sooner:"),
    adviceButtons(run, run.result.proven_length ?? 0, { searching: false, single }),
  );
}
