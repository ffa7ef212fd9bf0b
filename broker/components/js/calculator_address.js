/**
 * The inputs of a calculator, and the query string of its own page, which holds those that differ from the defaults.
 *
 * Values are kept by name, as `readField` describes.
 */

import { readField } from "./numbers.js";

const PAUSE_MS = 400;
const TICKED = "yes";

/** The change that waits for the values to rest, and by page the place in the history that a visitor left before. */
let pending;
const unwritten = {};

/** Return the default values with those of a query string. */
export function valuesOfQuery(query, defaults, fields, options) {
  const given = new URLSearchParams(query);
  const values = { ...defaults };
  const typed = Object.keys(fields).filter((name) => given.has(name));
  for (const name of typed) Object.assign(values, readField(fields, defaults, name, given.get(name), true));
  for (const [name, allowed] of Object.entries(options)) {
    if (!allowed) values[name] = given.get(name) === TICKED;
    else if (allowed.includes(given.get(name))) values[name] = given.get(name);
  }
  return values;
}

/** Return the present place in the history: an address and the key that React Router gives it. */
const place = () => `${window.location.search} ${window.history.state?.key}`;

/**
 * Put the values of the page's address in their place under `key`, where it is the calculator's own and has some.
 *
 * A page that was left before its address had what was typed keeps the values it has: they are newer.
 */
export function takeAddress(places, key, path, ...calculator) {
  if (typeof window === "undefined" || window.location.pathname !== path || !window.location.search) return;
  if (places[key] && unwritten[path] === place()) return;
  places[key] = valuesOfQuery(window.location.search, ...calculator);
}

/** Write the change that waits, on leaving or before the address is shared: one that was offered only then. */
function flush(event) {
  const { timer, write } = pending ?? {};
  if (write && !timer && !event.target.closest?.(".share")) return;
  clearTimeout(timer);
  pending = undefined;
  write?.();
}

/**
 * Have the address follow the values once they rest, without a step in the history and without a request.
 *
 * An address without any leaves out values that were offered, until it is shared or something is typed.
 */
export function followValues(path, names, defaults, values, offered) {
  if (window.location.pathname !== path) return;
  clearTimeout(pending?.timer);
  for (const type of ["click", "pagehide"]) window.addEventListener(type, flush, { capture: true });
  unwritten[path] = place();
  const isTyped = (name) => values[name] !== offered[name] || values[`${name}Problem`];
  const isOffered = offered && !window.location.search && !names.some(isTyped);
  const timer = isOffered ? 0 : setTimeout(flush, PAUSE_MS);
  pending = { timer, write: () => writeAddress(path, names, defaults, values) };
}

function writeAddress(path, names, defaults, values) {
  if (window.location.pathname !== path || unwritten[path] !== place()) return;
  delete unwritten[path];
  const query = new URLSearchParams(window.location.search);
  for (const name of names) {
    const value = values[`${name}Problem`] ? values[`${name}Text`] : values[name];
    if (value === defaults[name]) query.delete(name);
    else query.set(name, value === true ? TICKED : value);
  }
  const search = String(query) && `?${query}`;
  if (search === window.location.search) return;
  window.history.replaceState(window.history.state, "", path + search + window.location.hash);
}
