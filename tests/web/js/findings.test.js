import assert from "node:assert/strict";
import { test } from "node:test";

import { advice, open } from "../../../src/surelist/web/static/js/findings.js";

const finding = (kind, level, column) => ({ kind, level, column });

test("what a finding asks to do with its column", () => {
  assert.equal(advice(finding("leak", "warning", "a")), "leave_out");
  assert.equal(advice(finding("constant", "note", "a")), "leave_out");
  assert.equal(advice(finding("protected", "suggestion", "a")), "protected");
  assert.equal(advice(finding("small_group", "note", "a")), null);
  assert.equal(advice(finding("small_class", "note", null)), null);
});

test("columns that are still used though something speaks against it", () => {
  const findings = [
    finding("leak", "warning", "a"),
    finding("identifier", "warning", "b"),
    finding("presence", "warning", "a"),
    finding("constant", "note", "c"),
  ];
  assert.deepEqual(open(findings, "warning", {}), ["a", "b"]);
  assert.deepEqual(open(findings, "warning", { a: "leave_out" }), ["b"]);
  assert.deepEqual(open(findings, "note", {}), ["c"]);
});
