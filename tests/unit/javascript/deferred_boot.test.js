import assert from "node:assert/strict";
import { mock, test } from "node:test";
import {
  deferBoot, enableStylesheets, keepServedPage, layOutSections, repeatEarlyInput, repeatEarlyPresses, startModules,
} from "../../../broker/server/js/deferred_boot.js";
import { fakePage, settle } from "./fake_page.js";

globalThis.Node = class { get nodeValue() { return ""; } set nodeValue(_) {} removeChild() {} insertBefore() {} };
globalThis.MutationObserver = class {
  static all = [];
  constructor(callback) { Object.assign(this, { callback, disconnect: mock.fn() }); MutationObserver.all.push(this); }
  observe() {}
};

const module = (name) => `text/javascript,globalThis.loaded.push("${name}");export const name="${name}"`;
const MODULES = {
  folder: "data:",
  shared: [module("shared-1"), module("shared-2")],
  manifest: module("manifest"),
  routes: { root: module("root"), "routes/page": module("page") },
  entry: module("entry"),
};

const start = (links) => {
  globalThis.loaded = [];
  const added = [];
  const querySelectorAll = (selector) => (selector === "link[disabled]" ? links : []);
  const document = { querySelectorAll, createElement: () => ({}), head: { append: (link) => added.push(link) } };
  const page = fakePage({ document, requestAnimationFrame: mock.fn() });
  page.document.documentElement.cloneNode = () => ({});
  return { added, page };
};

test("modules load in order, and the page is taken over once its stylesheets are there", async () => {
  const link = { disabled: true };
  const { added } = start([link]);
  const done = startModules(MODULES);
  assert.equal(link.disabled, false);
  assert.deepEqual(added.map((each) => each.rel), Array(6).fill("modulepreload"));
  while (globalThis.loaded.length < 5) await settle();
  await settle();
  assert.deepEqual(globalThis.loaded, ["shared-1", "shared-2", "manifest", "root", "page"]);
  link.onload();
  await done;
  assert.equal(globalThis.loaded.at(-1), "entry");
  const modules = Object.entries(globalThis.__reactRouterRouteModules).map(([id, { name }]) => [id, name]);
  assert.deepEqual(modules, [["root", "root"], ["routes/page", "page"]]);
});

test("a stylesheet that cannot be loaded is not waited for", async () => {
  const links = [{ disabled: true }, { disabled: true }];
  start(links);
  const enabled = enableStylesheets();
  links[0].onload();
  links[1].onerror();
  assert.equal((await enabled).length, 2);
});

test("the page starts once: after its first frame, or after two seconds without one", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const isPainted of [true, false]) {
    const links = [{ disabled: true }];
    start(links);
    const count = mock.method(document, "querySelectorAll");
    deferBoot({ ...MODULES, shared: [] });
    if (isPainted) requestAnimationFrame.mock.calls[0].arguments[0]();
    mock.timers.tick(1);
    assert.equal(links[0].disabled, !isPainted);
    mock.timers.tick(2000);
    assert.equal(links[0].disabled, false);
    assert.equal(count.mock.callCount(), 1);
  }
  mock.timers.reset();
});

test("a page whose scripts do not arrive is marked, and one that React takes over loses its marks", async () => {
  const change = { removeAttribute: mock.fn() };
  const hidden = { textContent: "<p>Plain</p>" };
  for (const [shared, mark] of [["text/javascript,throw new Error()", "none"], [module("shared"), undefined]]) {
    const { page } = start([]);
    const marks = page.attributes;
    page.document.documentElement.removeAttribute = (name) => delete marks[name];
    const found = { "[data-changed]": [change], noscript: [hidden] };
    page.document.querySelectorAll = (selector) => found[selector] ?? [];
    marks["data-scripts"] = mark && "late";
    globalThis.isHydrated = mark ? undefined : {};
    deferBoot({ ...MODULES, shared: [shared] });
    requestAnimationFrame.mock.calls[0].arguments[0]();
    while (marks["data-scripts"] !== mark || (!mark && !change.removeAttribute.mock.callCount())) await settle();
  }
  assert.deepEqual(change.removeAttribute.mock.calls[0].arguments, ["data-changed"]);
  assert.equal(hidden.outerHTML, "<p>Plain</p>", "what browsers without scripts show is shown");
  globalThis.isHydrated = undefined;
});

test("an error before React has started marks the page, and none after", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const [started, mark] of [[undefined, "none"], [{}, undefined]]) {
    const { page } = start([{ disabled: true }]);
    deferBoot({ ...MODULES, shared: [] });
    mock.timers.tick(2000);
    globalThis.isHydrated = started;
    page.dispatch("error");
    assert.equal(page.attributes["data-scripts"], mark);
  }
  globalThis.isHydrated = undefined;
  mock.timers.reset();
});

