import assert from "node:assert/strict";
import test from "node:test";

import { ApiError, get, post, remove } from "../../../src/surelist/web/static/js/api.js";

function answering(context, answer) {
  const asked = [];
  context.mock.method(globalThis, "fetch", async (path, options) => {
    asked.push({ path, ...options });
    return answer();
  });
  return asked;
}

test("bodies go out and come back as JSON", async (context) => {
  const asked = answering(context, () => Response.json({ id: 7 }));
  assert.deepEqual(await post("/api/runs", { name: "λ" }), { id: 7 });
  assert.equal(asked[0].body, '{"name":"λ"}');
  assert.equal(asked[0].headers["content-type"], "application/json");
  await get("/api/runs");
  assert.equal(asked[1].body, undefined);
});

test("an empty answer is null", async (context) => {
  answering(context, () => new Response(null, { status: 204 }));
  assert.equal(await remove("/api/runs/1"), null);
});

test("a refusal is an error with the server's own words, or its status", async (context) => {
  answering(context, () => Response.json({ error: "no such run" }, { status: 404 }));
  await assert.rejects(get("/api/runs/1"), refusal(404, "no such run"));
  context.mock.restoreAll();
  answering(context, () => new Response("<html>", { status: 502 }));
  await assert.rejects(get("/"), refusal(502, "the page answered with 502"));
});

test("no answer is an error that asks the right question; a cancelled request stays one", async (context) => {
  answering(context, () => Promise.reject(new TypeError("failed to fetch")));
  await assert.rejects(get("/"), /still running in the terminal/);
  context.mock.restoreAll();
  answering(context, () => Promise.reject(new DOMException("stopped", "AbortError")));
  await assert.rejects(get("/"), { name: "AbortError" });
});

function refusal(status, message) {
  return (error) => error instanceof ApiError && error.status === status && error.message === message;
}
