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

test("the address follows the values that differ, once they rest, and keeps what else it has", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const written = (values, { pathname = PATH, search = "" } = {}) => {
    const replaceState = mock.fn();
    fakePage({ location: { pathname, search, hash: "" }, history: { state: "kept", replaceState } });
    followValues(PATH, NAMES, DEFAULTS, { ...DEFAULTS, loan: 1 });
    mock.timers.tick(300);
    followValues(PATH, NAMES, DEFAULTS, { ...DEFAULTS, ...values });
    mock.timers.tick(1_000);
    return replaceState.mock.calls.map((call) => call.arguments);
  };
  assert.deepEqual(written({}), []);
  assert.deepEqual(written({ loan: 7 }), [["kept", "", `${PATH}?loan=7`]]);
  assert.deepEqual(written({ loan: 7 }, { search: "?loan=7" }), []);
  assert.deepEqual(written({}, { search: "?loan=7&a=b" }), [["kept", "", `${PATH}?a=b`]]);
  const others = { work: "director", unknown: true, loanText: "x y", loanProblem: "Figures only" };
  assert.deepEqual(written(others), [["kept", "", `${PATH}?loan=x+y&work=director&unknown=yes`]]);
  assert.deepEqual(written({ loan: 7 }, { pathname: "/elsewhere/" }), []);
  mock.timers.reset();
});
