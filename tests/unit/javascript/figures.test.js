import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { mock, test } from "node:test";
import { followValues } from "../../../broker/components/js/calculator_address.js";
import { fakePage } from "./fake_page.js";

/** Where the scripts listen from their start on, as on a page. */
const events = new EventTarget();
setMaxListeners(0, events);
const heading = { focus: mock.fn() };
globalThis.addEventListener = (...listener) => events.addEventListener(...listener);
const { clearFigures, figureOf, keepFigures, keepTyped, offerFigures, offers, whenCleared } = await import(
  "../../../broker/components/js/figures.js"
);

const PATH = "/tools/calculators/one/";
const WHOLE = [(text) => (/^[1-9]\d*$/.test(text) ? "" : "Whole pounds"), Number, String];
const DEFAULTS = { loan: 50, loanText: "50", loanProblem: "", nation: "england", extra: 1 };
const NAMES = { loan: ["loan", "balance"], nation: ["nation"] };
let keys = 0;

const keptNow = () => JSON.parse(sessionStorage.getItem("figures") ?? "{}");

/** A form on a page whose session storage has the `kept` figures. */
function formWith(kept, { search = "", pathname = PATH } = {}) {
  const held = new Map();
  const sessionStorage = {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => held.set(key, value),
    removeItem: (key) => held.delete(key),
  };
  const location = { pathname, search, hash: "" };
  const replaceState = mock.fn();
  const page = {
    location,
    sessionStorage,
    history: { state: { key: "first" }, replaceState },
    dispatchEvent: (event) => events.dispatchEvent(event),
    removeEventListener: (...listener) => events.removeEventListener(...listener),
  };
  fakePage({ ...page, document: { querySelector: () => heading } });
  globalThis.addEventListener = (...listener) => events.addEventListener(...listener);
  clearFigures(button({}));
  keepFigures(kept);
  const form = { key: `form-${keys++}`, path: PATH, names: NAMES, fields: { loan: WHOLE } };
  Object.assign(form, { options: { nation: ["england", "wales"] }, defaults: DEFAULTS });
  const shown = { values: DEFAULTS, replaceState, form };
  shown.put = (values) => { shown.values = values; };
  shown.type = (changes) => {
    shown.values = { ...shown.values, ...changes };
    return keepTyped(form, shown.values);
  };
  shown.press = (target) => {
    const event = new Event("click");
    Object.defineProperty(event, "target", { value: target });
    events.dispatchEvent(event);
  };
  shown.mount = () => {
    keepTyped(form, shown.values);
    return offerFigures(form, () => shown.values, shown.put);
  };
  return shown;
}

const button = (status) => ({ parentElement: { querySelector: () => status } });

test("a figure is offered to the field that takes it, and nothing that is wrong there", () => {
  const values = (kept) => {
    const form = formWith(kept);
    form.mount();
    return form.values;
  };
  assert.deepEqual(values({ loan: 187, nation: "wales" }), { ...DEFAULTS, loan: 187, loanText: "187", nation: "wales" });
  assert.equal(values({ balance: 9 }).loan, 9);
  assert.equal(values({ loan: 8, balance: 9 }).loan, 8);
  assert.equal(values({ price: 300, deposit: 40 }).loan, 260);
  for (const kept of [{}, { loan: 0.5, nation: "france" }, { price: 3, deposit: 40 }, { lender: "1" }]) assert.equal(values(kept), DEFAULTS);
});

test("values of the page's address win, and are not kept", () => {
  const form = formWith({ loan: 187 }, { search: "?loan=7" });
  form.put({ ...DEFAULTS, loan: 7, loanText: "7" });
  form.mount();
  assert.deepEqual([form.values.loan, keptNow()], [7, { loan: 187 }]);
  const elsewhere = formWith({ loan: 187 }, { search: "?loan=7", pathname: "/elsewhere/" });
  elsewhere.mount();
  assert.equal(elsewhere.values.loan, 187);
});

