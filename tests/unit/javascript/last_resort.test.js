import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { reloadOnBack } from "../../../broker/components/js/last_resort.js";
import { fakePage } from "./fake_page.js";

test("Back and Forward load their page again", () => {
  const reload = mock.fn();
  const page = fakePage({ location: { reload } });
  reloadOnBack();
  assert.equal(reload.mock.callCount(), 0);
  page.dispatch("popstate");
  assert.equal(reload.mock.callCount(), 1);
});
