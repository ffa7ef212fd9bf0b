/** Starts React after the first frame, in place of the start script that React Router writes. */

/** Time after which what was typed waits for React too long: the form's own button and what it is for are shown. */
const LATE_MS = 1000;

/** Time after which React starts where nothing was painted, as in a background tab. */
const UNPAINTED_MS = 2000;

/** Whether React has hydrated the page: `pages/site/not_found.error_boundary` says so. */
const isStarted = () => Boolean(window.isHydrated);
const whenStarted = (then) => (isStarted() ? then() : setTimeout(whenStarted, 50, then));

const markPlain = () => document.documentElement.setAttribute("data-scripts", "none");

/** Show the page as browsers without scripts do, as its own did not arrive or failed. */
function showPlainPage() {
  markPlain();
  for (const element of document.querySelectorAll("noscript")) element.outerHTML = element.textContent;
}

/** Have the sections that wait laid out once the page is used and the browser is idle. */
export function layOutSections() {
  const layOut = () => document.documentElement.setAttribute("data-laid-out", "");
  const whenIdle = self.requestIdleCallback ?? setTimeout;
  for (const type of ["scroll", "keydown", "pointermove"]) addEventListener(type, () => whenIdle(layOut), { once: true });
}

/** Enable the disabled stylesheets; resolves once each of them has loaded or failed. */
export function enableStylesheets() {
  const enable = (link) => new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    link.disabled = false;
  });
  return Promise.all([...document.querySelectorAll("link[disabled]")].map(enable));
}

/** Load shared modules one at a time, so that input is handled between them; then routes, stylesheets and entry. */
export async function startModules({ folder, shared, manifest, routes, entry }) {
  const load = (name) => import(folder + name);
  const pause = () => self.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
  const [ids, names] = [Object.keys(routes), Object.values(routes)];
  const styled = enableStylesheets();
  for (const name of new Set([...shared, manifest, ...names, entry]))
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: folder + name }));
  for (const name of shared) {
    await load(name);
    await pause();
  }
  await load(manifest);
  const modules = await Promise.all(names.map(load));
  await styled;
  putTextsBack();
  window.__reactRouterRouteModules = Object.fromEntries(ids.map((id, index) => [id, modules[index]]));
  await load(entry);
  layOutSections();
}

/** Mark a form whose answer is of figures before a change, unless React starts soon and has the new answer. */
function markChanged(form) {
  if (isStarted()) return;
  const root = document.documentElement;
  if (!root.hasAttribute("data-scripts")) root.setAttribute("data-scripts", "late");
  form?.setAttribute("data-changed", "");
}

/** Remove the marks of a page that waits for React. */
function clearMarks() {
  document.documentElement.removeAttribute("data-scripts");
  document.querySelectorAll("[data-changed]").forEach((form) => form.removeAttribute("data-changed"));
}

const isToggle = (field) => /^(checkbox|radio)$/.test(field.type);

/** Have React receive a value that a field was given. */
function repeatInput(field, value) {
  if (isToggle(field)) {
    field.checked = !value;
    return field.click();
  }
  const isInput = field.tagName === "INPUT";
  if (isInput) {
    // React ignores an input event whose value it set itself, so its own setter gets another value first.
    field.value = value + " ";
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, value);
  } else field.value = value;
  return field.dispatchEvent(new Event(isInput ? "input" : "change", { bubbles: true }));
}

/** Repeat input that came before React, which hydration would reset; React receives later input of a field itself. */
export function repeatEarlyInput() {
  const early = new Map();
  const repeat = (field) => early.has(field) && repeatInput(field, early.get(field));
  addEventListener("input", (event) => {
    const field = event.target;
    if (isStarted()) return void early.delete(field);
    if (!/^(INPUT|SELECT)$/.test(field.tagName)) return;
    if (!early.has(field)) whenStarted(() => repeat(field));
    setTimeout(() => markChanged(field.form), LATE_MS);
    early.set(field, isToggle(field) ? field.checked : field.value);
  }, true);
}

/** Repeat presses of buttons that only scripts answer, until what this returns is called: React receives later ones. */
export function repeatEarlyPresses() {
  const early = new Set();
  const note = (event) => {
    const button = event.target.closest?.("button[type=button]");
    if (!button || early.has(button)) return;
    early.add(button);
    whenStarted(() => button.click());
  };
  addEventListener("click", note, { capture: true });
  return () => removeEventListener("click", note, { capture: true });
}

/**
 * Let React change the texts of a page that a browser translates (facebook/react issue 11538).
 *
 * A translator puts a `<font>` around each text, or replaces it by one. React still holds the text: it fails when it
 * removes it or inserts before it, and what it writes into a text that was replaced is on no page.
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

/** Put every text of the page back: React wants to find what the server sent. The translator then starts again. */
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

/**
 * Put back what the server sent where React leaves the document without any of it: the router then writes an error page
 * of its own. At another address, and after Back or Forward, the page is loaded again.
 */
export function keepServedPage() {
  const [served, path] = [document.documentElement.cloneNode(true), location.pathname];
  const showServed = () => {
    reportError(new Error("React failed outside the page"));
    if (location.pathname !== path) return location.reload();
    document.documentElement?.remove();
    document.append(served);
    window.isHydrated = undefined;
    enableStylesheets();
    showPlainPage();
    addEventListener("popstate", () => location.reload());
  };
  const observer = new MutationObserver(() => {
    if (document.body?.querySelector("[class]")) return;
    observer.disconnect();
    setTimeout(showServed);
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Start once: after the first frame, or after UNPAINTED_MS without one. */
export function deferBoot(modules) {
  repeatEarlyInput();
  const stopRepeating = repeatEarlyPresses();
  survivePageTranslation();
  let isUnderWay = false;
  const start = () => {
    if (isUnderWay) return;
    isUnderWay = true;
    keepServedPage();
    addEventListener("error", () => isStarted() || markPlain());
    const takeOver = () => {
      stopRepeating();
      whenStarted(clearMarks);
    };
    return startModules(modules).then(takeOver, showPlainPage);
  };
  requestAnimationFrame(() => setTimeout(start, 0));
  setTimeout(start, UNPAINTED_MS);
}