test("what is typed is kept where it is right, and what was offered is not typed", () => {
  const form = formWith({ term: 19 });
  form.mount();
  assert.equal(form.type({ loanText: "nonsense", loanProblem: "Whole pounds" }), false);
  assert.equal(form.type({ extra: 2 }), false);
  assert.deepEqual(keptNow(), { term: 19 });
  assert.equal(form.type({ loanText: "50.0", loanProblem: "" }), true);
  assert.deepEqual(keptNow(), { term: 19, loan: 50 });
  assert.equal(form.type({ nation: "wales" }), true);
  assert.deepEqual(keptNow(), { term: 19, loan: 50, nation: "wales" });
  const other = formWith({ loan: 187 });
  other.mount();
  assert.equal(keepTyped(other.form, other.values, { price: 300 }), true);
  assert.deepEqual(keptNow(), { loan: 187 });
  keepTyped(other.form, { ...other.values, extra: 2 }, { price: 300, deposit: undefined });
  assert.deepEqual(keptNow(), { loan: 187, nation: "england", price: 300 });
});

test("of price, deposit and loan the two that came last are kept", () => {
  const after = (kept, ...changes) => {
    formWith(kept);
    for (const change of changes) keepFigures(change);
    return keptNow();
  };
  assert.deepEqual(after({ price: 300, deposit: 40 }, { loan: 250 }), { price: 300, loan: 250 });
  assert.deepEqual(after({ price: 300, loan: 250 }, { deposit: 40 }), { price: 300, deposit: 40 });
  assert.deepEqual(after({ price: 300, loan: 250 }, { price: 200, deposit: 40 }), { price: 200, deposit: 40 });
  assert.deepEqual(after({ price: 300, deposit: 40 }, { price: 310 }), { price: 310, deposit: 40 });
  assert.deepEqual(after({ savings: 10 }, { deposit: 40 }), { deposit: 40 });
  assert.deepEqual(after({}, { savings: 10, deposit: 40 }), { savings: 10, deposit: 40 });
  assert.deepEqual(after({ price: 1 }, { price: undefined }), { price: 1 });
});

test("cleared figures leave every form that has been on a page", () => {
  const form = formWith({ loan: 187 });
  form.mount();
  const status = {};
  form.type({ extra: 2 });
  clearFigures(button(status));
  assert.deepEqual([form.values, keptNow()], [DEFAULTS, {}]);
  assert.equal(status.textContent, "Cleared");
  const called = mock.fn();
  whenCleared(called)();
  clearFigures(button(null));
  assert.equal(called.mock.callCount(), 0);
  assert.deepEqual(heading.focus.mock.calls.at(-1).arguments, [{ preventScroll: true }]);
});

test("the address leaves out what was offered until it is shared or something is typed", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const written = (then) => {
    const form = formWith({ loan: 187 });
    form.mount();
    const follow = (values) => followValues(PATH, ["loan", "extra"], DEFAULTS, values, offers[form.form.key]);
    follow(form.values);
    then(form, follow);
    mock.timers.tick(1_000);
    return form.replaceState.mock.calls.map((call) => call.arguments[2]);
  };
  const click = (isShare) => ({ press }) => press({ closest: () => isShare });
  assert.deepEqual(written(() => {}), []);
  assert.deepEqual(written(click(false)), []);
  assert.deepEqual(written(click(true)), [`${PATH}?loan=187`]);
  assert.deepEqual(written(({ values }, follow) => follow({ ...values, extra: 2 })), [`${PATH}?loan=187&extra=2`]);
  mock.timers.reset();
});

test("what follows from other figures is offered", () => {
  formWith({ income: 35, income2: 27, price: 300, loan: 260 });
  assert.deepEqual([figureOf(["incomes"]), figureOf(["deposit", "savings"]), figureOf(["rate"])], [62, 40, undefined]);
});
