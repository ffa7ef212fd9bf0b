import assert from "node:assert/strict";
import { test } from "node:test";
import { filterEntries } from "../../../broker/components/js/list_filter.js";
import { fakePage } from "./fake_page.js";

const entry = (words) => ({ hidden: false, dataset: { words }, checkVisibility() { return !this.hidden; } });

function group(id, ...entries) {
  const querySelector = () => entries.find((each) => !each.hidden) ?? null;
  return { id, hidden: false, entries, querySelector };
}

function page(values, groups) {
  const links = Object.fromEntries(groups.map(({ id }) => [`a[href="#${id}"]`, { hidden: false }]));
  const status = { textContent: "" };
  const form = { querySelector: () => status };
  const entries = groups.flatMap((each) => each.entries);
  const list = { querySelectorAll: (selector) => (selector === "section" ? groups : entries) };
  class FormData { values() { return values; } }
  fakePage({
    document: { getElementById: (id) => ({ form, list })[id], querySelector: (selector) => links[selector] ?? null },
    FormData,
  });
  filterEntries("form", "list");
  return { status, shown: entries.map((each) => !each.hidden), links: Object.values(links).map((each) => !each.hidden) };
}

const lenders = () => [
  group("letter-a", entry("aldermore kind-bank on-homes on-let")),
  group("letter-b", entry("bath building society kind-building-society on-homes"), entry("barclays kind-bank on-homes")),
];

test("entries stay that hold every word typed and every choice, with their groups and links", () => {
  for (const [values, shown, links, told] of [
    [["", "", ""], [true, true, true], [true, true], "3 of 3 shown"],
    [[" BA ", "", ""], [false, true, true], [false, true], "2 of 3 shown"],
    [["society bath", "", "on-homes"], [false, true, false], [false, true], "1 of 3 shown"],
    [["", "kind-bank", "on-let"], [true, false, false], [true, false], "1 of 3 shown"],
    [["nobody", "", ""], [false, false, false], [false, false], "0 of 3 shown"],
  ]) {
    const found = page(values, lenders());
    assert.deepEqual([found.shown, found.links, found.status.textContent], [shown, links, told]);
  }
});
