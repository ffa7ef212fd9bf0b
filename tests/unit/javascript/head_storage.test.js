import assert from "node:assert/strict";
import { test } from "node:test";
import { prepareDocument } from "../../../broker/server/js/head.js";
import { fakePage } from "./fake_page.js";

const notice = { action: "/accept", attribute: "data-closed", accepted: "yes", cookie: "notice=yes; Path=/" };
const provideStorage = (storage) => prepareDocument({ notice, moved: "data-moved", storage });

const usable = () => {
  const entries = new Map();
  return {
    entries,
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => entries.set(name, value),
    removeItem: (name) => entries.delete(name),
    clear: () => entries.clear(),
  };
};

const provide = (globals = {}) => {
  const page = fakePage({ localStorage: usable(), sessionStorage: usable(), ...globals });
  provideStorage("data-storage");
  return page;
};

/** Take the store of the session, which a getter or a method refuses. */
const REFUSED = {
  "a getter that throws": { get: () => { throw new Error("denied"); } },
  "no store": { value: null },
  "a store that takes nothing": { value: { ...usable(), setItem: () => { throw new Error("quota"); } } },
};

test("stores that work are kept; the local one is cleared, and nothing is left in the session's", () => {
  const [local, session] = [usable(), usable()];
  [local, session].forEach((store) => store.setItem("mine", "1"));
  const page = provide({ localStorage: local, sessionStorage: session });
  assert.equal(globalThis.localStorage, local);
  assert.equal(globalThis.sessionStorage, session);
  assert.deepEqual([[...local.entries], [...session.entries], page.attributes], [[], [["mine", "1"]], {}]);
});

for (const [why, descriptor] of Object.entries(REFUSED)) {
  test(`${why} is replaced by memory, and the page says so`, () => {
    fakePage({ localStorage: usable() });
    Object.defineProperty(globalThis, "sessionStorage", { ...descriptor, configurable: true });
    const page = fakePage();
    provideStorage("data-storage");
    const store = globalThis.sessionStorage;
    store.setItem("figures", { toString: () => "{}" });
    assert.equal(store.getItem("figures"), "{}");
    store.removeItem("figures");
    store.setItem("a", 1);
    store.clear();
    assert.deepEqual([store.getItem("a"), store.getItem("figures")], [null, null]);
    assert.deepEqual(page.attributes, { "data-storage": "off" });
  });
}

test("only the first page of a visit says so, and none where the local store alone is missing", () => {
  const refused = { value: null };
  assert.deepEqual(provide({ localStorage: null }).attributes, {});
  Object.defineProperty(globalThis, "sessionStorage", { ...refused, configurable: true });
  const page = fakePage({ localStorage: usable(), sessionStorage: null, document: { referrer: "https://site.test/a/" } });
  provideStorage("data-storage");
  assert.deepEqual(page.attributes, {});
});
