import assert from "node:assert/strict";
import { test } from "node:test";
import { fakePage } from "./fake_page.js";

const USUAL = { price: "200,000", term: "25" };
const ANSWER = { form: { price: "300,000", term: "30", sort: "fees" }, shown: { status: "loaded" } };

/** Load the script again in a page at an address, which the edge answered or not. */
async function loaded(number, answer) {
  const location = { pathname: "/tools/rates/", search: "?price=300000&sort=fees" };
  const element = answer && { textContent: JSON.stringify(answer) };
  fakePage({ document: { getElementById: () => element ?? null, title: "£200,000 of £300,000" }, location });
  return import(`../../../broker/components/js/edge_answer.js?${number}`);
}

test("the page starts with what the edge answered, and only at that address", async () => {
  const page = await loaded(1, ANSWER);
  assert.equal(page.edgeAnswer("?price=300000&sort=fees").shown.status, "loaded");
  assert.deepEqual(page.startingFields(USUAL), ANSWER.form);
  assert.equal(page.startingParameter("sort"), "fees");
  assert.equal(page.startingParameter("fees"), "");
  const places = {};
  page.startTyped(places, "key", USUAL);
  assert.deepEqual(places, { key: { price: "300,000", term: "30" } });
  page.startTyped(places, "key", { price: "1" });
  assert.deepEqual(places, { key: { price: "300,000", term: "30" } });
  assert.equal(page.edgeAnswer(""), null);
  window.location.pathname = "/home-mover/rates/";
  assert.equal(page.edgeAnswer("?price=300000&sort=fees"), null);
  assert.equal(page.startingParameter("sort"), "");
});

test("a page that the edge did not answer starts as it was exported", async () => {
  const page = await loaded(2, null);
  assert.equal(page.edgeAnswer("?price=300000&sort=fees"), null);
  assert.deepEqual(page.startingFields(USUAL), USUAL);
  assert.equal(page.startingParameter("sort"), "");
});
