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

/** By page the values that were offered there, and how to write the last of them into the address. */
const offers = {};
let writeOffer;

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

/** Write the change that waits, on leaving or before the address is shared. */
function flush() {
  const { timer, write } = pending ?? {};
  clearTimeout(timer);
  pending = undefined;
  write?.();
}

/** Return values that were offered on a page and not typed there: its address leaves them out until it is shared. */
export function leaveOut(path, values) {
  if (path) offers[path] = values;
  return values;
}

/** Write the values that were offered on this page into its address, which is about to be shared. */
export const writeOffered = () => writeOffer?.();

function isOffered(path, values) {
  const offer = window.location.search ? undefined : offers[path];
  return offer && Object.keys(offer).every((name) => values[name] === offer[name]);
}

/** Have the address follow the values once they rest, without a step in the history and without a request. */
export function followValues(path, names, defaults, values) {
  writeOffer = undefined;
  if (window.location.pathname !== path) return;
  clearTimeout(pending?.timer);
  if (isOffered(path, values)) {
    pending = undefined;
    writeOffer = () => writeAddress(path, names, defaults, values);
    return;
  }
  for (const type of ["click", "pagehide"]) window.addEventListener(type, flush, { capture: true, once: true });
  unwritten[path] = place();
  const write = () => unwritten[path] === place() && writeAddress(path, names, defaults, values);
  pending = { timer: setTimeout(flush, PAUSE_MS), write };
}

function writeAddress(path, names, defaults, values) {
  if (window.location.pathname !== path) return;
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
