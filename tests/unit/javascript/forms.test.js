import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import {
  copyField, exchangeCode, fillOnce, fillTimes, forgetForms, loadAfter, postIfReached, rememberForm, restoreForm, setTitle,
  submitIfReached,
} from "../../../broker/components/js/forms.js";
import { fakePage, settle } from "./fake_page.js";

const field = (value = "", properties = {}) => ({ value, defaultValue: "", dataset: {}, type: "text", ...properties });
const fieldsOf = (fields) => ({ elements: Object.values(fields), ...fields });

beforeEach(() => fakePage({ formDrafts: undefined }));

test("a field is filled once, with what the address answers", async () => {
  const form = fieldsOf({ token: field(), name: field() });
  fakePage({ fetch: mock.fn(async () => ({ ok: true, text: async () => "abc" })) });
  fillOnce(form, "token", "/token");
  fillOnce(form, "token", "/token");
  await settle();
  assert.equal(form.token.value, "abc");
  assert.deepEqual(fetch.mock.calls.map((call) => call.arguments), [["/token"]]);
});

test("a field is not filled in a form that has input, and is asked for again after a failure", async () => {
  for (const failure of [() => Promise.reject(new Error("away")), async () => ({ ok: false })]) {
    fakePage({ fetch: mock.fn(failure) });
    fillOnce(fieldsOf({ token: field(), name: field("Ada") }), "token", "/token");
    assert.equal(fetch.mock.callCount(), 0);
    const form = fieldsOf({ token: field() });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      fillOnce(form, "token", "/token");
      await settle();
    }
    assert.equal(fetch.mock.callCount(), 2);
  }
});

test("a form gets back what it held, until that is forgotten", () => {
  const fields = {
    name: field("", { name: "name" }),
    yes: field("yes", { name: "choice", type: "radio" }),
    no: field("no", { name: "choice", type: "radio", checked: true }),
    other: field("as it was", { name: "other" }),
  };
  fakePage({
    formDrafts: undefined,
    document: { querySelector: (selector) => (selector === 'form[action="/send/"]' ? fieldsOf(fields) : null) },
    FormData: class { constructor(form) { this.getAll = (name) => form[name] ?? []; } },
  });
  restoreForm("/send/");
  rememberForm("/send/", { name: ["Ada"], choice: ["yes"] });
  restoreForm("/send/");
  assert.deepEqual([fields.name.value, fields.yes.checked, fields.no.checked], ["Ada", true, false]);
  assert.equal(fields.other.value, "as it was");
  fields.name.value = "";
  forgetForms();
  restoreForm("/send/");
  assert.equal(fields.name.value, "");
});

test("times that come late put back what was chosen among them, and leave the token that came meanwhile", async () => {
  const token = field("", { name: "token", type: "hidden" });
  const slot = field("10:40", { name: "when", type: "radio", checked: false });
  const form = { getAttribute: () => "/contact/", elements: [token, slot] };
  const place = {
    childElementCount: 0, isConnected: true, closest: () => form, parentElement: { addEventListener: mock.fn() },
    querySelectorAll: () => [slot],
  };
  fakePage({
    document: { getElementById: () => place, querySelector: () => form },
    fetch: mock.fn(async () => ({ ok: true, text: async () => "<p>times</p>" })),
    location: { pathname: "/contact/", search: "" },
    FormData: class { constructor(values) { this.getAll = (name) => values[name] ?? []; } },
  });
  rememberForm("/contact/", { token: [""], when: ["10:40"] });
  token.value = "a token";
  await fillTimes("times", "/times/");
  assert.deepEqual([token.value, slot.checked], ["a token", true]);
});

test("the times of a form are fetched for its address, unless the document has them or none come", async () => {
  const form = { getAttribute: () => "/contact/" };
  const addEventListener = mock.fn();
  const place = { childElementCount: 0, isConnected: true, innerHTML: "", closest: () => form, parentElement: { addEventListener } };
  const document = { getElementById: () => place };
  const times = async () => ({ ok: true, text: async () => "<p>times</p>" });
  for (const [held, answer, expected] of [
    [0, times, "<p>times</p>"], [1, times, ""], [0, async () => ({ ok: false }), ""], [0, async () => { throw new Error(); }, ""],
  ]) {
    Object.assign(place, { childElementCount: held, innerHTML: "" });
    fakePage({ fetch: mock.fn(answer), document, location: { pathname: "/contact/", search: "?minutes=40" } });
    await fillTimes("times", "/times/");
    assert.equal(place.innerHTML, expected);
    const asked = fetch.mock.calls.map((call) => call.arguments[0]);
    assert.deepEqual(asked, held ? [] : ["/times/?page=/contact/&minutes=40"]);
  }
  globalThis.FormData = class { constructor(of) { this.of = of; } };
  const [type, remember] = addEventListener.mock.calls[0].arguments;
  remember();
  assert.deepEqual([type, globalThis.formDrafts["/contact/"].of], ["change", form]);
});

