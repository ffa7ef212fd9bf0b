/** Starts React after the first frame, in place of the start script that React Router writes. */

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
  window.__reactRouterRouteModules = Object.fromEntries(ids.map((id, index) => [id, modules[index]]));
  await load(entry);
  layOutSections();
}

/** Repeat input that came before React, which hydration would reset; React hears later input of a field itself. */
export function repeatEarlyInput() {
  const early = new Map();
  const isToggle = (field) => /^(checkbox|radio)$/.test(field.type);
  const isInput = (field) => field.tagName === "INPUT";
  const repeat = (value, field) => {
    if (!window.__reflex) return;
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
    if (window.__reflex) return void early.delete(field);
    if (!/^(INPUT|SELECT)$/.test(field.tagName)) return;
    if (!early.size) setTimeout(repeatAll, 50);
    early.set(field, isToggle(field) ? field.checked : field.value);
  }, true);
}

/** Repeat presses of buttons that only scripts answer, made before React was there: it hears every later one itself. */
export function repeatEarlyPresses() {
  const early = new Set();
  const isHeard = () => Object.keys(document).some((key) => key.startsWith("__reactContainer$"));
  const repeatAll = () => {
    if (!window.__reflex) return setTimeout(repeatAll, 50);
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

/** Start at the first touch, key or pointer; a mouse that rests on a new page, of which browsers tell, is none. */
function startWhenTouched(start) {
  const touched = new AbortController();
  const listen = ({ type, movementX, movementY }) => {
    if (type === "pointermove" && movementX === 0 && movementY === 0) return;
    touched.abort();
    start();
  };
  ["pointerdown", "pointermove", "keydown", "click"].forEach((type) => addEventListener(type, listen, touched));
}

/** Start once: after the first frame, where a page `waits` after a touch, key or pointer; or after `timeout` ms. */
export function deferBoot({ timeout, waits, ...modules }) {
  repeatEarlyInput();
  repeatEarlyPresses();
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    return startModules(modules);
  };
  const startAfterFrame = () => requestAnimationFrame(() => setTimeout(start, 0));
  if (waits) startWhenTouched(startAfterFrame);
  else startAfterFrame();
  setTimeout(start, timeout);
}
