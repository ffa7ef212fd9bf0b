import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { clearFigures } from "../../../broker/components/js/clear_figures.js";
import { fakePage } from "./fake_page.js";

test("figures are forgotten, the page is told, and the visitor by a status or by the focus", () => {
  for (const [status, removeItem] of [[null, mock.fn()], [{}, mock.fn()], [{}, () => { throw new Error("off"); }]]) {
    const [heading, told] = [{ focus: mock.fn() }, mock.fn()];
    fakePage({ document: { querySelector: () => heading }, dispatchEvent: told, sessionStorage: { removeItem } });
    clearFigures({ parentElement: { querySelector: () => status } });
    assert.deepEqual(removeItem.mock?.calls[0].arguments ?? ["figures"], ["figures"]);
    assert.equal(told.mock.calls[0].arguments[0].type, "figures-cleared");
    assert.equal(heading.focus.mock.callCount(), status ? 0 : 1);
    if (status) assert.equal(status.textContent, "Cleared");
  }
});
