// What to change where a search will not end by itself: each piece of advice is one click.

import { post } from "./api.js";
import { h, replace } from "./dom.js";
import { duration, plural } from "./format.js";
import { LAMBDAS } from "./lambda.js";
import { complain } from "./shell.js";

// The first stop of the slider that is at least twice a price; null if there is none.
function dearer(price) {
  return LAMBDAS.find((each) => Number(each) >= 1.999 * Number(price)) ?? null;
}

// Settings with which the proof would be shorter: [{ text, why, change }], the surest first.
export function adviceFor(settings, provenLength = 0, single = null) {
  const found = [];
  if (settings.max_clauses > 1)
    found.push({
      text: "One clause in a rule",
      why: single
        ? `Far fewer antecedents: ${single.ended} of ${single.of} such searches were proven within ${plural(single.within, "second")}.`
        : "Far fewer antecedents, so a far shorter proof.",
      change: { max_clauses: 1 },
    });
  if (provenLength >= 1 && (settings.max_length ?? Infinity) > provenLength)
    found.push({
      text: `Lists of at most ${plural(provenLength, "rule")}`,
      why: "The proof has already come that far. With this limit it is then complete.",
      change: { max_length: provenLength },
    });
  const price = dearer(settings.regularization);
  if (price !== null)
    found.push({
      text: `A larger λ: ${price}`,
      why: "A rule then has to get more rows right, so lists are shorter, and proven sooner.",
      change: { regularization: price },
    });
  const fewer = Math.floor((settings.max_features ?? 28) / 2);
  if (fewer >= 6)
    found.push({
      text: `Fewer conditions: the ${fewer} most informative`,
      why: "Half the conditions make about a quarter of the pairs.",
      change: { max_features: fewer },
    });
  return found;
}

// What became of measured searches that were still going after as long.
export function outlookWords(outlook) {
  if (!outlook?.going) return "";
  const { going, ended, within, after, proven } = outlook;
  return (
    `Of ${going} searches measured on real tables that were not proven after ` +
    `${plural(after, "second")}, ${ended === 0 ? "none was" : `${ended} ${ended === 1 ? "was" : "were"}`} ` +
    `within ${plural(within, "second")}. By then, half of them had excluded better lists of up to ${plural(proven, "rule")}.`
  );
}

// What a short trial of a search says, and what usually comes of such searches.
export function trialWords({ status, seconds, limit, proven_length: proven, outlook }) {
  if (status === "optimal") {
    const time = seconds < 0.1 ? "less than 0.1 s" : duration(seconds);
    return `Easy: a trial just now proved it in ${time}.`;
  }
  const tried = `Hard: a trial of ${plural(limit, "second")} did not prove it`;
  const far = proven ? `, only that no list of up to ${plural(proven, "rule")} is better` : "";
  return `${tried}${far}. ${outlookWords(outlook)}`;
}

// The outlook to quote: that of the last mark that a search has passed.
export function outlookAfter(outlooks, seconds) {
  return outlooks.findLast((each) => each.after <= seconds) ?? null;
}

// Buttons that end this run, keep its best list, and search with something changed.
export function adviceButtons(run, provenLength, { searching, single = null }) {
  const follow = async (change, button) => {
    button.disabled = true;
    try {
      if (searching) await post(`/api/runs/${run.id}/stop`);
      const made = await post("/api/runs", {
        dataset: run.dataset,
        settings: { ...run.settings, ...change },
      });
      location.assign(`/runs/${made.id}`);
    } catch (error) {
      button.disabled = false;
      complain(error);
    }
  };
  return h(
    "ul",
    { class: "advice-list" },
    adviceFor(run.settings, provenLength, single).map(({ text, why, change }) => {
      const button = h("button", { type: "button", class: "small" }, text);
      button.addEventListener("click", () => follow(change, button));
      return h("li", {}, button, h("span", { class: "hint" }, why));
    }),
  );
}

// A panel for a long search; hidden until the search has run for a while.
export function advicePanel(run, { outlooks, single }) {
  const words = h("p", {});
  const buttons = h("div", {});
  const box = h(
    "div",
    { class: "panel advice", id: "advice", hidden: true },
    h("h2", {}, "This may not end by itself"),
    words,
    h("p", { class: "hint" }, "Each of these stops this search, keeps its list, and begins another:"),
    buttons,
  );
  let shown = null;
  function show(seconds, provenLength) {
    const outlook = outlookAfter(outlooks, seconds);
    if (outlook === null || seconds < 10) return;
    const key = `${outlook.after} ${provenLength}`;
    if (key === shown) return;
    shown = key;
    replace(words, outlookWords(outlook));
    // A button must not be replaced under the pointer, or the focus.
    if (!buttons.contains(document.activeElement))
      replace(buttons, adviceButtons(run, provenLength, { searching: true, single }));
    box.hidden = false;
  }
  return { box, show };
}
