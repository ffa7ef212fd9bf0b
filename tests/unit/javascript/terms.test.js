import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { openTerms } from "../../../broker/components/js/terms.js";
import { fakePage, settle } from "./fake_page.js";

class WithPopovers {}
WithPopovers.prototype.showPopover = () => {};

/** Return an element that is just enough of a popover. */
const note = () => ({
  attributes: {},
  isOpen: false,
  setAttribute(name, value) { this.attributes[name] = value; },
  append(...children) { this.children = children; },
  addEventListener() {},
  remove() { this.isOpen = false; },
  matches() { return this.isOpen; },
  showPopover: mock.fn(function () { this.isOpen = true; }),
  focus: mock.fn(),
});

const link = (slug = "aprc") => ({
  pathname: "/glossary/",
  hash: `#${slug}`,
  href: `https://site.test/glossary/#${slug}`,
  focus: mock.fn(),
  closest: () => null,
});

const prepare = ({ html = "glossary", ...globals } = {}) => {
  const made = [];
  const entry = { children: ["<h3>", "<p>"], querySelector: () => ({ textContent: "APRC" }), cloneNode: () => entry };
  const page = fakePage({
    HTMLElement: WithPopovers,
    fetch: mock.fn(async () => ({ text: async () => html })),
    DOMParser: class {
      parseFromString = (text) => ({ getElementById: (name) => text === "glossary" && name === "aprc" ? entry : null });
    },
    document: { createElement: () => made[made.push(note()) - 1], body: { append: mock.fn() } },
    location: { assign: mock.fn() },
    ...globals,
  });
  const end = openTerms();
  const press = async (pressed, keys = {}) => {
    const target = { closest: (selector) => selector === "a.term" ? pressed : null };
    page.dispatch("pointerdown", { target });
    for (const each of made) each.isOpen = false; // as the browser does
    const event = page.dispatch("click", { target, ...keys });
    await settle();
    return event.defaultPrevented;
  };
  return { made, press, end };
};

test("a term opens its entry of the glossary, which is read once, and takes the focus", async () => {
  const { made, press, end } = prepare();
  const [first, second] = [link(), link()];
  assert.equal(await press(first), true);
  assert.deepEqual(made[0].attributes, {
    popover: "", class: "term-note", tabindex: -1, role: "dialog", "aria-label": "APRC",
  });
  assert.deepEqual([made[0].children, made[0].isOpen], [["<h3>", "<p>"], true]);
  assert.deepEqual(made[0].showPopover.mock.calls[0].arguments, [{ source: first }]);
  assert.deepEqual([first.focus.mock.callCount(), made[0].focus.mock.callCount()], [1, 1]);
  await press(second);
  assert.deepEqual([made.length, fetch.mock.callCount()], [2, 1]);
  end();
  assert.equal(await press(first), false);
});

test("a second press of the link leaves its popover closed, a third opens it", async () => {
  const { made, press } = prepare();
  const pressed = link();
  await press(pressed);
  assert.equal(await press(pressed), true);
  assert.equal(made.length, 1);
  await press(pressed);
  assert.equal(made.length, 2);
});

test("the link is followed where the glossary does not arrive or lacks the term", async () => {
  for (const globals of [{ fetch: async () => { throw new TypeError(); } }, { html: "503" }]) {
    const { press } = prepare(globals);
    await press(link());
    assert.deepEqual(location.assign.mock.calls[0].arguments, ["https://site.test/glossary/#aprc"]);
  }
});

test("links are the browser's own without popovers, with a key held, and where they are no terms", async () => {
  assert.equal(await prepare({ HTMLElement: class {} }).press(link()), false);
  const { press } = prepare();
  for (const key of ["ctrlKey", "metaKey", "shiftKey", "altKey"]) assert.equal(await press(link(), { [key]: true }), false);
  assert.equal(await press(null), false);
});
