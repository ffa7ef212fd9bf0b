import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { watchSession } from "../../../broker/components/js/staff_session.js";

test("typing counts as use once a minute, and 25 minutes without any show the warning", () => {
  mock.timers.enable({ apis: ["Date", "setInterval"] });
  const [warning, listeners] = [{ hidden: true }, {}];
  globalThis.document = { getElementById: () => warning };
  globalThis.addEventListener = (kind, listener) => { listeners[kind] = listener; };
  globalThis.fetch = mock.fn(async () => {});
  watchSession("/staff/", "session-warning", 25);
  listeners.keydown();
  assert.equal(fetch.mock.callCount(), 0);
  mock.timers.tick(60_000);
  for (let key = 0; key < 3; key += 1) listeners.keydown();
  assert.equal(fetch.mock.callCount(), 1);
  assert.deepEqual(fetch.mock.calls[0].arguments[0], "/staff/");
  mock.timers.tick(24 * 60_000);
  assert.equal(warning.hidden, true);
  mock.timers.tick(60_000);
  assert.equal(warning.hidden, false);
  listeners.pointerdown();
  assert.equal(warning.hidden, true);
  mock.timers.reset();
});
