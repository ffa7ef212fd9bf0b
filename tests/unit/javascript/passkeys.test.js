import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { watchPasskeys } from "../../../broker/server/js/passkeys.js";

const NAMES = { asks: "data-asks", adds: "data-adds" };
const CREDENTIAL = { toJSON: () => ({ id: "AA" }) };

let calls;

/** A form of a page, with its hidden field, its status and what was submitted. */
function formOf(attributes, fields = {}) {
  const status = { textContent: "" };
  let submit;
  return {
    status,
    hidden: true,
    sent: 0,
    elements: { answer: { value: "" }, ...fields },
    hasAttribute: (name) => name in attributes,
    getAttribute: (name) => attributes[name],
    querySelector: () => status,
    addEventListener: (_, listener) => { submit = listener; },
    press: () => submit({ preventDefault() { calls.push("prevented"); } }),
    submit() { this.sent += 1; },
  };
}

/** Wait until what a press began has come to its end. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

function setUp({ forms, options = { challenge: "AA" }, refuses = false, away = false, works = true }) {
  calls = [];
  globalThis.document = { querySelectorAll: () => forms };
  globalThis.FormData = class { *[Symbol.iterator]() { yield ["name", "x"]; } };
  globalThis.fetch = async (address) => {
    calls.push(address);
    if (away) throw new TypeError("away");
    return { json: async () => options };
  };
  globalThis.PublicKeyCredential = works
    ? { parseRequestOptionsFromJSON: (each) => each, parseCreationOptionsFromJSON: (each) => each }
    : undefined;
  const use = (name) => async () => {
    calls.push(name);
    if (refuses) throw new DOMException("", "NotAllowedError");
    return CREDENTIAL;
  };
  Object.defineProperty(globalThis, "navigator", {
    configurable: true,
    value: { credentials: { get: use("get"), create: use("create") } },
  });
}

beforeEach(() => { calls = []; });

test("a form that asks is sent with what the authenticator answers", async () => {
  const form = formOf({ "data-asks": "/ask" });
  setUp({ forms: [form] });
  watchPasskeys(NAMES);
  assert.equal(form.hidden, false);
  form.press();
  await settled();
  assert.deepEqual(calls, ["prevented", "/ask", "get"]);
  assert.deepEqual([form.elements.answer.value, form.sent], ['{"id":"AA"}', 1]);
});

test("a form that adds makes a passkey, and sends the password no second time", async () => {
  const form = formOf({ "data-adds": "/add" }, { password: { value: "secret" } });
  setUp({ forms: [form] });
  watchPasskeys(NAMES);
  form.press();
  await settled();
  assert.deepEqual(calls, ["prevented", "/add", "create"]);
  assert.deepEqual([form.elements.password.value, form.sent], ["", 1]);
});

for (const [name, given] of Object.entries({
  "a refusal of the server is said": { options: { problem: "Wrong password" } },
  "an authenticator that refuses is said": { refuses: true },
  "a server that is away is said": { away: true },
})) {
  test(name, async () => {
    const form = formOf({ "data-asks": "/ask" });
    setUp({ forms: [form], ...given });
    watchPasskeys(NAMES);
    form.press();
    await settled();
    assert.notEqual(form.status.textContent, "");
    assert.deepEqual([form.elements.answer.value, form.sent], ["", 0]);
  });
}

test("a browser without passkeys shows no form of them", () => {
  const form = formOf({ "data-asks": "/ask" });
  setUp({ forms: [form], works: false });
  watchPasskeys(NAMES);
  assert.equal(form.hidden, true);
});
