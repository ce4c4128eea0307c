import { h, replace } from "./dom.js";
import { shell } from "./shell.js";

replace(
  shell(""),
  h(
    "section",
    { class: "empty" },
    h("h1", {}, "There is no such page"),
    h("p", {}, "It may have been deleted."),
    h("p", {}, h("a", { class: "button", href: "/" }, "Back to the start")),
  ),
);
