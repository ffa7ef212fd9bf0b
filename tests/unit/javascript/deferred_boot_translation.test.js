import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** Just enough of a document: nodes with children, of which observers of the whole document are told. */
class Node {
  static TEXT_NODE = 3;
  static records = () => {};
  childNodes = [];
  parentNode = null;
  constructor(nodeName, text = "") { Object.assign(this, { nodeName, text, nodeType: nodeName === "#text" ? 3 : 1 }); }
  get nodeValue() { return this.text; }
  set nodeValue(value) { this.text = value; }
  get firstChild() { return this.childNodes[0]; }
  get words() { return this.text + this.childNodes.map((child) => child.words).join(""); }
  insertBefore(node, before) {
    if (before && before.parentNode !== this) throw new Error("NotFoundError");
    node.parentNode?.removeChild(node);
    const place = before ? this.childNodes.indexOf(before) : this.childNodes.length;
    this.childNodes.splice(place, 0, node);
    node.parentNode = this;
    this.#tell({ addedNodes: [node] }, place - 1, place + 1);
    return node;
  }
  removeChild(child) {
    if (child.parentNode !== this) throw new Error("NotFoundError");
    const place = this.childNodes.indexOf(child);
    this.childNodes.splice(place, 1);
    child.parentNode = null;
    this.#tell({ removedNodes: [child] }, place - 1, place);
    return child;
  }
  append(child) { this.insertBefore(child, null); }
  replaceWith(...nodes) {
    const parent = this.parentNode;
    nodes.forEach((node) => parent.insertBefore(node, this));
    parent.removeChild(this);
  }
  #tell(changes, before, after) {
    const siblings = { previousSibling: this.childNodes[before], nextSibling: this.childNodes[after] };
    Node.records([{ addedNodes: [], removedNodes: [], ...siblings, ...changes }]);
  }
}
const ORIGINAL = Object.getOwnPropertyDescriptors(Node.prototype);
globalThis.Node = Node;
globalThis.MutationObserver = class {
  constructor(callback) { Node.records = callback; }
  observe() {}
};
const { putTextsBack, survivePageTranslation } = await import("../../../broker/server/js/deferred_boot.js");

let paragraph, count, words;
beforeEach(() => {
  globalThis.document = {};
  Object.defineProperties(Node.prototype, ORIGINAL);
  survivePageTranslation();
  paragraph = new Node("P");
  [count, words] = ["5", " deals"].map((text) => new Node("#text", text));
  [count, words].forEach((text) => paragraph.append(text));
});

/** Translate texts into one `<font>` in another: around them, or in their place. */
const WAYS = {
  wrapped(...texts) {
    const [outer, inner] = [new Node("FONT"), new Node("FONT")];
    outer.append(inner);
    paragraph.insertBefore(outer, texts[0]);
    texts.forEach((text) => inner.append(text));
  },
  replaced(...texts) {
    const [outer, inner] = [new Node("FONT"), new Node("FONT")];
    outer.append(inner);
    inner.append(new Node("#text", texts.map((text) => `(${text.text})`).join("")));
    paragraph.insertBefore(outer, texts[0]);
    texts.forEach((text) => paragraph.removeChild(text));
  },
};

for (const [way, translate] of Object.entries(WAYS)) {
  test(`a text that was ${way} is removed with its font`, () => {
    [count, words].forEach((text) => translate(text));
    paragraph.removeChild(count);
    assert.equal(paragraph.words, way === "wrapped" ? " deals" : "( deals)");
  });

  test(`an element is inserted before a text that was ${way}`, () => {
    [count, words].forEach((text) => translate(text));
    const icon = new Node("I", "*");
    paragraph.insertBefore(icon, words);
    assert.equal(paragraph.words, way === "wrapped" ? "5* deals" : "(5)* deals");
  });

  test(`what is written into a text that was ${way} is on the page`, () => {
    translate(count);
    count.nodeValue = "10";
    assert.equal(paragraph.words, "10 deals");
    translate(count);
    count.nodeValue = "15";
    assert.equal(paragraph.words, "15 deals");
  });

  test(`texts that were ${way} together are put back together`, () => {
    translate(count, words);
    count.nodeValue = "10";
    words.nodeValue = " offers";
    assert.equal(paragraph.words, "10 offers");
  });

  test(`every text that was ${way} is put back before React starts`, () => {
    translate(count, words);
    const fonts = [paragraph.childNodes[0], paragraph.childNodes[0].childNodes[0]];
    globalThis.document = { querySelectorAll: () => fonts };
    putTextsBack();
    assert.deepEqual(paragraph.childNodes, [count, words]);
  });
}

test("a text that is gone with its font is left alone, and other changes are what they were", () => {
  WAYS.replaced(count);
  paragraph.removeChild(paragraph.childNodes[0]);
  assert.equal(paragraph.removeChild(count), count);
  const last = new Node("B", "!");
  paragraph.insertBefore(last, count);
  assert.equal(paragraph.words, " deals!");
  paragraph.insertBefore(last, words);
  paragraph.removeChild(words);
  assert.equal(paragraph.words, "!");
});
