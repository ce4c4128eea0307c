import assert from "node:assert/strict";
import test from "node:test";

import {
  accuracyWords,
  chance,
  driftWords,
  unseen,
} from "../../../src/surelist/web/static/js/drift.js";

const same = { name: "a", drifted: false, problem: null };
const moved = { name: "b", drifted: true, problem: null };
const gone = { name: "c", drifted: false, problem: "is not in the file" };

test("what has changed is named", () => {
  const file = { file: "new.csv", rows: 10 };
  assert.match(driftWords({ ...file, columns: [same] }), /no column has changed much/);
  assert.match(driftWords({ ...file, columns: [same, moved] }), /10 rows: b has changed/);
  assert.match(driftWords({ ...file, columns: [moved, gone] }), /b, c have changed/);
});

test("without labels nothing is said about accuracy", () => {
  assert.match(accuracyWords({ accuracy: null, unlabelled: null }, 0.8), /no labels/);
  assert.match(accuracyWords({ accuracy: null, unlabelled: 4 }, 0.8), /No row has a label/);
  const accuracy = { share: 0.72, low: 0.667, high: 0.768 };
  const text = accuracyWords({ accuracy, unlabelled: 2 }, 0.815);
  assert.match(text, /72\.0 % .*66\.7 – 76\.8 %.*81\.5 % in training\. 2 rows/);
});

test("tiny chances, new values and ranges", () => {
  assert.equal(chance(1e-9), "< 0.1 %");
  assert.equal(chance(0.5), "50.0 %");
  assert.equal(chance(null), "–");
  assert.equal(unseen({ problem: null, unseen: ["X"], outside: 3 }), "3 rows with new values: X");
  assert.equal(unseen({ problem: null, unseen: [], outside: 1 }), "1 row outside the range");
  assert.equal(unseen({ problem: null, unseen: [], outside: 0 }), "");
});
