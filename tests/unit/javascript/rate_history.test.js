import assert from "node:assert/strict";
import { test } from "node:test";
import { readMonth } from "../../../broker/components/js/rate_history.js";

const row = (left, ...texts) => ({ dataset: { left }, cells: texts.map((textContent) => ({ textContent })) });

function chart() {
  const rows = [row("0%", "July 2026", "4.79%", "–", "3.75%"), row("90%", "August 2026", "4.92%", "4.77%", "3.75%")];
  const heads = row("", "Month", "2-year fixed", "3-year fixed", "Bank Rate");
  const table = { tBodies: [{ rows }], tHead: { rows: [heads] } };
  const parts = { p: { textContent: "" }, ".hist-cursor": { hidden: true, style: {} } };
  const figure = { parentElement: { querySelector: () => table }, querySelector: (selector) => parts[selector] };
  const spoken = {};
  const slider = { value: "0", closest: () => figure, setAttribute: (name, text) => { spoken[name] = text; } };
  return { parts, slider, spoken };
}

test("a month is read out in words and marked, without the rates that it lacks", () => {
  const { parts, slider, spoken } = chart();
  readMonth(slider);
  assert.equal(parts.p.textContent, "July 2026: 2-year fixed 4.79%, Bank Rate 3.75%");
  assert.equal(spoken["aria-valuetext"], parts.p.textContent);
  slider.value = "1";
  readMonth(slider);
  assert.equal(parts.p.textContent, "August 2026: 2-year fixed 4.92%, 3-year fixed 4.77%, Bank Rate 3.75%");
  assert.deepEqual(parts[".hist-cursor"], { hidden: false, style: { left: "90%" } });
});
