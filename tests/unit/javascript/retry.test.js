import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { retryLater } from "../../../broker/web/js/retry.js";
import { fakePage, settle } from "./fake_page.js";

const outcome = async (answer) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const [reload, fetch] = [mock.fn(), mock.fn(answer)];
  fakePage({ fetch, location: { href: "https://site.test/a/", reload } });
  retryLater({ delay: 5000 });
  mock.timers.tick(4999);
  assert.equal(fetch.mock.callCount(), 0);
  mock.timers.tick(1);
  await settle();
  mock.timers.reset();
  assert.deepEqual(fetch.mock.calls[0].arguments, ["https://site.test/a/", { cache: "no-store" }]);
  return reload.mock.callCount();
};

test("the page is loaded again where the server has an answer, and stays where it has none", async () => {
  assert.equal(await outcome(async () => ({ status: 200 })), 1);
  assert.equal(await outcome(async () => ({ status: 404 })), 1);
  assert.equal(await outcome(async () => ({ status: 503 })), 0);
  assert.equal(await outcome(() => Promise.reject(new Error("no connection"))), 0);
});
