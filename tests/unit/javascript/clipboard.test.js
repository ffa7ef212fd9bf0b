import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { copyText } from "../../../broker/components/js/clipboard.js";
import { fakePage } from "./fake_page.js";

test("a text is copied where the browser has a clipboard", async () => {
  const writeText = mock.fn(async () => {});
  fakePage({ navigator: { clipboard: { writeText } } });
  await copyText("a");
  assert.deepEqual(writeText.mock.calls[0].arguments, ["a"]);
  fakePage({ navigator: {} });
  await assert.rejects(copyText("a"), /no clipboard/);
});
