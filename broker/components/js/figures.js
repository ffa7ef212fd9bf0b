/**
 * The visitor's figures: typed once, kept in this tab's session storage, and offered wherever a field means the same.
 *
 * A form has its key, and in `names` the figures that each of its fields takes, of which the first kept is offered.
 */

import { readField } from "./numbers.js";

const KEY = "figures";
const LINKED = ["loan", "deposit", "price"];

/** The values of each form that are not the visitor's change, and those that were offered to it. */
const seen = {};
const offers = {};

/** The forms that have not put their usual values back since the figures were cleared. */
let uncleared = new Set();
whenCleared(() => { uncleared = new Set(Object.keys(seen)); });

/** Return the figures that are kept, by name. */
export function keptFigures() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // Storage is off in this browser.
  }
}

/** Keep some figures, but undefined ones; of price, deposit and loan the two that came last. */
export function keepFigures(changes) {
  const kept = { ...keptFigures(), ...JSON.parse(JSON.stringify(changes)) };
  if (LINKED.every((name) => name in kept)) delete kept[LINKED.find((name) => !(name in changes))];
  if ("deposit" in changes && !("savings" in changes)) delete kept.savings;
  try {
    if (Object.keys(kept).length) sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is off in this browser, or full: the figures stay where they were typed.
  }
}

/** Return the first of some figures that is kept, or what follows from others; undefined for none. */
export function figureOf(names) {
  const kept = keptFigures();
  const { price, deposit, loan, income, income2 = 0 } = kept;
  const follows = { loan: price - deposit, deposit: price - loan, incomes: income + income2 }[names[0]];
  return kept[names.find((name) => name in kept)] ?? (follows > 0 ? follows : undefined);
}

/** Return the values of a form with the figures that its fields take and accept; the same ones without any. */
function withFigures({ names, fields, options }, values) {
  let given = values;
  for (const [name, figures] of Object.entries(names)) {
    const figure = figureOf(figures);
    if (figure === undefined) continue;
    const read = fields[name] && readField(fields, values, name, fields[name][2](figure), true);
    const isRight = read ? !read[`${name}Problem`] : options[name].includes(figure);
    if (isRight) given = { ...given, ...(read ?? { [name]: figure }) };
  }
  return given;
}

/**
 * Offer the figures to a form, unless the address of its page has values; put the usual ones back once they are cleared.
 *
 * `current` returns the form's values and `put` sets them. Return how to stop.
 */
export function offerFigures(form, current, put) {
  const { key, path, defaults } = form;
  const offer = (values) => put((offers[key] = seen[key] = values));
  const clear = () => {
    uncleared.delete(key);
    offer({ ...defaults });
  };
  if (location.pathname !== path || !location.search) {
    const values = withFigures(form, uncleared.delete(key) ? defaults : current());
    if (values !== current()) offer(values);
  }
  return whenCleared(clear);
}

/** Return the values that a form was offered last. */
export const offeredValues = (key) => offers[key];

/**
 * Keep what the visitor changed in a form since it was last seen, and what was worked out of it.
 *
 * Return whether the form shows figures that are kept.
 */
export function keepTyped({ key, names }, values, worked) {
  const before = seen[key] ?? values;
  seen[key] = values;
  const isChanged = (name) => values[name] !== before[name];
  if (Object.keys(values).some(isChanged)) {
    const changes = Object.fromEntries(Object.entries(worked).filter(([, value]) => value > 0));
    const own = Object.keys(names).filter((name) => isChanged(name) || isChanged(`${name}Text`));
    for (const name of own) if (!values[`${name}Problem`]) changes[names[name][0]] = values[name];
    keepFigures(changes);
  }
  return Object.keys(names).some((name) => figureOf(names[name]) === values[name]);
}

/** Return a figure within bounds in whole pounds as text, for the box of a question; empty for none. */
export function figureText(names, low, high) {
  const figure = Math.round(figureOf(names));
  return figure >= low && figure <= high ? String(figure) : "";
}

/** Call a function once the figures are cleared; return how to stop. */
export function whenCleared(then) {
  const [type, page] = ["figures-cleared", globalThis];
  page.addEventListener?.(type, then);
  return () => page.removeEventListener(type, then);
}
