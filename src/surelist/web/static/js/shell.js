// What every page has: the bar on top, notices, and how errors are shown.

import { append, h, replace } from "./dom.js";

const THEMES = { "": "Auto", light: "Light", dark: "Dark" };

export function shell(current) {
  const links = [
    ["/", "Start", "start"],
    ["/audit", "Check", "audit"],
    ["/compare", "Compare", "compare"],
    ["/api", "API", "api"],
  ];
  const bar = document.querySelector("header.top");
  replace(
    bar,
    h(
      "div",
      { class: "bar" },
      h(
        "a",
        { class: "brand", href: "/" },
        h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }),
        "Surelist",
      ),
      h(
        "nav",
        { "aria-label": "Pages" },
        links.map(([href, text, key]) =>
          h("a", { href, "aria-current": key === current ? "page" : null }, text),
        ),
      ),
      themeButton(),
    ),
  );
  const main = document.getElementById("main");
  main.removeAttribute("aria-busy");
  return main;
}

function themeButton() {
  const now = () => document.documentElement.dataset.theme ?? "";
  const label = () => `Theme: ${THEMES[now()].toLowerCase()}`;
  const button = h("button", { type: "button", class: "quiet theme", id: "theme" }, label());
  button.addEventListener("click", () => {
    const names = Object.keys(THEMES);
    const next = names[(names.indexOf(now()) + 1) % names.length];
    if (next) document.documentElement.dataset.theme = next;
    else delete document.documentElement.dataset.theme;
    if (next) localStorage.setItem("surelist.theme", next);
    else localStorage.removeItem("surelist.theme");
    button.textContent = label();
    document.dispatchEvent(new CustomEvent("surelist:theme"));
  });
  return button;
}

export function steps(current, links = {}) {
  const names = ["Data", "Set up", "Watch", "Understand"];
  return h(
    "ol",
    { class: "steps", "aria-label": "Steps" },
    names.map((name, index) =>
      h(
        "li",
        {
          class: index < current ? "done" : index === current ? "now" : null,
          "aria-current": index === current ? "step" : null,
        },
        links[name] && index !== current ? h("a", { href: links[name] }, name) : name,
      ),
    ),
  );
}

export function tell(text, kind = "info") {
  const notice = h("div", { class: `notice ${kind}` }, h("p", {}, text));
  const close = h(
    "button",
    { type: "button", class: "quiet", "aria-label": "Close this message" },
    "×",
  );
  close.addEventListener("click", () => notice.remove());
  notice.append(close);
  document.getElementById("notices").append(notice);
  if (kind !== "error") setTimeout(() => notice.remove(), 6000);
}

export function complain(error) {
  if (error?.name === "AbortError") return;
  const text = error?.message ?? String(error);
  tell(text.charAt(0).toUpperCase() + text.slice(1), "error");
}

export function trouble(main, error) {
  replace(
    main,
    h(
      "section",
      { class: "empty" },
      h("h1", {}, "This cannot be shown"),
      h("p", {}, error?.message ?? String(error)),
      h("p", {}, h("a", { class: "button", href: "/" }, "Back to the start")),
    ),
  );
}

export function dialog(title, text, action) {
  return new Promise((resolve) => {
    const box = h("dialog", { "aria-labelledby": "dialog-title" });
    const done = (answer) => {
      box.close();
      box.remove();
      resolve(answer);
    };
    append(box, [
      h("h2", { id: "dialog-title" }, title),
      h("p", {}, text),
      h(
        "div",
        { class: "row end" },
        h("button", { type: "button", class: "quiet", onclick: () => done(false) }, "Cancel"),
        h("button", { type: "button", class: "danger", onclick: () => done(true) }, action),
      ),
    ]);
    box.addEventListener("cancel", () => done(false));
    document.body.append(box);
    box.showModal();
  });
}
