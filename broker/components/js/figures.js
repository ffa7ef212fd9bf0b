/**
 * The visitor's figures: typed once, kept in this tab's session storage, and offered wherever a field means the same.
 *
 * A form has its key, and in `names` the figures that each of its fields takes, of which the first kept is offered.
 */

import { leaveOut } from "./calculator_address.js";
import { readField } from "./numbers.js";

const KEY = "figures";
const CLEARED = "figures-cleared";
const SEARCH = { price: "price", amount: "loan", term: "term" };
const LINKED = ["loan", "deposit", "price"];

/** The values of each form that are not the visitor's change, and the forms that were elsewhere at the last clearing. */
const seen = {};
let uncleared = new Set();

const positive = ([, value]) => value > 0;

/** Return the figures that are kept, by name. */
export function keptFigures() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // Storage is off in this browser, or this is the build.
  }
}

/** Keep some figures; of price, deposit and loan the two that came last. */
export function keepFigures(changes) {
  if (!Object.values(changes).some((value) => value !== undefined)) return;
  const kept = { ...keptFigures(), ...changes };
  if (LINKED.every((name) => name in kept)) delete kept[LINKED.find((name) => !(name in changes))];
  if ("deposit" in changes && !("savings" in changes)) delete kept.savings;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is off in this browser, or full: the figures stay where they were typed.
  }
}

/** Return the first of some figures that is kept, or what follows from others; undefined for none. */
export function figureOf(names) {
  const kept = keptFigures();
  const name = names.find((each) => each in kept);
  if (name) return kept[name];
  const { price, deposit, loan, income, income2 = 0 } = kept;
  const follows = { loan: price - deposit, deposit: price - loan, incomes: income + income2 }[names[0]];
  return follows > 0 ? follows : undefined;
}

/** Return the changes of a form's values that bring the figures which its fields take. */
function offered({ names, fields, options }, values) {
  const changes = {};
  for (const [name, figures] of Object.entries(names)) {
    const figure = figureOf(figures);
    if (figure === undefined) continue;
    if (options[name]?.includes(figure)) changes[name] = figure;
    if (!fields[name]) continue;
    const read = readField(fields, values, name, fields[name][2](figure), true);
    if (!read[`${name}Problem`]) Object.assign(changes, read);
  }
  return changes;
}

/** Return the default values of the fields that take figures. */
function usual({ names, defaults }) {
  const own = Object.keys(names).flatMap((name) => [name, `${name}Text`, `${name}Problem`]);
  return Object.fromEntries(own.filter((name) => name in defaults).map((name) => [name, defaults[name]]));
}

/**
 * Offer the figures to a form, unless the address of its page has values; put the usual ones back once they are cleared.
 *
 * `current` returns the form's values and `put` sets them. Return how to stop.
 */
export function offerFigures(form, current, put) {
  const change = (changes) => put((seen[form.key] = leaveOut(form.path, { ...current(), ...changes })));
  const hasAddress = window.location.pathname === form.path && window.location.search;
  const old = uncleared.delete(form.key) ? usual(form) : {};
  const changes = hasAddress ? {} : { ...old, ...offered(form, { ...current(), ...old }) };
  if (Object.keys(changes).length) change(changes);
  return whenCleared(() => {
    uncleared.delete(form.key);
    change(usual(form));
  });
}

/**
 * Keep what the visitor changed in a form since it was last seen, and what was worked out of it.
 *
 * Return whether the form shows figures that are kept.
 */
export function keepTyped(form, values, worked) {
  const before = seen[form.key] ?? values;
  seen[form.key] = values;
  const isChanged = (name) => values[name] !== before[name];
  if (Object.keys(values).some(isChanged)) {
    const own = Object.keys(form.names).filter((name) => isChanged(name) || isChanged(`${name}Text`));
    const right = own.filter((name) => !values[`${name}Problem`]).map((name) => [form.names[name][0], values[name]]);
    keepFigures(Object.fromEntries([...Object.entries(worked).filter(positive), ...right]));
  }
  return Object.entries(form.names).some(([name, figures]) => figureOf(figures) === values[name]);
}

/** Return the figures of a rates search, whole and as text by field: price and loan where they go together, and the term. */
export function searchFigures() {
  const [price, amount, term] = Object.values(SEARCH).map((name) => Math.round(figureOf([name])));
  const found = { ...(amount >= 1 && amount <= price && { price, amount }), ...(term && { term }) };
  return Object.fromEntries(Object.entries(found).map(([name, figure]) => [name, String(figure)]));
}

/** Keep the figures of a search, given as text by field, but those that it was offered. */
export function keepSearch(texts) {
  const offered = searchFigures();
  const typed = Object.keys(SEARCH).filter((name) => texts[name] !== offered[name]);
  keepFigures(Object.fromEntries(typed.map((name) => [SEARCH[name], Number(texts[name])])));
}

/** Return a figure within bounds in whole pounds as text, for the box of a question; empty for none. */
export function figureText(names, low, high) {
  const figure = Math.round(figureOf(names));
  return figure >= low && figure <= high ? String(figure) : "";
}

/** Forget every figure, have each form on the page put its usual ones back, and tell that it is done. */
export function clearFigures(button) {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is off in this browser: nothing was kept.
  }
  uncleared = new Set(Object.keys(seen));
  const status = button.parentElement.querySelector("[role=status]");
  if (status) status.textContent = "Your figures are cleared.";
  else document.querySelector("h1")?.focus({ preventScroll: true });
  window.dispatchEvent(new Event(CLEARED));
}

/** Call a function once the figures are cleared; return how to stop. */
export function whenCleared(then) {
  window.addEventListener(CLEARED, then);
  return () => window.removeEventListener(CLEARED, then);
}
