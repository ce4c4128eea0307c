// The page for auditors: the uploaded files, the checker's verdict, and what no proof can say.

import { get, post, remove } from "./api.js";
import { auditFiles, handIn } from "./audit_files.js";
import { checking } from "./checking.js";
import { field, h, panel, replace, select } from "./dom.js";
import { cautions } from "./findings.js";
import { percent, plural } from "./format.js";
import { groups } from "./groups.js";
import { pause } from "./job.js";
import { record, ruleList } from "./rules.js";
import { complain, shell, trouble } from "./shell.js";
import { matrix } from "./understand.js";

const main = shell("audit");
const ROLES = {
  certificate: "certificate",
  bundle: "audit bundle",
  model: "model",
  data: "data",
};

function verdict(found, uploads) {
  const { state, statement, differs } = found.verdict;
  const kind = { verified: "verdict sure", refused: "verdict bad" }[state] ?? "verdict";
  return h(
    "div",
    { class: kind, role: "note", id: "audit-verdict" },
    h("strong", {}, statement),
    differs ? h("p", { id: "differs" }, `In the data, ${differs}.`) : null,
    found.verdict.choose_label ? whichLabel(found, uploads) : null,
    state === "verified" ? exactly(found.verdict) : null,
    state === "unchecked" && !found.data
      ? h("p", {}, "Below is what the certificate claims. Hand in the data, too, to have it checked.")
      : null,
    modelLine(found),
    bundleLine(found),
  );
}

// A certificate does not name the column; the checker has tried those with its classes.
function whichLabel(found, uploads) {
  const { tried } = found.verdict;
  const names = tried.map((name) => `“${name}”`).join(", ");
  return h(
    "div",
    {},
    h(
      "p",
      {},
      tried.length
        ? `With ${names}, which ${tried.length === 1 ? "has" : "have"} the classes of the proof, these are not the data of the certificate. Choose a column to see what differs.`
        : "No column has just the classes of the proof.",
    ),
    labelChoice(found, uploads),
  );
}

function exactly(proven) {
  return h(
    "p",
    {},
    `Exactly: objective ${proven.objective}, lower bound ${proven.lower_bound}; ${proven.work}. The data were read by ${proven.reader}.`,
  );
}

function modelLine({ model }) {
  if (!model) return null;
  return h(
    "p",
    { id: "audit-model", class: model.same ? null : "warning" },
    model.same
      ? "The model has the rule list of the certificate."
      : `The model does not belong to the certificate: ${model.reason}.`,
  );
}

function bundleLine({ bundle, verdict: { state } }) {
  if (!bundle) return null;
  const same = {
    true: " The data file is the one that it names, to the bit.",
    false: ` The data file is not the one that it names, to the bit${state === "verified" ? ": what differs is nothing that the proof is about, such as other columns, the order of rows, or how values are written" : ""}.`,
  };
  return h(
    "p",
    { id: "audit-bundle" },
    `The bundle is whole: its files are those of its manifest.${same[bundle.same_file] ?? ""}`,
  );
}

function handedIn(found, uploads) {
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "Handed in"),
    h(
      "ul",
      { class: "cards" },
      found.files.map((each) =>
        h(
          "li",
          { class: "card run-card" },
          h("span", { class: "grow" }, each.name),
          h("span", { class: "badge" }, ROLES[each.role]),
        ),
      ),
    ),
    found.verdict.choose_label ? null : labelChoice(found, uploads),
    h("h3", { class: "sub" }, "Add a file, or begin again"),
    handIn((more) => begin([...uploads, ...more])),
    h(
      "p",
      {},
      h("button", { type: "button", class: "small", id: "again", onclick: () => begin([]) }, "Begin again"),
    ),
  );
}

function labelChoice(found, uploads) {
  if (!found.data) return null;
  const control = select(
    [["", "Choose a column…"], ...found.data.candidates],
    found.data.label ?? "",
    { id: "audit-label" },
  );
  control.addEventListener("change", () => check(uploads, control.value || null));
  return field("Column of labels", control, `${found.data.name}: ${plural(found.data.rows, "row")}`);
}

function list(found) {
  if (!found.list) return null;
  const rows = found.data?.rows;
  const counted = found.list.rules.every((rule) => rule.captured !== undefined);
  return panel(
    "rules",
    "The rule list",
    [
      "The first rule that applies decides.",
      counted ? " Counts are of the data that were handed in." : "",
    ],
    ruleList(found.list.rules, found.list.classes, {
      target: found.data?.label,
      detail: (rule) => (counted ? [record(rule, rows)] : null),
    }),
  );
}

function numbers(found) {
  if (found.accuracy === undefined) return null;
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "On these rows"),
    h(
      "p",
      {},
      `The list is right on ${percent(found.accuracy)} of ${plural(found.data.rows, "row")}; always predicting the most frequent class, on ${percent(found.baseline)}. These are counts, not claims of the certificate.`,
    ),
    matrix("Actual and predicted", found.list.classes, found.confusion),
  );
}

function claims(found) {
  return h(
    "section",
    { class: "panel two even" },
    h(
      "div",
      { id: "proven" },
      h("h2", {}, found.verdict.state === "verified" ? "What is proven" : "What is claimed"),
      h("ul", {}, found.claim.map((line) => h("li", {}, line))),
    ),
    h(
      "div",
      { id: "not-proven" },
      h("h2", {}, "What is not proven"),
      h("ul", {}, found.not_proven.map((line) => h("li", {}, line))),
    ),
  );
}

function show(found, uploads) {
  replace(
    main,
    h("h1", {}, found.bundle?.title || "Check a proof"),
    verdict(found, uploads),
    found.verdict.state === "verified" ? cautions(found) : null,
    list(found),
    found.claim.length ? claims(found) : null,
    numbers(found),
    found.groups.length ? groups({ groups: found.groups, classes: found.list.classes }) : null,
    handedIn(found, uploads),
  );
  main.focus();
}

function empty(message) {
  replace(
    main,
    h("h1", {}, "Check a proof"),
    h(
      "p",
      { class: "lead" },
      "Somebody hands you a rule list and says that none is better. Hand in the certificate and the data, or an audit bundle and the data. The checker shares no code with the search.",
    ),
    message ? h("div", { class: "verdict bad", role: "alert" }, h("strong", {}, message)) : null,
    handIn((more) => begin(more)),
  );
}

async function check(uploads, label) {
  const [{ id }] = uploads;
  let cancelled = false;
  const running = checking(() => {
    cancelled = true;
    remove(`/api/audits/${id}`).catch(complain);
  });
  replace(main, h("h1", {}, "Check a proof"), h("section", { class: "panel" }, running.box));
  follow(running, id);
  try {
    const found = await post("/api/audits", { uploads: uploads.map((each) => each.id), label });
    show(found, uploads);
  } catch (error) {
    auditFiles([]);
    if (cancelled) return empty();
    const text = error.message;
    empty(text.charAt(0).toUpperCase() + text.slice(1));
  }
}

// Until its box is replaced by what was found.
async function follow(running, id) {
  const began = performance.now();
  await pause(300);
  while (document.contains(running.box)) {
    const seconds = (performance.now() - began) / 1000;
    const found = await get(`/api/audits/${id}`).catch(() => null);
    running.show({ progress: found?.progress, seconds });
    await pause(500);
  }
}

function begin(uploads) {
  auditFiles(uploads);
  return uploads.length ? check(uploads, null) : empty();
}

try {
  await begin(auditFiles());
} catch (error) {
  trouble(main, error);
}
