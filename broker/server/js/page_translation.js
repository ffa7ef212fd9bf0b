/**
 * Lets React change the texts of a page that a browser translates (facebook/react issue 11538).
 *
 * A translator puts a `<font>` around each text, or in its place. React still holds the text: it fails when it removes it
 * or inserts before it, and what it writes into a text that was replaced is on no page.
 */

const isFont = (node) => node?.nodeName === "FONT";

/** By text the `<font>` that replaced it, and by `<font>` the texts. */
const [fonts, replaced] = [new WeakMap(), new WeakMap()];

/** Note the texts that a `<font>` replaces. */
function noteReplacedTexts(records) {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    for (const text of removedNodes) {
      const font = text.nodeType === Node.TEXT_NODE && [...addedNodes, previousSibling, nextSibling].find(isFont);
      if (!font) continue;
      fonts.set(text, font);
      replaced.set(font, [...(replaced.get(font) ?? []), text]);
    }
  }
}

/** Put the texts of a translator's outermost `<font>` in its place. */
function putBack(font) {
  let inner = font;
  while (isFont(inner.firstChild)) inner = inner.firstChild;
  const texts = replaced.get(font) ?? [...inner.childNodes];
  texts.forEach((text) => fonts.delete(text));
  font.replaceWith(...texts);
}

/** Put every text of the page back, as React wants to find what the server sent; the translator then starts again. */
export function putTextsBack() {
  document.querySelectorAll("font").forEach((font) => isFont(font.parentNode) || putBack(font));
}

/** Put a text back that React is about to change, where a `<font>` has its place. */
function putTextBack(text) {
  let font = fonts.get(text) ?? text.parentNode;
  while (isFont(font?.parentNode)) font = font.parentNode;
  if (isFont(font) && font.parentNode) putBack(font);
}

/** Let the functions with which React changes texts put them back first; what is gone then is left alone. */
export function survivePageTranslation() {
  new MutationObserver(noteReplacedTexts).observe(document, { childList: true, subtree: true });
  const { removeChild, insertBefore } = Node.prototype;
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  Node.prototype.removeChild = function (child) {
    if (child.parentNode !== this) putTextBack(child);
    return child.parentNode === this ? removeChild.call(this, child) : child;
  };
  Node.prototype.insertBefore = function (node, before) {
    if (before && before.parentNode !== this) putTextBack(before);
    return insertBefore.call(this, node, before?.parentNode === this ? before : null);
  };
  Object.defineProperty(Node.prototype, "nodeValue", {
    ...nodeValue,
    set(value) {
      if (fonts.has(this)) putTextBack(this);
      nodeValue.set.call(this, value);
    },
  });
}
