import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { copyLink, shareLink, takeDraft } from "../../../broker/components/js/share.js";
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

test("a link to a form takes what was typed there along with the result, and opens as any other without that", () => {
  const page = at({});
  const [sent, link] = [[], { pathname: "/contact/", hash: "#callback", search: "?result=/a.pdf&loan=1" }];
  const element = () => ({ fields: {}, append({ name, value }) { this.fields[name] = value; }, submit() { sent.push(this); } });
  Object.assign(page.document, { createElement: element, body: { append() {} } });
  const press = (keys) => {
    const event = { currentTarget: link, preventDefault: mock.fn(), ...keys };
    takeDraft(event, "result", "attach");
    return event.preventDefault.mock.callCount();
  };
  assert.deepEqual([press(), sent.length], [0, 0]);
  globalThis.formDrafts = { "/contact/": new FormData() };
  globalThis.formDrafts["/contact/"].set("name", "Ada");
  assert.deepEqual([press({ ctrlKey: true }), press(), sent.length], [0, 1, 1]);
  assert.deepEqual([sent[0].method, sent[0].action], ["post", "/contact/#callback"]);
  assert.deepEqual(sent[0].fields, { name: "Ada", result: "/a.pdf?loan=1", attach: "yes" });
  delete globalThis.formDrafts;
});
