import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { followTimes } from "../../../broker/components/js/call_times.js";
import { fakePage, settle } from "./fake_page.js";

const prepare = (globals) => {
  const page = fakePage(globals);
  followTimes({ address: "/times/" });
  return page;
};

/** A form with times, of which one is chosen: links to other lengths, and what becomes of them once one is followed. */
const timesForm = (values) => {
  const radio = (value, properties) => ({ name: "when", value, checked: false, defaultChecked: false, closest: () => null, ...properties });
  const usual = radio("any", { defaultChecked: true });
  const day = { open: false };
  const found = values.map((value) => radio(value, { closest: (selector) => (selector === "details" ? day : null) }));
  const links = [{ focus: mock.fn() }, { focus: mock.fn() }];
  const parentElement = {
    innerHTML: "",
    contains: (each) => found.includes(each),
    querySelector: () => radio("20261127T1040Z-20-telephone", { checked: true }),
    querySelectorAll: () => links,
  };
  const closest = (selector) =>
    ({ ".times": { parentElement }, form: { querySelectorAll: () => [usual, ...found] } })[selector] ?? {};
  const link = { dataset: { times: "" }, search: "?minutes=40", pathname: "/contact/", href: "https://site.test/contact/", closest };
  Object.assign(links[1], link);
  return { usual, found, links, parentElement, day };
};

const pressed = (link) => ({ closest: (selector) => (selector === "a[data-times]" ? link : null) });

test("other times replace those of a form in place, and the start chosen before stays chosen where it is free", async () => {
  for (const [value, isFree] of [["20261127T1040Z-40-telephone", true], ["20261127T1100Z-40-telephone", false]]) {
    const { usual, found, links, parentElement, day } = timesForm([value]);
    const page = prepare({ fetch: mock.fn(async () => ({ ok: true, text: async () => "<p>times</p>" })) });
    assert.equal(page.dispatch("click", { target: pressed(links[1]) }).defaultPrevented, true);
    await settle();
    assert.deepEqual(fetch.mock.calls.map((call) => call.arguments), [["/times/?minutes=40&page=/contact/"]]);
    assert.equal(parentElement.innerHTML, "<p>times</p>");
    assert.deepEqual([found[0].checked, usual.checked, day.open], [isFree, !isFree, isFree]);
    assert.deepEqual(links.map((each) => each.focus.mock.callCount()), [0, 1]);
  }
});

test("of two links that are followed at once the times of the last one stand, whichever come first", async () => {
  const { links, parentElement } = timesForm([]);
  const answers = [];
  const fetch = () => new Promise((resolve) => { answers.push((text) => resolve({ ok: true, text: async () => text })); });
  const page = prepare({ fetch, location: { assign: mock.fn() } });
  for (let press = 0; press < 2; press += 1) page.dispatch("click", { target: pressed(links[1]) });
  answers[1]("the last");
  await settle();
  answers[0]("the first");
  await settle();
  assert.equal(parentElement.innerHTML, "the last");
});

test("a time that is chosen while others are on their way stays chosen", async () => {
  const { usual, found, links, parentElement } = timesForm(["20261127T1200Z-40-telephone"]);
  let answer;
  const page = prepare({ fetch: () => new Promise((resolve) => { answer = resolve; }) });
  page.dispatch("click", { target: pressed(links[1]) });
  parentElement.querySelector = () => ({ name: "when", value: "20261127T1200Z-20-telephone" });
  answer({ ok: true, text: async () => "" });
  await settle();
  assert.deepEqual([found[0].checked, usual.checked], [true, false]);
});

test("a link to other times is followed where they do not come, or where it opens another tab", async () => {
  const assign = mock.fn();
  const page = prepare({ fetch: async () => ({ ok: false }), location: { assign } });
  const { links, parentElement } = timesForm([]);
  const press = (keys) => page.dispatch("click", { target: pressed(links[1]), ...keys }).defaultPrevented;
  assert.equal(press({ ctrlKey: true }), false);
  assert.equal(press(), true);
  await settle();
  assert.deepEqual(assign.mock.calls.map((call) => call.arguments), [["https://site.test/contact/"]]);
  assert.equal(parentElement.innerHTML, "");
});
