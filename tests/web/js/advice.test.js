import assert from "node:assert/strict";
import test from "node:test";

import {
  adviceFor,
  outlookAfter,
  outlookWords,
  trialWords,
} from "../../../src/surelist/web/static/js/advice.js";

const SETTINGS = { max_clauses: 2, regularization: "0.001", max_length: null, max_features: 28 };
const OUTLOOK = { after: 1, going: 29, ended: 5, within: 12, proven: 5 };

test("each advice changes one setting, towards a shorter proof", () => {
  const changes = adviceFor(SETTINGS, 3).map(({ change }) => change);
  assert.deepEqual(changes, [
    { max_clauses: 1 },
    { max_length: 3 },
    { regularization: "0.002" },
    { max_features: 14 },
  ]);
});

test("what cannot get easier is not offered", () => {
  const easiest = { max_clauses: 1, regularization: "0.2", max_length: 2, max_features: 8 };
  assert.deepEqual(adviceFor(easiest, 2), []);
  assert.equal(adviceFor({ ...SETTINGS, max_length: 3 }, 3).length, 3);
});

test("λ at least doubles, also where it is no stop of the slider", () => {
  const price = (regularization) =>
    adviceFor({ ...SETTINGS, regularization }).find(({ change }) => change.regularization).change
      .regularization;
  assert.equal(price("0.01"), "0.02");
  assert.equal(price("0.0111"), "0.025");
});

test("measured searches are counted, and the outlook is that of the last mark passed", () => {
  const words = outlookWords(OUTLOOK);
  assert.match(words, /Of 29 searches .* after 1 second, 5 were within 12 seconds/);
  assert.match(outlookWords({ ...OUTLOOK, ended: 0 }), /none was within/);
  assert.equal(outlookWords(null), "");
  const all = [OUTLOOK, { ...OUTLOOK, after: 10 }];
  assert.equal(outlookAfter(all, 0.5), null);
  assert.equal(outlookAfter(all, 9.9).after, 1);
  assert.equal(outlookAfter(all, 10).after, 10);
});

test("a trial says whether it was enough", () => {
  const easy = { status: "optimal", seconds: 0.004, limit: 1, outlook: OUTLOOK };
  assert.match(trialWords(easy), /^Easy: .* less than 0.1 s/);
  const hard = { status: "time_limit", seconds: 1, limit: 1, proven_length: 3, outlook: OUTLOOK };
  assert.match(trialWords(hard), /^Hard: a trial of 1 second .* up to 3 rules is better. Of 29 searches/);
});
