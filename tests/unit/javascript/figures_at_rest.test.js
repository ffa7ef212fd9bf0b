import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { askAtRest, today } from "../../../broker/components/js/figures_at_rest.js";

test("today is a number of eight digits", () => {
  mock.timers.enable({ apis: ["Date"], now: Date.UTC(2027, 2, 5, 23, 59) });
  assert.equal(today(), 20270305);
  mock.timers.reset();
});

test("figures that rest are asked about once, and those that go on not at all", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const ask = mock.fn();
  const giveUp = askAtRest("1 2 3 ", "", ask);
  mock.timers.tick(399);
  giveUp();
  mock.timers.tick(1_000);
  assert.equal(ask.mock.callCount(), 0);
  askAtRest("1 2 4 ", "", ask);
  mock.timers.tick(400);
  assert.equal(ask.mock.callCount(), 1);
  mock.timers.reset();
});

test("figures that are answered are not asked about", () => {
  const ask = mock.fn();
  assert.equal(askAtRest("1 2 3 ", "1 2 3 ", ask), undefined);
  assert.equal(ask.mock.callCount(), 0);
});
