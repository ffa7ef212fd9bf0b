import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { fakePage } from "./fake_page.js";

const PATH = "/lenders/halifax/";
const OTHER = "/lenders/barclays/";

/**
 * Load the script again in a document of the page at PATH, whose server answers with `answers` in turn.
 * `text` is the element with the text of the page.
 */
async function loaded(number, answers = [], text = null) {
  const asked = [];
  const element = { textContent: JSON.stringify({ page: { name: "Halifax" } }) };
  const location = { pathname: PATH, reload: () => asked.push("reload") };
  fakePage({ document: { getElementById: () => element, querySelector: () => text, activeElement: null }, location });
  globalThis.fetch = async (address) => {
    asked.push(address);
    const [status, body] = answers.shift();
    if (!status) throw new Error("no line");
    return { status, ok: status < 300, json: async () => body };
  };
  return { asked, page: await import(`../../../broker/components/js/data_page.js?${number}`) };
}

const settled = async () => {
  for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
};

test("the page of the document is there at once and not asked for", async () => {
  const { asked, page } = await loaded(1);
  assert.deepEqual(page.pageAt(PATH), { status: "loaded", page: { name: "Halifax" } });
  assert.equal(page.openPage(PATH, "abc"), undefined);
  assert.deepEqual(asked, []);
  assert.deepEqual(page.pageAt(OTHER), { status: "loading" });
});

test("the text of the page is that of the document", async () => {
  const { page } = await loaded(5, [], { innerHTML: "<p>Long.</p>" });
  assert.deepEqual(page.pageAt(PATH).page, { name: "Halifax", html: "<p>Long.</p>" });
});

test("another page is read, calls its listeners, and is fetched again when it is opened again", async () => {
  const { asked, page } = await loaded(2, [[200, { name: "Barclays" }], [200, { name: "Barclays plc" }]]);
  let heard = 0;
  const stop = page.subscribeToPages(() => { heard += 1; });
  page.openPage(OTHER, "abc");
  await settled();
  assert.deepEqual(asked, ["/lenders/barclays/page.json?shape=abc"]);
  assert.deepEqual(page.pageAt(OTHER), { status: "loaded", page: { name: "Barclays" } });
  page.openPage(OTHER, "abc");
  await settled();
  assert.equal(page.pageAt(OTHER).page.name, "Barclays plc");
  stop();
  assert.equal(heard, 2);
});

test("a page is read for the figures of its address", async () => {
  const { asked, page } = await loaded(6, [[200, {}]]);
  globalThis.location.search = "?loan=187400&ltv=60";
  page.openPage(OTHER, "abc");
  await settled();
  assert.deepEqual(asked, ["/lenders/barclays/page.json?shape=abc&loan=187400&ltv=60"]);
});

test("a page that there is not is missing, one of another release has the document loaded again", async () => {
  const { asked, page } = await loaded(3, [[404], [409]]);
  page.openPage(OTHER, "abc");
  await settled();
  assert.deepEqual(page.pageAt(OTHER), { status: "missing" });
  page.openPage(OTHER, "abc");
  await settled();
  assert.equal(asked.at(-1), "reload");
});

test("a page that could not be read says why, and is asked for once more", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, page } = await loaded(4, [[503], [0], [200, { name: "Barclays" }]]);
  page.openPage(OTHER, "abc");
  await settled();
  assert.deepEqual(page.pageAt(OTHER), { status: "failed", problem: "The server could not answer", again: true });
  mock.timers.tick(5000);
  await settled();
  assert.deepEqual([page.pageAt(OTHER).status, page.pageAt(OTHER).again, asked.length], ["failed", false, 2]);
  const leave = page.openPage(OTHER, "abc");
  await settled();
  assert.equal(page.pageAt(OTHER).status, "loaded");
  leave();
  mock.timers.reset();
});
