import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { knownTables, loadTables, showQuery, siteSearcher } from "../../../broker/components/js/site_search.js";
import { fakePage } from "./fake_page.js";

const RULES = {
  stopWords: ["the"], plurals: [["ies", "y"], ["s", ""]], minPluralLength: 4,
  maxQueryLength: 20, wholeWord: 2, step: 10, maxShown: 2, minPartLength: 3, minSlipLength: 5, maxJoinedLength: 20,
};
const group = (kind, ...links) => ({ kind, heading: `${kind}s`, links: links.map(([title, href]) => ({ title, href })) });
const GROUPS = [group("Guide", ["Fees", "/fees/"], ["Stamp duty", "/duty/"]), group("Page", ["The fee", "/fee/"])];
const TABLES = { groups: GROUPS, words: { fee: [5, 25], duty: [15] }, about: ["one", "two", "three"] };
const FILE = { ...TABLES, words: "fee duty", postings: [[5, 25], [15]] };
const hrefs = (found) => found.hits.map((hit) => hit.href);

test("entries with most of the words come first by score, kind and length of title", () => {
  const search = siteSearcher(RULES);
  assert.deepEqual(hrefs(search("fees", TABLES)), ["/fees/", "/fee/"]);
  assert.deepEqual(hrefs(search("the duties", TABLES)), ["/duty/"]);
  const { total, whole, hits } = search("fee duty", TABLES);
  assert.deepEqual([total, whole, hits.length], [3, false, 2]);
  assert.deepEqual(search("xyz", {}).hits, []);
});

test("the last word may be unfinished, and the words that fit are marked", () => {
  const [hit] = siteSearcher(RULES)("du", TABLES).hits;
  assert.deepEqual([hit.href, hit.description], ["/duty/", "two"]);
  assert.deepEqual(hit.pieces.map(({ text, marked }) => [text, marked]), [["Stamp", false], [" ", false], ["duty", true]]);
});

test("a word that the tables have not is read as those that it joins, or as the one that it misspells", () => {
  const search = (query, words) => siteSearcher(RULES)(query, { ...TABLES, words });
  const words = { ...TABLES.words, stamp: [15], mortgage: [5], constructor: [5] };
  for (const query of ["stampduty", "thestampduty", "stampduties"]) {
    assert.deepEqual([hrefs(search(query, words)), search(query, words).whole], [["/duty/"], true], query);
    assert.equal(search(query, words).instead.startsWith("stamp dut"), true);
  }
  for (const query of ["morgage", "mortage", "mortgagee", "morgtage", "mortgege"])
    assert.deepEqual([hrefs(search(query, words)), search(query, words).instead], [["/fees/"], "mortgage"], query);
  for (const query of ["ortgage", "mrgage", "toString", "stamped duty"]) assert.equal(search(query, words).instead, "", query);
});

const element = (values) => ({ ...values, getAttribute: (name) => values[name] });

test("tables are loaded once, and again after a failure; before that there is what the document lists", async () => {
  const answers = [{ ok: false, status: 500 }, { ok: true, json: async () => FILE }];
  const section = {
    querySelector: () => element({ textContent: "Guides" }),
    querySelectorAll: () => [element({ textContent: "Fees", href: "/fees/" })],
  };
  fakePage({ fetch: mock.fn(async () => answers.shift()), document: { querySelectorAll: () => [section] } });
  const listed = { groups: [{ heading: "Guides", links: [{ title: "Fees", href: "/fees/" }] }] };
  assert.deepEqual(knownTables(), listed);
  assert.deepEqual(await loadTables("/index.json"), { ...listed, failed: true });
  assert.deepEqual(await loadTables("/index.json"), TABLES);
  assert.deepEqual(await loadTables("/index.json"), TABLES);
  assert.equal(fetch.mock.callCount(), 2);
  assert.deepEqual(knownTables(), TABLES);
});

test("the address shows what is searched for without a step of the history", () => {
  const history = { state: { key: "a" }, replaceState: mock.fn() };
  fakePage({ history, location: { pathname: "/search/" } });
  showQuery("q", "a&b");
  showQuery("q", "");
  const calls = history.replaceState.mock.calls.map((call) => call.arguments);
  assert.deepEqual(calls, [[{ key: "a" }, "", "?q=a%26b"], [{ key: "a" }, "", "/search/"]]);
});
