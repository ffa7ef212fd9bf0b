import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDecimals } from "../../../broker/components/js/numbers.js";

test("numbers are rounded by their shortest digits, half away from zero, and grouped", () => {
  const written = [[1.005, 2], [-0.001, 2], [1234567.5, 0], [-1234.5, 1], [5e-7, 2], [0.5, 0]];
  assert.deepEqual(written.map(([value, places]) => formatDecimals(value, places)),
    ["1.01", "0.00", "1,234,568", "-1,234.5", "0.00", "1"]);
});
