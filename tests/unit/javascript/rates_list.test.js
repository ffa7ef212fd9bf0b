import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { compare, focusNewDeal, keepFocus, leaveBar, openComparison, showList } from "../../../broker/components/js/rates_list.js";
import { fakePage } from "./fake_page.js";

const card = (product) => ({ dataset: { product }, focus: mock.fn() });

/** A page with the list of some cards; `change` calls what watches it. */
function listPage(...products) {
  const heading = { focus: mock.fn(), scrollIntoView: mock.fn() };
  const list = { dataset: {}, cards: products.map(card), querySelectorAll: () => list.cards, querySelector: () => heading };
  const watching = new Set();
  class MutationObserver {
    constructor(look) {
      this.look = look;
    }
    observe() {
      watching.add(this.look);
    }
    disconnect() {
      watching.delete(this.look);
    }
  }
  const document = { getElementById: () => list, querySelectorAll: list.querySelectorAll };
  fakePage({ document, location: { pathname: "/tools/rates/" }, MutationObserver, setTimeout: () => 0 });
  return { list, heading, watching, change: () => [...watching].forEach((look) => look()) };
}

const formOf = (opener) => ({ parentElement: { querySelector: () => opener } });

test("the focus moves to the first new deal once it is there", () => {
  const page = listPage("a", "b");
  focusNewDeal();
  page.change();
  assert.equal(page.watching.size, 1);
  page.list.cards = ["b", "c", "d"].map(card);
  page.change();
  assert.deepEqual(page.list.cards.map((each) => each.focus.mock.callCount()), [0, 1, 0]);
  assert.equal(page.watching.size, 0);
});

test("a form that was opened closes, and the heading comes into view once the list answers", () => {
  const page = listPage("a");
  const opener = { open: true };
  showList(formOf(opener), "term=30");
  assert.equal(opener.open, false);
  page.change();
  assert.equal(page.heading.focus.mock.callCount(), 0);
  page.list.dataset.answered = "/tools/rates/?term=30";
  page.change();
  assert.deepEqual([page.heading.focus.mock.callCount(), page.heading.scrollIntoView.mock.callCount()], [1, 1]);
});

test("a list that answers the search already comes into view at once", () => {
  const page = listPage("a");
  page.list.dataset.answered = "/tools/rates/";
  showList(formOf({ open: true }), "");
  assert.deepEqual([page.heading.focus.mock.callCount(), page.heading.scrollIntoView.mock.callCount()], [1, 1]);
  assert.equal(page.watching.size, 0);
});

test("the focus stays where it is while no form was opened", () => {
  const page = listPage("a");
  showList(formOf(null), "");
  assert.equal(page.watching.size, 0);
});

const filterOf = (name) => ({
  pathname: "/tools/rates/",
  search: "?fees=none",
  childNodes: [" ", `${name} `, "427"].map((textContent) => ({ textContent })),
  focus: mock.fn(),
});

test("a filter that was pressed has the focus again once the list answers it, unless the visitor went on", () => {
  for (const isAway of [false, true]) {
    const page = listPage("a");
    const filters = ["Cashback", "No lender fee"].map(filterOf);
    page.list.querySelectorAll = () => filters;
    document.activeElement = document.body;
    keepFocus(filterOf("No lender fee"));
    page.change();
    page.list.dataset.answered = "/tools/rates/?fees=none";
    if (isAway) document.activeElement = {};
    page.change();
    assert.deepEqual(filters.map((each) => each.focus.mock.callCount()), [0, isAway ? 0 : 1]);
    assert.equal(page.watching.size, 0);
  }
});

/** A page with a list of some cards and a comparison. */
function comparisonPage(...products) {
  const [box, heading, list] = [() => ({ focus: mock.fn() }), { focus: mock.fn(), scrollIntoView: mock.fn() }, { focus: mock.fn() }];
  const cards = products.map((product) => {
    const input = box();
    return { input, dataset: { product }, querySelector: () => input };
  });
  const document = { querySelectorAll: () => cards, getElementById: (id) => (id === "deals" ? { querySelector: () => list } : heading) };
  fakePage({ document, location: { pathname: "/tools/rates/" }, history: {} });
  return { cards, heading, list, focused: () => cards.map((card) => card.input.focus.mock.callCount()) };
}

test("a comparison that a button asked for takes the focus, and gives it back to the card picked last", () => {
  const page = comparisonPage("a", "b");
  const navigate = mock.fn();
  compare(navigate, ["a", "b"]);
  assert.equal(navigate.mock.calls[0].arguments[0].search, "compare=a%2Cb");
  const close = openComparison();
  assert.equal(page.heading.focus.mock.callCount(), 1);
  close();
  assert.deepEqual(page.focused(), [0, 1]);
});

test("a comparison of a link leaves the focus alone, and gives it to the list as it closes", () => {
  const page = comparisonPage("a", "b");
  const close = openComparison();
  close();
  assert.deepEqual([page.heading.focus.mock.callCount(), page.list.focus.mock.callCount(), page.focused()], [0, 1, [0, 0]]);
});

test("a comparison that closes since the visitor went elsewhere moves no focus", () => {
  const page = comparisonPage("a");
  const close = openComparison();
  document.activeElement = {};
  close();
  document.activeElement = document.body;
  location.pathname = "/about-us/";
  close();
  assert.deepEqual([page.list.focus.mock.callCount(), page.focused()], [0, [0]]);
});

test("the deal picked last has the focus as the bar goes, or the list without it", () => {
  const page = comparisonPage("a", "b");
  leaveBar(["a", "b"]);
  assert.deepEqual(page.focused(), [0, 1]);
  leaveBar(["a", "gone"]);
  assert.equal(page.list.focus.mock.callCount(), 1);
});
