// Files for the checker: which they are, and where they are kept between two pages of this tab.

import { upload } from "./api.js";
import { h, takeDropped } from "./dom.js";
import { complain } from "./shell.js";

const KEY = "surelist.audit";
const MAGIC = /^surelist (\w+ )*certificate /;
const LONGEST_MAGIC = 40;
const MOST = 4;

// The files handed in so far; given some, keeps those instead.
export function auditFiles(files) {
  if (files !== undefined) sessionStorage.setItem(KEY, JSON.stringify(files));
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

// Whether the first bytes of a file, as text, or its name say that it is for the checker.
export function isForChecker(name, beginning) {
  return MAGIC.test(beginning) || (beginning.startsWith("PK") && /\.zip$/i.test(name));
}

export async function anyForChecker(files) {
  const heads = await Promise.all([...files].map((file) => file.slice(0, LONGEST_MAGIC).text()));
  return [...files].some((file, index) => isForChecker(file.name, heads[index]));
}

// Sends files one after the other.
export async function sendAll(files, say, progressed) {
  const sent = [];
  for (const file of files) {
    say(`Sending ${file.name}…`);
    const { id, name } = await upload(file, progressed);
    sent.push({ id, name });
  }
  return sent;
}

// Where certificate, bundle, model and data are dropped.
export function handIn(take) {
  const line = h("p", { class: "dropline", "aria-live": "polite" });
  const input = h("input", {
    type: "file",
    id: "audit-file",
    multiple: true,
    class: "visually-hidden",
  });
  async function send(files) {
    const chosen = [...files].slice(0, MOST);
    if (chosen.length === 0) return;
    try {
      const say = (text) => {
        line.textContent = text;
      };
      const sent = await sendAll(chosen, say, () => {});
      say("");
      await take(sent);
    } catch (error) {
      line.textContent = "";
      complain(error);
    }
    input.value = "";
  }
  input.addEventListener("change", () => send(input.files));
  const zone = h(
    "div",
    { class: "drop small" },
    h("p", {}, "Drop a certificate or an audit bundle, the data, and the model if you have it."),
    h("label", { class: "button", for: "audit-file" }, "Choose files"),
    input,
    line,
  );
  return takeDropped(zone, send);
}
