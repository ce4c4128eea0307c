import assert from "node:assert/strict";
import test from "node:test";

import { shape } from "../../../src/surelist/web/static/js/schema.js";

test("a schema is told in a few words", () => {
  const all = { Policy: { enum: ["bfs", "dfs"] } };
  assert.equal(shape({ type: "integer" }, all), "integer");
  assert.equal(shape({ type: "array", items: { type: "string" } }, all), "[string]");
  assert.equal(shape({ $ref: "#/components/schemas/Policy" }, all), '"bfs" | "dfs"');
  assert.equal(shape({ anyOf: [{ type: "number" }, { type: "null" }] }, all), "number or null");
  assert.equal(shape({ const: 0 }, all), "0");
  assert.equal(shape({}, all), "any");
});

test("a schema that refers to itself comes to an end", () => {
  const all = { Tree: { type: "array", items: { $ref: "#/components/schemas/Tree" } } };
  assert.match(shape(all.Tree, all), /^\[+…\]+$/);
});
