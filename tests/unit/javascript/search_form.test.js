import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { fakePage } from "./fake_page.js";

/** Where the scripts listen from their start on, as on a page. */
const events = new EventTarget();
globalThis.addEventListener = (...listener) => events.addEventListener(...listener);
const { clearFigures, keepFigures } = await import("../../../broker/components/js/figures.js");
const { changeSearch, changedQuery, dropFigures, figuresWhileTyping, fillForm, submitForm, typedFigures, usesFigures } = await import(
  "../../../broker/components/js/search_form.js"
);

const DEFAULTS = { price: "200000", amount: "100000", term: "25", rate: "fixed", sort: "rate", lender: "" };

class Choice extends Array {
  value = "fixed";
}

/** A page with the form at its defaults; `wrong` has a field in error. */
function formPage(search = "", { wrong = false, kept = {} } = {}) {
  const held = {};
  const rate = Choice.from([{ value: "fixed" }, { value: "variable" }, { value: "both", disabled: true }]);
  const fields = {
    price: { type: "text", value: "200,000" },
    amount: { type: "text", value: "100,000" },
    term: { type: "text", value: "25" },
    rate,
    lender: { type: "select-one", value: "", options: [{ value: "" }, { value: "42" }] },
  };
  const form = {
    dataset: { defaults: JSON.stringify(DEFAULTS) },
    elements: { namedItem: (name) => fields[name] ?? null },
    parentElement: { querySelector: () => null },
    querySelector: (selector) => {
      const name = /^\[name="(.+)"\]$/.exec(selector)?.[1];
      if (name) return fields[name] ?? null;
      return wrong ? fields.price : null;
    },
  };
  class FormData {
    *[Symbol.iterator]() {
      for (const [name, field] of Object.entries(fields)) yield [name, field.value];
    }
  }
  const document = { getElementById: (id) => (id === "search" ? form : null) };
  const storage = { setItem: (key, value) => { held[key] = value; }, removeItem: () => {} };
  const page = fakePage({ document, location: { search }, FormData, RadioNodeList: Choice, sessionStorage: storage, dispatchEvent: (event) => events.dispatchEvent(event) });
  page.clear = () => clearFigures({ parentElement: { querySelector: () => ({}) } });
  page.clear();
  keepFigures(kept);
  const shown = () => Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
  return { ...page, fields, shown, usual: shown(), kept: () => JSON.parse(held.figures) };
}

const navigated = (go, ...parameters) => {
  const navigate = mock.fn();
  go(navigate, ...parameters);
  return navigate.mock.calls.map((call) => call.arguments);
};

test("a query string has what differs from the defaults, plainly, in their order", () => {
  assert.equal(changedQuery(DEFAULTS, "?sort=fees&x=1", { amount: " £0150,000", rate: "fixed" }), "amount=150000&sort=fees");
});

test("the fields show the search of the address, and its figures are returned", () => {
  const page = formPage();
  assert.deepEqual(fillForm("?amount=150000&rate=variable&lender=42&sort=fees"), { price: "200,000", amount: "150,000", term: "25" });
  assert.deepEqual(page.shown(), { ...page.usual, amount: "150,000", rate: "variable", lender: "42" });
  fillForm("");
  assert.deepEqual(page.shown(), page.usual);
});

test("a choice that the form does not offer is its default, and a text in error stands as it is", () => {
  const page = formPage();
  fillForm("?rate=both&lender=7&price=abc");
  assert.deepEqual(page.shown(), { ...page.usual, price: "abc" });
});

test("what was typed before the script ran stays, beside the rest of the address", () => {
  const page = formPage();
  page.fields.term.value = "30";
  fillForm("?amount=150000&term=20");
  assert.deepEqual(page.shown(), { ...page.usual, amount: "150,000", term: "30" });
});

test("what is typed and not sent stays while a parameter without a field changes", () => {
  const page = formPage();
  fillForm("");
  page.fields.term.value = "3x";
  assert.equal(fillForm("?sort=fees").term, "3x");
  assert.equal(typedFigures().term, "3x");
  fillForm("?amount=150000");
  assert.equal(page.fields.term.value, "25");
});

