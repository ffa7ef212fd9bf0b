/**
 * The inputs of a calculator, and the query string of its own page, which holds those that differ from the defaults.
 *
 * Values are kept by name, as `readField` describes.
 */

import { readField } from "./numbers.js";

const PAUSE_MS = 400;
const TICKED = "yes";
let timer;

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

/** Put the values of the page's address in their place under `key`, where it is the calculator's own and has some. */
export function takeAddress(places, key, path, ...calculator) {
  if (typeof window === "undefined" || window.location.pathname !== path || !window.location.search) return;
  places[key] = valuesOfQuery(window.location.search, ...calculator);
}

/** Have the address follow the values once they rest, without a step in the history and without a request. */
export function followValues(path, names, defaults, values) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (window.location.pathname !== path) return;
    const query = new URLSearchParams(window.location.search);
    for (const name of names) {
      const value = values[`${name}Problem`] ? values[`${name}Text`] : values[name];
      if (value === defaults[name]) query.delete(name);
      else query.set(name, value === true ? TICKED : value);
    }
    const search = String(query) && `?${query}`;
    if (search === window.location.search) return;
    window.history.replaceState(window.history.state, "", path + search + window.location.hash);
  }, PAUSE_MS);
}
