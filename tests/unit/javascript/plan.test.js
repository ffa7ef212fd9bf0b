import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { askAtRest, monthNow, today } from "../../../broker/components/js/plan.js";

test("months count from the year 0, and today is a number of eight digits", () => {
  mock.timers.enable({ apis: ["Date"], now: Date.UTC(2027, 2, 5, 23, 59) });
  assert.deepEqual([monthNow(), today()], [new Date().getFullYear() * 12 + new Date().getMonth(), 20270305]);
  mock.timers.reset();
});

test("a deal is asked for once the figures have rested, unless the answer on the page is theirs", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const asked = [];
  const cancel = askAtRest("a", "", () => asked.push("a"));
  mock.timers.tick(399);
  cancel();
  askAtRest("b", "a", () => asked.push("b"));
  mock.timers.tick(400);
  assert.deepEqual(asked, ["b"]);
  assert.equal(askAtRest("b", "b", () => asked.push("again")), undefined);
  assert.equal(askAtRest("", "b", () => asked.push("no loan")), undefined);
  mock.timers.tick(1000);
  assert.deepEqual(asked, ["b"]);
  mock.timers.reset();
});