test("what the server sent is put back where React leaves nothing of it", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const isHere of [true, false]) {
    const [served, reload] = [{}, mock.fn()];
    const body = { querySelector: () => ({}) };
    const document = { body, querySelectorAll: () => [], append: mock.fn() };
    const page = fakePage({ document, location: { pathname: "/a/", reload }, reportError: mock.fn() });
    Object.assign(page.document.documentElement, { cloneNode: () => served, remove: mock.fn() });
    keepServedPage();
    const observer = MutationObserver.all.at(-1);
    observer.callback();
    assert.equal(observer.disconnect.mock.callCount(), 0, "React changes a page that is there");
    body.querySelector = () => null;
    if (!isHere) page.location.pathname = "/b/";
    observer.callback();
    mock.timers.tick(0);
    assert.deepEqual([observer.disconnect, reportError].map(({ mock: { calls } }) => calls.length), [1, 1]);
    assert.deepEqual(document.append.mock.calls.map((call) => call.arguments), isHere ? [[served]] : []);
    assert.deepEqual(page.attributes, isHere ? { "data-scripts": "none" } : {});
    if (isHere) page.dispatch("popstate");
    assert.equal(reload.mock.callCount(), 1);
  }
  mock.timers.reset();
});

test("a form that is changed before React is marked, unless React starts soon", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const [started, marks] of [[undefined, ["late", [["data-changed", ""]]]], [{}, [undefined, []]]]) {
    const page = fakePage({ isHydrated: undefined });
    page.document.documentElement.hasAttribute = (name) => name in page.attributes;
    repeatEarlyInput();
    const form = { setAttribute: mock.fn() };
    const field = { tagName: "SELECT", form, value: "a", dispatchEvent: mock.fn() };
    page.dispatch("input", { target: field });
    globalThis.isHydrated = started;
    mock.timers.tick(1000);
    assert.deepEqual([page.attributes["data-scripts"], form.setAttribute.mock.calls.map((call) => call.arguments)], marks);
  }
  globalThis.isHydrated = undefined;
  mock.timers.reset();
});

test("a press that came before React is repeated once, and no other", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = fakePage({ isHydrated: undefined });
  const stop = repeatEarlyPresses();
  const press = (selector) => {
    const target = { closest: (wanted) => (wanted === selector ? target : null) };
    target.click = mock.fn(() => page.dispatch("click", { target }));
    page.dispatch("click", { target });
    return target;
  };
  const early = press("button[type=button]");
  page.dispatch("click", { target: early });
  const others = ["a", "summary", "button[type=submit]"].map(press);
  mock.timers.tick(500);
  assert.equal(early.click.mock.callCount(), 0);
  stop();
  const late = press("button[type=button]");
  globalThis.isHydrated = {};
  mock.timers.tick(500);
  assert.deepEqual([early, late, ...others].map(({ click }) => click.mock.callCount()), [1, 0, 0, 0, 0]);
  globalThis.isHydrated = undefined;
  mock.timers.reset();
});

test("sections that wait are laid out once the page is used and the browser is idle", () => {
  const idle = [];
  const page = fakePage({ requestIdleCallback: (callback) => idle.push(callback) });
  layOutSections();
  assert.equal(idle.length, 0);
  ["scroll", "scroll"].forEach((type) => page.dispatch(type));
  assert.deepEqual([idle.length, page.attributes], [1, {}]);
  idle[0]();
  assert.deepEqual(page.attributes, { "data-laid-out": "" });
});

test("input before hydration is repeated after it", () => {
  class HTMLInputElement {
    constructor(type) {
      this.type = type;
      this.written = [];
      this.events = [];
    }
    get tagName() { return "INPUT"; }
    set value(value) { this.written.push(value); }
    get value() { return this.written.at(-1); }
    dispatchEvent(event) { this.events.push(event.type); }
    click() { this.checked = !this.checked; this.events.push("click"); }
  }
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = fakePage({ HTMLInputElement, isHydrated: undefined });
  repeatEarlyInput();
  const [text, typedOn, box] = ["text", "text", "checkbox"].map((type) => new HTMLInputElement(type));
  const select = { tagName: "SELECT", type: "select-one", value: "b", dispatchEvent: mock.fn() };
  text.value = "12";
  typedOn.value = "3";
  box.checked = true;
  for (const target of [text, typedOn, box, select]) page.dispatch("input", { target });
  mock.timers.tick(500);
  assert.deepEqual([text.events, box.events], [[], []]);
  globalThis.isHydrated = {};
  typedOn.value = "34";
  page.dispatch("input", { target: typedOn });
  mock.timers.tick(50);
  assert.deepEqual([typedOn.written, typedOn.events], [["3", "34"], []], "React has heard the field's later input");
  assert.deepEqual([text.written, text.events], [["12", "12 ", "12"], ["input"]]);
  assert.deepEqual([box.checked, box.events], [true, ["click"]]);
  assert.equal(select.dispatchEvent.mock.calls[0].arguments[0].type, "change");
  page.dispatch("input", { target: text });
  mock.timers.tick(500);
  assert.deepEqual(text.events, ["input"]);
  globalThis.isHydrated = undefined;
  mock.timers.reset();
});
