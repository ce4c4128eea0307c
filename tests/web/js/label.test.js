import assert from "node:assert/strict";
import { test } from "node:test";

import { objection, usualRelabel } from "../../../src/surelist/web/static/js/label.js";

const column = (kind, distinct, missing = 0) => ({ name: "points", kind, distinct, missing });

test("a column of many values is explained, not missing", () => {
  assert.equal(objection(column("text", 5), { cut: null }), null);
  assert.match(objection(column("number", 400), { cut: null }), /400 different values.*Cut it at a number/);
  assert.match(objection(column("text", 400), { cut: null }), /Choose another column/);
  assert.match(objection(column("text", 1), { cut: null }), /one value only/);
  assert.equal(objection(column("number", 400), { cut: 50 }), null);
  assert.equal(objection(undefined, undefined), null);
});

test("rows without a label are left out unless the user says otherwise", () => {
  assert.deepEqual(usualRelabel(column("text", 2, 7)), { cut: null, merge: {}, skip_missing: true });
  assert.equal(usualRelabel(column("text", 2)).skip_missing, false);
  assert.equal(usualRelabel(undefined).skip_missing, false);
});
