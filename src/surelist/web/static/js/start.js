// The first page: bring data, or go on with what is here.

import { get, post, remove } from "./api.js";
import { anyForChecker, auditFiles, handIn, sendAll } from "./audit_files.js";
import { h, replace, takeDropped } from "./dom.js";
import { plural, size, when } from "./format.js";
import { leave } from "./leave.js";
import { runsList } from "./runs_list.js";
import { forgetChoices } from "./setup_state.js";
import { complain, dialog, shell, trouble } from "./shell.js";

const main = shell("start");
let timer = null;

async function begin(body, status) {
  try {
    status("Reading…");
    await leave(async () => `/data/${(await post("/api/datasets", body)).id}`);
  } catch (error) {
    status("");
    complain(error);
  }
}

async function toChecker(files, say) {
  try {
    auditFiles(await sendAll(files, say, () => {}));
    location.assign("/audit");
  } catch (error) {
    say("");
    complain(error);
  }
}

// For auditors: those who check a model that somebody else has made.
function door() {
  return h(
    "section",
    { class: "door", "aria-labelledby": "door" },
    h(
      "div",
      {},
      h("h2", { id: "door" }, "Were you handed a model?"),
      h(
        "p",
        {},
        "Check the proof that comes with it: what is proven about which data, how the list treats groups, and what is not proven.",
      ),
      h("p", {}, h("a", { href: "/audit" }, "What the checker needs")),
    ),
    handIn((sent) => {
      auditFiles(sent);
      location.assign("/audit");
    }),
  );
}

function dropzone(limits) {
  const line = h("p", { class: "dropline", "aria-live": "polite" });
  const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Upload" });
  const say = (text) => {
    line.textContent = text;
  };
  const input = h("input", {
    type: "file",
    id: "file",
    multiple: true,
    class: "visually-hidden",
    accept: ".csv,.tsv,.txt,.gz,.parquet,.pq,.arrow,.feather,.xlsx,.out,.label,.cert,.zip",
  });
  async function take(files) {
    const chosen = [...files];
    if (chosen.length === 0) return;
    if (await anyForChecker(chosen)) return toChecker(chosen, say);
    if (chosen.length > 2)
      return complain(
        new Error("One table, or two CORELS text files (antecedents and labels), at a time."),
      );
    const large = chosen.find((file) => file.size > limits.upload);
    if (large)
      return complain(
        new Error(`${large.name} is larger than ${size(limits.upload)}, the most this page takes.`),
      );
    bar.hidden = false;
    try {
      const sent = await sendAll(chosen, say, (share) => {
        bar.value = share;
      });
      bar.hidden = true;
      await begin({ uploads: sent.map((file) => file.id) }, say);
    } catch (error) {
      say("");
      complain(error);
    }
    bar.hidden = true;
    input.value = "";
  }
  input.addEventListener("change", () => take(input.files));
  const zone = h(
    "div",
    { class: "drop" },
    h("div", { class: "dropicon", "aria-hidden": "true" }),
    h("h2", {}, "Bring your own table"),
    h("p", {}, "Drop a CSV, Excel (.xlsx), Parquet or Arrow file here, or two CORELS text files."),
    h("label", { class: "button primary", for: "file" }, "Choose a file"),
    input,
    h(
      "p",
      { class: "hint" },
      `Up to ${size(limits.upload)}, ${plural(limits.rows, "row")} and ${plural(limits.columns, "column")}. It stays on this machine.`,
    ),
    bar,
    line,
  );
  return takeDropped(zone, take);
}

function examples(list) {
  const line = h("p", { class: "dropline", "aria-live": "polite" });
  return h(
    "section",
    { class: "examples", "aria-labelledby": "examples" },
    h("h2", { id: "examples" }, "Or try an example"),
    h(
      "ul",
      { class: "plain" },
      list.map((each) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "example",
              onclick: () => begin({ example: each.id }, (text) => replace(line, text)),
            },
            h("strong", {}, each.name),
            h("span", {}, each.about),
          ),
        ),
      ),
    ),
    line,
  );
}

function datasets(list) {
  if (list.length === 0) return null;
  return h(
    "section",
    { "aria-labelledby": "datasets" },
    h("h2", { id: "datasets" }, "Your data sets"),
    h(
      "ul",
      { class: "cards" },
      list.map((each) =>
        h(
          "li",
          { class: "card run-card" },
          h(
            "div",
            { class: "grow" },
            h("a", { class: "title", href: `/data/${each.id}` }, each.name),
            h(
              "p",
              { class: "hint" },
              `${plural(each.rows, "row")}, ${plural(each.columns, "column")} · ${size(each.bytes)} · ${when(each.created)}`,
            ),
          ),
          deleteButton(`the data set “${each.name}” and all its runs`, `/api/datasets/${each.id}`, () =>
            forgetChoices(each.id),
          ),
        ),
      ),
    ),
  );
}

function deleteButton(what, path, deleted = () => {}) {
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": `Delete ${what}`,
      onclick: async () => {
        if (
          !(await dialog("Delete?", `This deletes ${what} from this machine, for good.`, "Delete"))
        )
          return;
        try {
          await remove(path);
          deleted();
        } catch (error) {
          complain(error);
        }
        show().catch(complain);
      },
    },
    "Delete",
  );
}

const runs = runsList(
  () => show().catch(complain),
  (run) => deleteButton(`the run “${run.name}”`, `/api/runs/${run.id}`),
);
const dataList = h("div", {});
const lists = h("div", { class: "lists" }, runs.box, dataList);

// Looks again until nothing changes any more; a page that does not answer is asked less often.
function showAgain(failures = 0) {
  timer = setTimeout(
    () =>
      show().catch((error) => {
        if (failures === 2) complain(error);
        showAgain(failures + 1);
      }),
    2000 * Math.min(8, 2 ** failures),
  );
}

async function show() {
  clearTimeout(timer);
  const found = await get("/api/start");
  runs.show(found.runs);
  replace(dataList, datasets(found.datasets));
  if (found.runs.some((run) => ["queued", "running", "stopping"].includes(run.state)))
    showAgain();
  return found;
}

try {
  const found = await show();
  replace(
    main,
    h(
      "section",
      { class: "hero" },
      h("h1", {}, "Rules a person can read. ", h("em", {}, "Proof that none are better.")),
      h(
        "p",
        { class: "lead" },
        "Surelist learns a short list of if–then rules from a table, proves that no other list over the same conditions has a lower objective, and hands you a certificate that anyone can check.",
      ),
    ),
    h("div", { class: "two" }, dropzone(found.limits), examples(found.examples)),
    door(),
    lists,
  );
} catch (error) {
  trouble(main, error);
}