test("the form goes to its own address, keeps the order of the list, and what is typed next stays", () => {
  const page = formPage("?sort=fees");
  fillForm("?sort=fees");
  page.fields.amount.value = "150000";
  assert.deepEqual(navigated(submitForm), [[{ search: "amount=150000&sort=fees" }, { replace: false, preventScrollReset: true }]]);
  assert.equal(page.fields.amount.value, "150,000");
  page.fields.term.value = "30";
  fillForm("?amount=150000&sort=fees");
  assert.equal(page.fields.term.value, "30");
});

test("the same search again adds no step, and a form with a field in error goes nowhere", () => {
  formPage("?sort=fees");
  assert.deepEqual(navigated(submitForm), [[{ search: "sort=fees" }, { replace: true, preventScrollReset: true }]]);
  formPage("", { wrong: true });
  assert.deepEqual(navigated(submitForm), []);
});

test("the last group of an amount may be short while it is typed, and neither in another field nor when it is sent", () => {
  const page = formPage();
  page.fields.price.value = "200,0";
  const shown = { price: "200,0", amount: "100,000", term: "25" };
  assert.deepEqual(figuresWhileTyping({ name: "price", value: "200,0" }), { ...shown, price: "200,000" });
  assert.deepEqual(figuresWhileTyping({ name: "amount", value: "100,000" }), shown);
  assert.deepEqual(figuresWhileTyping({ name: "price", value: "x,0" }), shown);
  const navigate = mock.fn();
  assert.deepEqual(submitForm(navigate), shown);
  assert.equal(navigate.mock.callCount(), 0);
});

test("another order is a step to the same search in that order", () => {
  formPage("?amount=150000&product=p1");
  assert.deepEqual(navigated(changeSearch, { sort: "fees" }), [[{ search: "amount=150000&sort=fees" }, { replace: false, preventScrollReset: true }]]);
});

/** Open a page with kept figures; return the addresses it went to, and the texts of its fields. */
function opened(kept, query = "", typed = {}) {
  const page = formPage(query, { kept });
  for (const [name, text] of Object.entries(typed)) page.fields[name].value = text;
  const navigate = mock.fn();
  const shown = Object.values(fillForm(query, navigate));
  return [...navigate.mock.calls.map((call) => call.arguments[0].search), ...shown];
}

const USUAL = ["200,000", "100,000", "25"];

test("the visitor's figures are searched for: price and loan where they go together, and the term", () => {
  assert.deepEqual(opened({ price: 310_000.4, loan: 187_400, term: 18.5 }), ["price=310000&amount=187400&term=19", ...USUAL]);
  assert.deepEqual(opened({ price: 300_000, deposit: 40_000 }, "?sort=fees"), ["price=300000&amount=260000&sort=fees", ...USUAL]);
  for (const kept of [{}, { price: 300_000 }, { loan: 300_000 }, { price: 100, loan: 300 }, { price: 200_000, loan: 100_000 }])
    assert.deepEqual(opened(kept), USUAL);
});

test("an address with figures, a deal, a comparison or a longer list wins over the visitor's figures, and so does typing", () => {
  assert.deepEqual(opened({ term: 19 }, "?amount=150000"), ["200,000", "150,000", "25"]);
  for (const query of ["?product=a", "?compare=a,b", "?page=2"]) assert.deepEqual(opened({ term: 19 }, query), USUAL);
  assert.deepEqual(opened({ term: 19 }, "", { price: "250000" }), ["250000", "100,000", "25"]);
  assert.deepEqual(opened({ term: 19 }, "", { rate: "variable" }), USUAL);
});

test("the form says that it shows the visitor's figures, which leave its search as they are cleared", () => {
  const page = formPage("?price=310000&amount=187400&sort=fees", { kept: { price: 310_000, loan: 187_400, term: 18.5 } });
  assert.equal(usesFigures(fillForm(page.location.search)), true);
  page.clear();
  assert.deepEqual(navigated(dropFigures), [[{ search: "sort=fees" }, { replace: true, preventScrollReset: true }]]);
  assert.equal(usesFigures(typedFigures()), false);
  assert.deepEqual(navigated(dropFigures), []);
});

test("a search keeps what it was not given", () => {
  const page = formPage("?price=310000&amount=187400&term=19", { kept: { price: 310_000, loan: 187_400, term: 18.5 } });
  fillForm(page.location.search);
  page.fields.amount.value = "180,000";
  navigated(submitForm);
  assert.deepEqual(page.kept(), { price: 310_000, loan: 180_000, term: 18.5 });
});
