import assert from "node:assert/strict";
import { test } from "node:test";
import { amountIn, formatDecimals, readField, tidyFields } from "../../../broker/components/js/numbers.js";

test("numbers are rounded by their shortest digits, half away from zero, and grouped", () => {
  const written = [[1.005, 2], [-0.001, 2], [1234567.5, 0], [-1234.5, 1], [5e-7, 2], [0.5, 0]];
  assert.deepEqual(written.map(([value, places]) => formatDecimals(value, places)),
    ["1.01", "0.00", "1,234,568", "-1,234.5", "0.00", "1"]);
});

const FIELDS = { loan: [(text) => (/^[\d,]*$/.test(text) ? "" : "Figures only"), (text) => Number(text.replace(",", "")), (number) => `${number}.00`] };
const DEFAULTS = { loan: 50, loanText: "50.00", loanProblem: "" };

test("a good text is read, and written out when it is tidied", () => {
  assert.deepEqual(readField(FIELDS, DEFAULTS, "loan", "1,5", false), { loan: 15, loanText: "1,5", loanProblem: "" });
  assert.deepEqual(readField(FIELDS, DEFAULTS, "loan", "1,5", true), { loan: 15, loanText: "15.00", loanProblem: "" });
});

test("of a long text as much is read as of an address", () => {
  const long = { loan: 50, loanText: "x".repeat(40), loanProblem: "Figures only" };
  assert.deepEqual(readField(FIELDS, DEFAULTS, "loan", "x".repeat(16_000), true), long);
});

test("a wrong text stays as typed, and the number as it was", () => {
  const wrong = { loan: 50, loanText: "abc", loanProblem: "Figures only" };
  assert.deepEqual(readField(FIELDS, DEFAULTS, "loan", "abc", true), wrong);
});

const AMOUNTS = { extra: [(text) => (amountIn(text) >= 0 ? "" : "No amount"), amountIn, (number) => formatDecimals(number, 2)] };

test("a decimal comma is refused on leaving the field, and not while the next group is typed", () => {
  const values = { extra: 9, extraText: "9.00", extraProblem: "" };
  for (const text of ["250,", "250,000"]) assert.equal(readField(AMOUNTS, values, "extra", text, false).extra, amountIn(text));
  for (const text of ["250,0", "250,00"]) {
    const typed = { extra: 9, extraText: text, extraProblem: "" };
    assert.deepEqual(readField(AMOUNTS, values, "extra", text, false), typed);
    const refused = { ...typed, extraProblem: "No amount" };
    assert.deepEqual(readField(AMOUNTS, values, "extra", text, true), refused);
    assert.deepEqual(tidyFields(AMOUNTS, typed), refused);
  }
  assert.equal(readField(AMOUNTS, values, "extra", "x,00", false).extraProblem, "No amount");
});
