import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { askAfterRest, monthNow, untilNextMonth } from "../../../broker/components/js/plan.js";

test("months count from the year 0", () => {
  mock.timers.enable({ apis: ["Date"], now: new Date(2026, 10, 25) });
  assert.equal(monthNow(), 2026 * 12 + 10);
  mock.timers.reset();
  assert.equal(untilNextMonth()(), undefined);
});

test("a deal is asked for once the figures have rested, and once only", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const asked = [];
  const first = askAfterRest("a", "", () => asked.push("a"));
  mock.timers.tick(399);
  first();
  askAfterRest("b", "a", () => asked.push("b"));
  mock.timers.tick(400);
  assert.deepEqual(asked, ["b"]);
  assert.equal(askAfterRest("b", "b", () => asked.push("again")), undefined);
  assert.equal(askAfterRest("", "b", () => asked.push("no loan")), undefined);
  mock.timers.tick(1000);
  assert.deepEqual(asked, ["b"]);
  mock.timers.reset();
});
