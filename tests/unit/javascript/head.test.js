import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { prepareDocument } from "../../../broker/server/js/head.js";
import { fakePage } from "./fake_page.js";

const PARAMETERS = {
  notice: { action: "/accept", attribute: "data-closed", accepted: "yes", cookie: "notice=yes; Path=/" },
  moved: "data-moved",
  storage: "data-storage",
};
const form = (action, fields = {}) => ({ getAttribute: () => action, ...fields });

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

const store = () => ({ clear: mock.fn(), setItem: mock.fn(), removeItem: mock.fn() });

const prepare = (globals) => {
  const page = fakePage({ localStorage: store(), sessionStorage: store(), ...globals });
  prepareDocument(PARAMETERS);
  return page;
};

test("storage is cleared, and a browser without storage is no error", () => {
  prepare();
  assert.equal(localStorage.clear.mock.callCount(), 1);
  prepare({ localStorage: null, sessionStorage: null });
});

test("a cookie notice that was closed is hidden", () => {
  assert.deepEqual(prepare().attributes, {});
  assert.deepEqual(prepare({ document: { cookie: "a=b; notice=yes" } }).attributes, { "data-closed": "yes" });
});

test("closing the notice sets the cookie without a request, secure over https", () => {
  for (const [protocol, cookie] of [["https:", "notice=yes; Path=/; Secure"], ["http:", "notice=yes; Path=/"]]) {
    const page = prepare({ location: { protocol } });
    assert.equal(page.dispatch("submit", { target: form("/accept") }).defaultPrevented, true);
    assert.deepEqual([page.document.cookie, page.attributes], [cookie, { "data-closed": "yes" }]);
  }
});

test("other forms are sent, with the page before in their field", () => {
  const page = prepare({ document: { referrer: "https://site.test/fees/" } });
  const fields = { came_from: { value: "" } };
  assert.equal(page.dispatch("submit", { target: form("/other", fields) }).defaultPrevented, false);
  assert.equal(fields.came_from.value, "/fees/");
  page.location.pathname = "/guides/";
  page.dispatch("click", { target: { closest: () => ({ dataset: {}, pathname: "/contact/", hash: "" }) } });
  const later = { came_from: { value: "" } };
  page.dispatch("submit", { target: form("/other", later) });
  assert.equal(later.came_from.value, "/guides/");
});

test("a link to a result takes the query string that the page has as it is pressed, and no other link does", () => {
  const page = prepare({ location: { search: "?loan=1" } });
  const link = (result) => ({ pathname: "/", hash: "#a", search: "", dataset: { result } });
  const isResult = ({ dataset }) => dataset.result !== undefined;
  const press = (type, pressed) =>
    page.dispatch(type, {
      target: { closest: (selector) => selector !== "a[data-result]" || isResult(pressed) ? pressed : null },
    });
  const [pdf, adviser, other] = [link(""), link("result=/a.pdf"), link()];
  [pdf, adviser, other].forEach((each) => press("click", each));
  assert.deepEqual([pdf.search, adviser.search, other.search], ["?loan=1", "result=/a.pdf&loan=1", ""]);
  page.location.search = "?loan=2";
  [pdf, adviser].forEach((each) => press("mousedown", each));
  assert.deepEqual([pdf.search, adviser.search], ["?loan=2", "result=/a.pdf&loan=2"]);
  page.location.search = "";
  press("click", adviser);
  assert.equal(adviser.search, "result=/a.pdf");
});

test("a form is sent once, however often its button is pressed", () => {
  const page = prepare();
  const [target, other] = [form("/send"), form("/other")];
  const sent = (timeStamp, each = target) => !page.dispatch("submit", { target: each, timeStamp }).defaultPrevented;
  assert.deepEqual([sent(100), sent(300), sent(2_099), sent(2_100)], [true, false, false, true]);
  assert.deepEqual([sent(2_200, other), sent(2_300)], [true, true]);
  const pressed = (submitter) => !page.dispatch("submit", { target, submitter, timeStamp: 9_000 }).defaultPrevented;
  assert.deepEqual(["CSV", "JSON", "JSON"].map(pressed), [true, true, false], "each button of a form counts alone");
});

test("a link focuses the next page's heading and marks the document", () => {
  const [before, next] = [{}, { focus: mock.fn() }];
  let heading = before;
  const page = prepare({ document: { querySelector: () => heading } });
  page.dispatch("click", { target: { closest: () => ({ dataset: {}, pathname: "/next/", hash: "" }) } });
  assert.deepEqual(page.attributes, { "data-moved": "" });
  mock.timers.tick(200);
  page.location.pathname = "/next/";
  heading = next;
  mock.timers.tick(50);
  assert.deepEqual(next.focus.mock.calls.map((call) => call.arguments), [[{ preventScroll: true }]]);
});

