// A set of lists in the browser: filters, order and the tree of rules.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  chosen,
  columnsOf,
  kindsOf,
  rulesOf,
  treeOf,
  written,
} from "../../../src/surelist/web/static/js/alternatives_set.js";

const SET = {
  classes: ["no", "yes"],
  column_names: ["p", "q", "r", "s"],
  antecedents: ["a", "b and c", "d"],
  asks: [[0], [1, 2], [3]],
  other_names: [[["e", [3], true]], [["f and g and h", [0], false]], []],
  prefixes: [[0], [0, 1], [1], []],
  labels: [
    [1, 0, 0],
    [1, 0, 1],
    [0, 1, 1],
    [0, 0, 0],
  ],
  objectives: [0.1, 0.2, 0.3, 0.4],
  accuracies: [0.9, 0.95, 0.8, 0.6],
  gaps: [{ column: "sex", rate: "FPR", gaps: [0.3, 0.1, 0.2, 0] }],
};
const ALL = { without: null, using: null, maxLength: null, group: null, maxGap: null, order: "objective" };

test("nothing is left out without conditions", () => {
  assert.deepEqual(chosen(SET, ALL), [0, 1, 2, 3]);
});

test("a list asks about the columns of its antecedents", () => {
  assert.deepEqual([...columnsOf(SET, 1)], [0, 1, 2]);
});

test("conditions leave lists out", () => {
  assert.deepEqual(chosen(SET, { ...ALL, without: 0 }), [2, 3]);
  assert.deepEqual(chosen(SET, { ...ALL, without: 2 }), [0, 3]);
  assert.deepEqual(chosen(SET, { ...ALL, using: 0 }), [0, 1]);
  assert.deepEqual(chosen(SET, { ...ALL, using: 2, without: 0 }), [2]);
  assert.deepEqual(chosen(SET, { ...ALL, maxLength: 1 }), [0, 2, 3]);
  assert.deepEqual(chosen(SET, { ...ALL, maxLength: 0 }), [3]);
  assert.deepEqual(chosen(SET, { ...ALL, group: 0, maxGap: 0.1 }), [1, 3]);
  assert.deepEqual(chosen(SET, { ...ALL, maxGap: 0.1 }), [0, 1, 2, 3]);
});

test("an antecedent goes by a name without a column, or with one", () => {
  assert.deepEqual(written(SET, ALL), SET);
  assert.deepEqual(written(SET, { ...ALL, without: 0 }).antecedents, ["e", "b and c", "d"]);
  assert.deepEqual(written(SET, { ...ALL, without: 0 }).asks, [[3], [1, 2], [3]]);
  assert.deepEqual(written(SET, { ...ALL, without: 1 }).antecedents, ["a", "f and g and h", "d"]);
  assert.deepEqual(written(SET, { ...ALL, using: 3 }).antecedents, ["e", "b and c", "d"]);
  assert.deepEqual(written(SET, { ...ALL, using: 0 }).antecedents, SET.antecedents);
  const kept = written(SET, { ...ALL, without: 0, using: 3 });
  assert.deepEqual(chosen(kept, { ...ALL, without: 0, using: 3 }), [0, 1]);
});

test("lists are sorted by what is wanted", () => {
  assert.deepEqual(chosen(SET, { ...ALL, order: "accuracy" }), [1, 0, 2, 3]);
  assert.deepEqual(chosen(SET, { ...ALL, order: "length" }), [3, 0, 2, 1]);
  assert.deepEqual(chosen(SET, { ...ALL, order: "gap", group: 0 }), [3, 1, 2, 0]);
  assert.deepEqual(chosen(SET, { ...ALL, order: "gap" }), [0, 1, 2, 3]);
});

test("the tree counts the lists that go through each rule", () => {
  const tree = treeOf(SET, [0, 1, 2, 3]);
  assert.equal(tree.count, 4);
  assert.deepEqual(tree.ends, [3]);
  assert.deepEqual(
    tree.children.map(({ antecedent, label, count, ends }) => [antecedent, label, count, ends]),
    [
      [0, 1, 2, [0]],
      [1, 0, 1, [2]],
    ],
  );
  assert.deepEqual(tree.children[0].children[0].ends, [1]);
});

test("a list is its rules and a default", () => {
  assert.deepEqual(rulesOf(SET, 1), [
    { antecedent: "a", label: "yes" },
    { antecedent: "b and c", label: "no" },
    { antecedent: null, label: "yes" },
  ]);
});

test("lists are divided by columns, each list once", () => {
  const kinds = kindsOf(SET, [0, 1, 2, 3]);
  assert.deepEqual(kinds, [
    { column: 0, places: [0, 1] },
    { column: 1, places: [2] },
    { column: null, places: [3] },
  ]);
});

test("a column of all lists divides nothing", () => {
  assert.deepEqual(kindsOf(SET, [0, 1]), [
    { column: 1, places: [1] },
    { column: null, places: [0] },
  ]);
  assert.deepEqual(kindsOf(SET, [3]), [{ column: null, places: [3] }]);
  assert.deepEqual(kindsOf(SET, []), []);
});
