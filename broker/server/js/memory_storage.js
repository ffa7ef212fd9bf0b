/** Stands in for a store that the browser refuses, or that takes nothing more: scripts then work until the page is left. */

const SAMPLE = "x".repeat(1000);

/** Return whether a store of the window is there and takes entries. */
function isUsable(name) {
  try {
    const store = window[name];
    store.setItem(SAMPLE, SAMPLE);
    store.removeItem(SAMPLE);
    return true;
  } catch {
    return false;
  }
}

/** Return a store in memory, with the methods of Storage. */
function memoryStorage() {
  const entries = new Map();
  return {
    get length() { return entries.size; },
    key: (place) => [...entries.keys()][place] ?? null,
    getItem: (name) => entries.get(String(name)) ?? null,
    setItem: (name, value) => { entries.set(String(name), String(value)); },
    removeItem: (name) => { entries.delete(String(name)); },
    clear: () => entries.clear(),
  };
}

/** Clear a store of which nothing is missed; one that the browser refuses is no error. */
function clear(name) {
  try {
    window[name].clear();
  } catch {
    // `provideStorage` replaces it.
  }
}

/**
 * Clear the local store (decision 21), and put one in memory in the place of each that cannot be used.
 *
 * That of the session is missed: the root element gets an `attribute`, for which the first page of a visit says so.
 */
export function provideStorage(attribute) {
  clear("localStorage");
  const missing = ["localStorage", "sessionStorage"].filter((name) => !isUsable(name));
  for (const name of missing) Reflect.defineProperty(window, name, { value: memoryStorage(), configurable: true });
  const isFirst = !document.referrer.startsWith(`${location.origin}/`);
  if (missing.includes("sessionStorage") && isFirst) document.documentElement.setAttribute(attribute, "off");
}
