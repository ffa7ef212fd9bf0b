import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { loadWhenIdle, reloadUnlessLoaded } from "../../../broker/components/js/lazy_scripts.js";
import { fakePage, settle } from "./fake_page.js";

const fails = () => Promise.reject(new Error("no line"));

/** Set up a page whose server answers, and return what reloads it. */
function page({ type = "navigate", fetch = async () => {} } = {}) {
  const reload = mock.fn();
  fakePage({ location: { href: "https://www.example.co.uk/", reload }, performance: { getEntriesByType: () => [{ type }] }, fetch });
  return reload;
}

test("a module is loaded when idle, and may fail", async () => {
  const load = mock.fn(fails);
  fakePage({ requestIdleCallback: (then) => then() });
  loadWhenIdle(load);
  await settle();
  assert.equal(load.mock.callCount(), 1);
});

test("a page is reloaded for a shown module that did not come, and not twice", async () => {
  const cases = [[fails, true, {}, 1], [fails, false, {}, 0], [async () => {}, true, {}, 0], [fails, true, { type: "reload" }, 0]];
  for (const [load, isShown, set, reloads] of cases) {
    const reload = page(set);
    reloadUnlessLoaded(load, isShown);
    await settle();
    assert.equal(reload.mock.callCount(), reloads);
  }
});

test("it is reloaded once the server answers, and not when what was shown is closed", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const fetch = mock.fn(async () => { if (fetch.mock.callCount() < 1) throw new TypeError("away"); });
  const reload = page({ fetch });
  reloadUnlessLoaded(fails, true);
  await settle();
  assert.deepEqual([fetch.mock.callCount(), reload.mock.callCount()], [1, 0]);
  context.mock.timers.tick(4000);
  await settle();
  assert.equal(reload.mock.callCount(), 1);
  const another = page();
  reloadUnlessLoaded(fails, true)();
  await settle();
  assert.equal(another.mock.callCount(), 0);
});
