// Every request that can be made, from the page's own OpenAPI document.

import { get } from "./api.js";
import { h, replace, tableOf } from "./dom.js";
import { shape } from "./schema.js";
import { shell, trouble } from "./shell.js";

const main = shell("api");

function fields(schema, all) {
  const found = schema.$ref ? all[schema.$ref.split("/").pop()] : schema;
  const rows = Object.entries(found?.properties ?? {});
  if (rows.length === 0) return null;
  return h(
    "div",
    { class: "scroll", tabindex: 0 },
    tableOf(
      { class: "cells" },
      ["Field", "Type", "Default", "Meaning"],
      rows.map(([name, each]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("code", {}, name)),
          h("td", {}, shape(each, all)),
          h("td", {}, each.default === undefined ? "" : JSON.stringify(each.default)),
          h("td", {}, each.description ?? ""),
        ),
      ),
    ),
  );
}

function operation(path, method, about, all) {
  const body = about.requestBody?.content?.["application/json"]?.schema;
  const schemaName = body?.$ref?.split("/").pop();
  const nested = schemaName === "NewRun" ? { $ref: "#/components/schemas/RunSettings" } : null;
  return h(
    "details",
    { class: "panel operation" },
    h(
      "summary",
      {},
      h("span", { class: `method ${method}` }, method.toUpperCase()),
      h("code", {}, path),
      h("span", { class: "hint" }, about.summary ?? ""),
    ),
    h("p", {}, about.description ?? ""),
    body ? fields(body, all) : null,
    nested ? [h("h3", { class: "sub" }, "settings"), fields(nested, all)] : null,
  );
}

try {
  const found = await get("/api/openapi.json");
  const all = found.components?.schemas ?? {};
  replace(
    main,
    h("h1", {}, "The page for programs"),
    h(
      "p",
      { class: "lead" },
      "Everything these pages show is JSON at the addresses below; their description is ",
      h("a", { href: "/api/openapi.json" }, "an OpenAPI document"),
      ".",
    ),
    h("p", {}, "A program sends the secret of the address that surelist serve printed:"),
    h(
      "pre",
      { class: "command", tabindex: 0 },
      `curl -H "Authorization: Bearer TOKEN" ${location.origin}/api/runs`,
    ),
    Object.entries(found.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, about]) => operation(path, method, about, all)),
    ),
  );
} catch (error) {
  trouble(main, error);
}
