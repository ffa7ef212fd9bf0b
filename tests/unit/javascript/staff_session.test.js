import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { keepNote, startNote, watchSession } from "../../../broker/components/js/staff_session.js";

const KEY = "staff_note";
const NOTE = { stamp: "HG-7K3M-Q2XD:ada:0", text: "Call after six" };

function storage(items = {}) {
  return {
    items,
    getItem: (key) => items[key] ?? null,
    setItem: (key, value) => { items[key] = value; },
    removeItem: (key) => { delete items[key]; },
  };
}

test("a note is kept in the tab while it is written, and starts there after a new sign-in", () => {
  globalThis.sessionStorage = storage();
  assert.deepEqual(keepNote(NOTE.stamp, NOTE.text), NOTE);
  const places = {};
  startNote(places, KEY);
  assert.deepEqual(places, { [KEY]: NOTE });
  keepNote(NOTE.stamp, "");
  assert.deepEqual(sessionStorage.items, {});
});

test("what the page remembers wins, and nothing starts with a note in the build", () => {
  globalThis.sessionStorage = storage({ [KEY]: JSON.stringify(NOTE) });
  const places = { [KEY]: "as it is" };
  startNote(places, KEY);
  assert.equal(places[KEY], "as it is");
  globalThis.sessionStorage = undefined;
  const none = {};
  startNote(none, KEY);
  assert.deepEqual(none, {});
});

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
