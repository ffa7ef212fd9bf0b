import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { copyLink, shareLink } from "../../../broker/components/js/share.js";
import { fakePage } from "./fake_page.js";

const PAGE = "https://www.example.co.uk/tools/rates/?compare=a,b";
const at = (navigator) => fakePage({ location: { href: PAGE }, navigator });
const buttonBeside = (status) => ({ parentElement: { querySelector: () => status } });

test("the link of the page or of an address is copied, and the status says so", async () => {
  for (const [address, link] of [["", PAGE], ["/tools/rates/?price=1", "https://www.example.co.uk/tools/rates/?price=1"]]) {
    const [status, writeText] = [{}, mock.fn(async () => {})];
    at({ clipboard: { writeText } });
    await copyLink(buttonBeside(status), address);
    assert.deepEqual([writeText.mock.calls[0].arguments, status.textContent], [[link], "Link copied"]);
  }
});

test("where the browser refuses, the status has the link", async () => {
  for (const navigator of [{}, { clipboard: { writeText: () => Promise.reject(new Error("no")) } }]) {
    const status = {};
    at(navigator);
    await copyLink(buttonBeside(status), "");
    assert.equal(status.textContent, `Copy this link: ${PAGE}`);
  }
});

test("the system's dialog gets the title of the page and the link, and may be closed", async () => {
  const share = mock.fn(() => Promise.reject(new Error("closed")));
  at({ share });
  document.title = "Deals side by side";
  await shareLink("");
  assert.deepEqual(share.mock.calls[0].arguments, [{ title: "Deals side by side", url: PAGE }]);
});
