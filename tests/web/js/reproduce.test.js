import assert from "node:assert/strict";
import test from "node:test";

import { settingLines } from "../../../src/surelist/web/static/js/reproduce.js";

test("settings that say something are listed, in words", () => {
  const lines = settingLines({
    label: "y",
    regularization: "0.01",
    roles: { sex: "protected", id: "leave_out", age: "use" },
    relabel: { cut: 15, merge: { c: "b" }, skip_missing: true },
    columns: { age: [20, 30] },
    class_weight: { yes: 2 },
    negations: false,
    max_length: null,
  });
  assert.deepEqual(lines, [
    ["Label", "y"],
    ["λ, the price of a rule", "0.01"],
    ["Protected columns", "sex"],
    ["Columns left out", "id"],
    ["Label cut at", "15"],
    ["Classes merged", "c → b"],
    ["Rows without a label", "left out"],
    ["Cuts of age", "20, 30"],
    ["Negated conditions", "no"],
    ["Weights of classes", "yes: 2"],
  ]);
});
