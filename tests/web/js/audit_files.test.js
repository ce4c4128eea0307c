import assert from "node:assert/strict";
import { test } from "node:test";

import { isForChecker } from "../../../src/surelist/web/static/js/audit_files.js";

test("certificates are told by how they begin, bundles by their name, too", () => {
  assert.equal(isForChecker("anything.csv", "surelist certificate 1"), true);
  assert.equal(isForChecker("proof.cert", "surelist certificate 2"), true);
  assert.equal(isForChecker("fair.cert", "surelist fairness certificate 1"), true);
  assert.equal(isForChecker("set.cert", "surelist completeness certificate 1"), true);
  assert.equal(isForChecker("text.csv", "surelist said,certificate "), false);
  assert.equal(isForChecker("bundle.zip", "PK\u0003\u0004"), true);
  assert.equal(isForChecker("BUNDLE.ZIP", "PK\u0003\u0004"), true);
  assert.equal(isForChecker("table.xlsx", "PK\u0003\u0004"), false);
  assert.equal(isForChecker("people.csv", "age,sex,label"), false);
});
