/** Starts React after the first frame, in place of the start script that React Router writes. */

import { putTextsBack, survivePageTranslation } from "./page_translation.js";

/** Time after which what was typed waits for React too long: the form's own button and what it is for are shown. */
const LATE_MS = 1000;

/** Time after which React starts where nothing was painted, as in a background tab. */
const UNPAINTED_MS = 2000;

const isStarted = () => Boolean(window.__reflex);
const whenStarted = (then) => (isStarted() ? then() : setTimeout(whenStarted, 50, then));

const markPlain = () => document.documentElement.setAttribute("data-scripts", "none");

/** Show the page as browsers without scripts do, as its own did not arrive or failed. */
function showPlainPage() {
  markPlain();
  for (const element of document.querySelectorAll("noscript")) element.outerHTML = element.textContent;
}

/** Lay out waiting sections one per idle period, once the page is used; then mark the page, so that none waits. */
export function layOutSections() {
  const isWaiting = (section) => getComputedStyle(section).contentVisibility === "auto";
  const whenIdle = self.requestIdleCallback || setTimeout;
  let waiting;
  const layOutNext = () => {
    waiting ??= [...document.querySelectorAll("main section")].filter(isWaiting);
    const section = waiting.shift();
    if (!section) return document.documentElement.setAttribute("data-laid-out", "");
    section.style.contentVisibility = "visible";
    whenIdle(layOutNext);
  };
  ["scroll", "keydown", "pointermove"].forEach((type) => addEventListener(type, () => whenIdle(layOutNext), { once: true }));
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

/** Take the marks of a page that waits for React away. */
function clearMarks() {
  document.documentElement.removeAttribute("data-scripts");
  document.querySelectorAll("[data-changed]").forEach((form) => form.removeAttribute("data-changed"));
}

/** Repeat input that came before React, which hydration would reset; React hears later input of a field itself. */
export function repeatEarlyInput() {
  const early = new Map();
  const isToggle = (field) => /^(checkbox|radio)$/.test(field.type);
  const isInput = (field) => field.tagName === "INPUT";
  const repeat = (value, field) => {
    if (!isStarted()) return;
    early.delete(field);
    if (isToggle(field)) {
      field.checked = !value;
      field.click();
      return;
    }
    if (isInput(field)) {
      // React ignores an input event whose value it set itself, so its own setter gets another value first.
      field.value = value + " ";
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, value);
    } else field.value = value;
    field.dispatchEvent(new Event(isInput(field) ? "input" : "change", { bubbles: true }));
  };
  const repeatAll = () => {
    early.forEach(repeat);
    if (early.size) setTimeout(repeatAll, 50);
  };
  addEventListener("input", (event) => {
    const field = event.target;
    if (isStarted()) return void early.delete(field);
    if (!/^(INPUT|SELECT)$/.test(field.tagName)) return;
    if (!early.size) setTimeout(repeatAll, 50);
    setTimeout(() => markChanged(field.form), LATE_MS);
    early.set(field, isToggle(field) ? field.checked : field.value);
  }, true);
}

/** Repeat presses of buttons that only scripts answer, made before React was there: it hears every later one itself. */
export function repeatEarlyPresses() {
  const early = new Set();
  const isHeard = () => Object.keys(document).some((key) => key.startsWith("__reactContainer$"));
  const repeatAll = () => {
    if (!isStarted()) return setTimeout(repeatAll, 50);
    early.forEach((button) => button.click());
    early.clear();
  };
  addEventListener("click", (event) => {
    const button = event.target.closest?.("button[type=button]");
    if (!button || isHeard()) return;
    if (!early.size) setTimeout(repeatAll, 50);
    early.add(button);
  }, true);
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
    window.__reflex = undefined;
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
  repeatEarlyPresses();
  survivePageTranslation();
  let isUnderWay = false;
  const start = () => {
    if (isUnderWay) return;
    isUnderWay = true;
    keepServedPage();
    addEventListener("error", () => isStarted() || markPlain());
    return startModules(modules).then(() => whenStarted(clearMarks), showPlainPage);
  };
  requestAnimationFrame(() => setTimeout(start, 0));
  setTimeout(start, UNPAINTED_MS);
}
