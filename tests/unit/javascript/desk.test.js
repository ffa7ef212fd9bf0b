import assert from "node:assert/strict";
import { test } from "node:test";
import { focusPanel, showKeys, showOpened, switchKeys, turnTheme, watchKeys } from "../../../broker/components/js/desk.js";

const listeners = {};
let elements = [];
let focused = null;
const dialog = { box: { checked: null }, shown: 0, querySelector: () => dialog.box, showModal: () => { dialog.shown += 1; } };

/** Return an element of a key: a button, or a field, that may stand in a row. */
function element(name, { key = "", go = "", row = null, isField = false } = {}) {
  const self = { name, key, go, row, clicks: 0, matches: () => isField, closest: (wanted) => (wanted === "[data-row]" ? self.row : null) };
  self.click = () => { self.clicks += 1; };
  self.focus = () => { focused = self; };
  return self;
}

function row(name) {
  const self = { name, first: element(`${name}-first`), contains: (one) => Boolean(one) && one.row === self };
  self.matches = () => self.isOpen === true;
  self.first.row = self;
  self.querySelector = () => self.first;
  return self;
}

const rows = [row("one"), row("two")];

const cookies = {};
globalThis.CSS = { escape: (text) => text };
globalThis.addEventListener = (kind, listener) => { listeners[kind] = listener; };
globalThis.document = {
  get cookie() { return Object.entries(cookies).map((pair) => pair.join("=")).join("; "); },
  set cookie(text) {
    const [, name, value, seconds] = /^(\w+)=(\w+);.*max-age=(\d+)/.exec(text);
    if (seconds === "0") delete cookies[name];
    else cookies[name] = value;
  },
  documentElement: { dataset: { theme: "light" } },
  getElementById: () => dialog,
  get activeElement() { return focused; },
  querySelectorAll: (wanted) => (wanted === "[data-row]" ? rows : elements.filter((one) => wanted === `[data-key="${one.key}"]`)),
  querySelector: (wanted) => elements.find((one) => wanted === `[data-go="${one.go}"]`),
};

const posted = [];
globalThis.fetch = async (address, { body }) => { posted.push([address, String(body)]); };

function press(key, target = { closest: () => null }, more = {}) {
  const event = { key, target, prevented: false, preventDefault: () => { event.prevented = true; }, ...more };
  listeners.keydown(event);
  return event.prevented;
}

test("the theme turns and is remembered on the device and with the account", () => {
  turnTheme("/look");
  assert.deepEqual([document.documentElement.dataset.theme, cookies.desk_theme], ["dark", "dark"]);
  assert.deepEqual(posted.at(-1), ["/look", "theme=dark&keys=on"]);
  turnTheme("/look");
  assert.equal(cookies.desk_theme, "light");
});

test("a key presses its element: in the row that has the focus, else the page's own before that of the top bar", () => {
  watchKeys("keys");
  const bar = element("bar", { key: "/", isField: true });
  const [send, field, replace] = [element("send", { key: "u" }), element("field", { key: "/", isField: true }), element("replace", { key: "r", row: rows[1] })];
  elements = [send, bar, field, replace];
  assert.equal(press("u"), true);
  assert.equal(press("/"), true);
  assert.deepEqual([send.clicks, focused], [1, field]);
  assert.deepEqual([press("r"), replace.clicks], [false, 0]);
  focused = rows[1].first;
  assert.deepEqual([press("r"), replace.clicks], [true, 1]);
});

test("j and k move from row to row and stop at the ends", () => {
  focused = null;
  const seen = ["j", "j", "j", "k", "k"].map((key) => (press(key), focused.name));
  assert.deepEqual(seen, ["one-first", "two-first", "two-first", "one-first", "one-first"]);
});

test("j and k begin at the row that is open", () => {
  rows[1].isOpen = true;
  focused = null;
  press("k");
  assert.equal(focused.name, "one-first");
  rows[1].isOpen = false;
});

test("Ctrl and Enter send the form of a text", () => {
  const sent = [];
  const text = (name) => ({ closest: () => null, matches: (wanted) => wanted === name, form: { requestSubmit: () => sent.push(name) } });
  press("Enter", text("textarea"), { ctrlKey: true });
  press("Enter", text("input"), { ctrlKey: true });
  press("Enter", text("textarea"));
  assert.deepEqual(sent, ["textarea"]);
});

test("g and a letter go to a page, and the letter alone does not", () => {
  const page = element("page", { go: "e" });
  elements = [page];
  press("e");
  assert.equal(page.clicks, 0);
  press("g");
  press("e");
  assert.equal(page.clicks, 1);
});

test("keys rest in a field, with Ctrl, and where they are switched off; ? lists them always", () => {
  const send = element("send", { key: "u" });
  elements = [send];
  const field = { closest: (wanted) => (wanted.startsWith("dialog,") ? null : field), matches: () => true, blurred: 0, blur: () => { field.blurred += 1; } };
  press("u", field);
  press("Escape", field);
  press("u", undefined, { ctrlKey: true });
  assert.deepEqual([send.clicks, field.blurred], [0, 1]);
  switchKeys({ checked: false }, "/look");
  assert.match(posted.at(-1)[1], /keys=$/);
  press("u");
  press("?");
  assert.deepEqual([send.clicks, dialog.shown, dialog.box.checked], [0, 1, false]);
  switchKeys({ checked: true });
  press("u");
  showKeys("keys");
  assert.deepEqual([send.clicks, dialog.box.checked], [1, true]);
});

test("panel takes the focus as it appears, and gives it back to the button of its row unless it is elsewhere", () => {
  const [opener, inside, elsewhere] = [element("opener"), element("inside"), element("elsewhere")];
  const panel = { ...element("panel"), contains: (one) => one === inside || one === panel };
  panel.focus = () => { focused = panel; };
  const { querySelector } = document;
  Object.assign(document, { body: element("body"), querySelector: () => opener });
  for (const [last, expected] of [[panel, opener], [inside, opener], [document.body, opener], [elsewhere, elsewhere]]) {
    focusPanel(panel);
    assert.equal(focused, panel);
    focused = last;
    focusPanel(null);
    assert.equal(focused, expected);
  }
  document.querySelector = querySelector;
});

test("what a disclosure opens is scrolled into sight, and nothing as it closes", () => {
  const scrolls = [];
  const form = { scrollIntoView: ({ block }) => scrolls.push(block) };
  for (const open of [true, false]) showOpened({ open, lastElementChild: form });
  assert.deepEqual(scrolls, ["nearest"]);
});