test("pages that a link leads to fade, however many links are followed", () => {
  const navigate = mock.fn();
  const router = { navigate };
  const sessionStorage = store();
  const page = prepare({ __reactRouterDataRouter: router, location: { pathname: "/here/" }, sessionStorage });
  sessionStorage.removeItem.mock.resetCalls();
  const click = () => page.dispatch("click", { target: { closest: () => ({ dataset: {}, pathname: "/next/", hash: "#a" }) } });
  [1, 2].forEach(click);
  const faded = { "/next/?a=1": true, "/here/?a=1": false, "?a=1": false };
  Object.keys(faded).forEach((to) => router.navigate(to, { replace: true }));
  [{ pathname: "/next/" }, { search: "a=1" }, -1].forEach((to) => router.navigate(to));
  const asked = navigate.mock.calls.map(({ arguments: [, options] }) => options.viewTransition);
  assert.deepEqual(asked, [...Object.values(faded), true, false, false]);
  page.dispatch("pagehide", {});
  assert.deepEqual(sessionStorage.removeItem.mock.calls.map((call) => call.arguments), [["remix-router-transitions"]]);
});

test("a page whose script did not come is loaded, where the router would load the one before again", () => {
  const navigation = new EventTarget();
  const assign = mock.fn();
  const page = prepare({ navigation, location: { pathname: "/here/", assign } });
  const prevents = (navigationType, properties) => {
    const event = Object.assign(new Event("navigate", { cancelable: true }), { navigationType, ...properties });
    navigation.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const link = { dataset: {}, pathname: "/next/", href: "https://site.test/next/?a=1", hash: "#a" };
  const follow = () => page.dispatch("click", { target: { closest: () => link } });
  assert.equal(prevents("reload"), false, "no link was followed");
  follow();
  assert.equal(prevents("reload", { userInitiated: true }), false, "the visitor reloads");
  follow();
  assert.deepEqual([prevents("push"), prevents("reload")], [false, false], "the page is there");
  follow();
  assert.deepEqual([prevents("reload"), prevents("reload")], [true, false]);
  assert.deepEqual(assign.mock.calls.map((call) => call.arguments), [["https://site.test/next/?a=1"]]);
});

test("a link to a place within a page moves no focus, and neither does a click on anything else", () => {
  const heading = { focus: mock.fn() };
  const page = prepare({ document: { querySelector: () => heading } });
  page.dispatch("click", { target: { closest: () => ({ dataset: {}, pathname: "/next/", hash: "#a" }) } });
  page.dispatch("click", { target: {} });
  page.location.pathname = "/next/";
  mock.timers.tick(10_000);
  assert.equal(heading.focus.mock.callCount(), 0);
});

test("the question that the address names is opened", () => {
  const details = { setAttribute: mock.fn() };
  prepare({ document: { querySelector: () => details } }).dispatch("load");
  assert.deepEqual(details.setAttribute.mock.calls[0].arguments, ["open", ""]);
});

const contents = (tops) => {
  const links = tops.map((_, at) => ({ hash: `#part-${at}` }));
  const headings = tops.map((y) => ({ y, getBoundingClientRect() { return { y: this.y }; } }));
  return { links, headings };
};

test("the contents mark the last part whose heading is near the top, on each page again", () => {
  const observers = [];
  class IntersectionObserver {
    constructor(callback, options) { Object.assign(this, { callback, options, observed: [] }); observers.push(this); }
    observe(element) { this.observed.push(element); }
  }
  let shown = contents([]);
  const document = {
    querySelectorAll: (selector) => (selector === ".toc a" ? shown.links : []),
    getElementById: (id) => shown.headings[id.replace("part-", "")],
  };
  const page = prepare({ document, IntersectionObserver, innerHeight: 2_000 });
  page.dispatch("scroll");
  assert.equal(observers.length, 0, "a page without contents watches nothing");
  for (const [tops, marked] of [[[-50, 299, 301], 1], [[301, 400], -1], [[-900, -10], 1]]) {
    shown = contents(tops);
    ["scroll", "scroll"].forEach((type) => page.dispatch(type));
    const observer = observers.at(-1);
    assert.deepEqual([observer.observed, observer.options], [shown.headings, { rootMargin: "9999% 0% -85%" }]);
    observer.callback([]);
    assert.deepEqual(shown.links.map((link) => link.ariaCurrent), tops.map((_, at) => at === marked ? "location" : null));
  }
  assert.equal(observers.length, 3, "one observer a page");
});

test("Escape closes the menu that is open, and the focus goes back to what opened it", () => {
  const summary = { focus: mock.fn() };
  const menu = { open: true, querySelector: () => summary };
  let opened = null;
  const page = prepare({ document: { querySelector: () => opened } });
  page.dispatch("keydown", { key: "Escape" });
  opened = menu;
  page.dispatch("keydown", { key: "a" });
  assert.deepEqual([menu.open, summary.focus.mock.callCount()], [true, 0]);
  page.dispatch("keydown", { key: "Escape" });
  assert.deepEqual([menu.open, summary.focus.mock.callCount()], [false, 1]);
});
