import assert from "node:assert/strict";
import test from "node:test";

import { className } from "../../../src/surelist/web/static/js/rules.js";

test("a class that is a bare number is shown with its column", () => {
  assert.equal(className("1", ["0", "1"], "again"), "again = 1");
  assert.equal(className("True", ["False", "True"], "again"), "again = True");
  assert.equal(className("yes", ["no", "yes"], "again"), "yes");
  assert.equal(className("1", ["1", "many"], "again"), "1");
  assert.equal(className("1", ["0", "1"], null), "1");
});
