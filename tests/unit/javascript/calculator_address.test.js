import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { followValues, takeAddress, valuesOfQuery } from "../../../broker/components/js/calculator_address.js";
import { fakePage } from "./fake_page.js";

const PATH = "/tools/calculators/one/";
const NAMES = ["loan", "work", "unknown"];
const FIELDS = { loan: [(text) => (/^[\d,]*$/.test(text) ? "" : "Figures only"), (text) => Number(text.replace(",", "")), (number) => `${number}.00`] };
const OPTIONS = { work: ["employed", "director"], unknown: null };
const DEFAULTS = { loan: 50, loanText: "50.00", loanProblem: "", work: "employed", unknown: false };

test("a query gives fields, options that exist and ticks", () => {
  const values = (query) => valuesOfQuery(query, DEFAULTS, FIELDS, OPTIONS);
  assert.deepEqual(values("?other=1"), DEFAULTS);
  assert.deepEqual(values("?work=pirate&unknown=no"), DEFAULTS);
  assert.deepEqual(values("?work=director&unknown=yes"), { ...DEFAULTS, work: "director", unknown: true });
  assert.deepEqual(values("?loan=7&loan=8"), { ...DEFAULTS, loan: 7, loanText: "7.00" });
  assert.deepEqual(values("?loan=x"), { ...DEFAULTS, loanText: "x", loanProblem: "Figures only" });
});

test("only the address of its own page gives a calculator its values, where it has some", () => {
  const taken = (pathname, search) => {
    fakePage({ location: { pathname, search } });
    const places = {};
    takeAddress(places, "key", PATH, DEFAULTS, FIELDS, OPTIONS);
    return places.key?.loan;
  };
  assert.deepEqual([taken(PATH, "?loan=7"), taken(PATH, ""), taken("/elsewhere/", "?loan=7")], [7, undefined, undefined]);
});

/** Return a page at an address, whose `replaceState` changes it, and what was written there. */
function pageAt(search, { pathname = PATH, key = "first" } = {}) {
  const location = { pathname, search, hash: "" };
  const written = [];
  const replaceState = (state, _, address) => {
    written.push(address);
    location.search = address.slice(location.pathname.length);
  };
  return { ...fakePage({ location, history: { state: { key }, replaceState } }), written };
}

test("the address follows the values that differ, once they rest, and keeps what else it has", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const written = (values, { pathname = PATH, search = "" } = {}) => {
    const page = pageAt(search, { pathname });
    followValues(PATH, NAMES, DEFAULTS, { ...DEFAULTS, loan: 1 });
    mock.timers.tick(300);
    followValues(PATH, NAMES, DEFAULTS, { ...DEFAULTS, ...values });
    mock.timers.tick(1_000);
    return page.written;
  };
  assert.deepEqual(written({}), []);
  assert.deepEqual(written({ loan: 7 }), [`${PATH}?loan=7`]);
  assert.deepEqual(written({ loan: 7 }, { search: "?loan=7" }), []);
  assert.deepEqual(written({}, { search: "?loan=7&a=b" }), [`${PATH}?a=b`]);
  const others = { work: "director", unknown: true, loanText: "x y", loanProblem: "Figures only" };
  assert.deepEqual(written(others), [`${PATH}?loan=x+y&work=director&unknown=yes`]);
  assert.deepEqual(written({ loan: 7 }, { pathname: "/elsewhere/" }), []);
  mock.timers.reset();
});

test("a click or leaving the site writes at once what was typed", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const type of ["click", "pagehide"]) {
    const page = pageAt("");
    followValues(PATH, NAMES, DEFAULTS, { ...DEFAULTS, loan: 7 });
    page.dispatch(type);
    mock.timers.tick(1_000);
    assert.deepEqual(page.written, [`${PATH}?loan=7`]);
  }
  mock.timers.reset();
});

test("what was typed right before going Back is there on the way forward", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const [page, places] = [pageAt("?loan=3"), {}];
  takeAddress(places, "key", PATH, DEFAULTS, FIELDS, OPTIONS);
  places.key.loan = 7;
  followValues(PATH, NAMES, DEFAULTS, places.key);
  page.location.pathname = "/elsewhere/";
  mock.timers.tick(1_000);
  assert.deepEqual(page.written, []);
  page.location.pathname = PATH;
  takeAddress(places, "key", PATH, DEFAULTS, FIELDS, OPTIONS);
  followValues(PATH, NAMES, DEFAULTS, places.key);
  mock.timers.tick(1_000);
  assert.deepEqual([places.key.loan, page.written], [7, [`${PATH}?loan=7`]]);
  pageAt("?loan=5", { key: "second" });
  takeAddress(places, "key", PATH, DEFAULTS, FIELDS, OPTIONS);
  assert.equal(places.key.loan, 5);
  mock.timers.reset();
});
