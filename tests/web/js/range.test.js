import assert from "node:assert/strict";
import test from "node:test";

import { unusual } from "../../../src/surelist/web/static/js/range.js";

const age = { kind: "whole number", low: 18, high: 96, missing: 0, values: [], distinct: 70 };

test("numbers outside the range of training are told, its ends are not", () => {
  assert.match(unusual(age, "17"), /18 to 96/);
  assert.match(unusual(age, "150"), /outside/);
  for (const value of ["18", "40.5", "96"]) assert.equal(unusual(age, value), null);
});

test("no value is unusual only where every row had one", () => {
  assert.match(unusual(age, ""), /missing in no row/);
  assert.equal(unusual({ ...age, missing: 3 }, ""), null);
});

test("texts and dates that were not seen", () => {
  const charge = { kind: "text", missing: 0, distinct: 2, values: [{ value: "F" }, { value: "M" }] };
  assert.equal(unusual(charge, "F"), null);
  assert.match(unusual(charge, "X"), /in no row/);
  // Of many values only some are known here, so nothing can be said.
  assert.equal(unusual({ ...charge, distinct: 400 }, "X"), null);
  const day = { kind: "date", low: "2013-01-01", high: "2014-12-31", missing: 0, values: [] };
  assert.equal(unusual(day, "2013-05-06"), null);
  assert.match(unusual(day, "2016-01-01"), /2013-01-01 to 2014-12-31/);
});