test("a code is exchanged once, after the one before it, and again where nothing answers", async () => {
  const posted = [];
  let failures = 1;
  fakePage({
    fetch: async (address, { method, body }) => {
      posted.push(`${method} ${address} ${body}`);
      if (failures-- > 0) throw new Error("away");
      return { status: 200 };
    },
    setTimeout: (then) => then(),
  });
  await Promise.all(["a", "a", "", "b"].map((code) => exchangeCode("/cookie/", "code", code, assert.fail)));
  assert.deepEqual(posted, ["POST /cookie/ code=a", "POST /cookie/ code=a", "POST /cookie/ code=b"]);
});

test("a cookie that is set is asked for, and a server that does not answer tells nothing", async () => {
  const checked = [];
  let check;
  fakePage({ fetch: async (_, { method }) => (method === "POST" ? { status: 204 } : check()) });
  for (const [code, answer] of [["c", { ok: true }], ["d", { ok: false }]]) {
    check = () => answer;
    await exchangeCode("/cookie/", "code", code, (isKept) => checked.push(isKept));
  }
  check = () => Promise.reject(new Error("away"));
  await exchangeCode("/cookie/", "code", "e", assert.fail);
  assert.deepEqual(checked, [true, false]);
});

test("another document is loaded once the code is exchanged, and none without an address", async () => {
  const location = { assign: mock.fn(), replace: mock.fn() };
  let exchange;
  const exchanged = new Promise((then) => (exchange = then));
  fakePage({ location });
  const loaded = [["", false], ["/questionnaire/q2/", false], ["/questionnaire/q9/", true]]
    .map(([address, isReplaced]) => loadAfter(exchanged, address, isReplaced));
  await settle();
  assert.equal(location.assign.mock.callCount(), 0);
  exchange();
  await Promise.all(loaded);
  const [assigned, replaced] = [location.assign, location.replace]
    .map((each) => each.mock.calls.map((call) => call.arguments[0]));
  assert.deepEqual([assigned, replaced], [["/questionnaire/q2/"], ["/questionnaire/q9/"]]);
});

test("a field is copied, or selected where the browser refuses", async () => {
  const box = field("link", { focus: mock.fn(), select: mock.fn() });
  for (const [writeText, expected] of [[async () => {}, [1, 0, 0]], [() => Promise.reject(), [0, 1, 1]], [null, [0, 1, 2]]]) {
    const [onCopied, onRefused] = [mock.fn(), mock.fn()];
    const navigator = writeText ? { clipboard: { writeText } } : {};
    fakePage({ navigator, document: { getElementById: () => box } });
    await copyField("box", onCopied, onRefused);
    const counts = [onCopied, onRefused, box.select].map((each) => each.mock.callCount());
    assert.deepEqual(counts, expected);
  }
});

test("a form is posted only where the server answers", async () => {
  for (const [answer, expected] of [[async () => ({ ok: true }), [1, 0]], [async () => ({ ok: false }), [0, 1]],
    [() => Promise.reject(new Error("away")), [0, 1]]]) {
    const [form, onUnreached] = [{ submit: mock.fn() }, mock.fn()];
    fakePage({ fetch: mock.fn(answer) });
    await postIfReached(form, "/ping", onUnreached);
    await postIfReached({ submit: () => {} }, "/ping");
    assert.deepEqual([form.submit.mock.callCount(), onUnreached.mock.callCount()], expected);
    assert.equal(fetch.mock.calls[0].arguments[1].cache, "no-store");
  }
});

test("a form that cannot be sent shows and focuses its message", async () => {
  const message = { hidden: false, focus: mock.fn() };
  const form = { submit: mock.fn() };
  fakePage({ fetch: () => Promise.reject(new Error("away")), document: { getElementById: () => message } });
  const event = { currentTarget: form, preventDefault: mock.fn() };
  const done = submitIfReached(event, "/ping", "message");
  assert.deepEqual([event.preventDefault.mock.callCount(), message.hidden], [1, true]);
  await done;
  assert.deepEqual([message.hidden, message.focus.mock.callCount(), form.submit.mock.callCount()], [false, 1, 0]);
});

test("the document has another title until that is undone, or the page is another", () => {
  document.title = "Your home";
  assert.equal(setTitle(false), undefined);
  const undo = setTitle("Error: Your home");
  assert.equal(document.title, "Error: Your home");
  undo();
  assert.equal(document.title, "Your home");
  const late = setTitle("Error: Your home");
  document.title = "The next question";
  late();
  assert.equal(document.title, "The next question");
});
