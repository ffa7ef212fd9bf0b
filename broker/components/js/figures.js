/**
 * The visitor's figures: typed once, kept in this tab's session storage, and offered wherever a field means the same.
 *
 * A form has its key, and in `names` the figures that each of its fields takes, of which the first kept is offered. It
 * may have the `path` of its page, whose address has its values.
 */

import { readField } from "./numbers.js";

const KEY = "figures";
const CLEARED = "figures-cleared";
const LINKED = ["loan", "deposit", "price"];

/** The figures that are kept, by name; the build has no storage. */
let kept = JSON.parse(globalThis.sessionStorage?.getItem(KEY) ?? "{}");

/** By form, on the page or not: the values that are not the visitor's change, those offered, and who clears it. */
const [seen, clears] = [{}, {}];
export const offers = {};

/** Keep some figures, but undefined ones; of price, deposit and loan the two that came last. */
export function keepFigures(changes) {
  const text = JSON.stringify({ ...kept, ...changes });
  kept = JSON.parse(text);
  if (LINKED.every((name) => name in kept)) delete kept[LINKED.find((name) => !(name in changes))];
  if ("deposit" in changes && !("savings" in changes)) delete kept.savings;
  if (text !== "{}") sessionStorage.setItem(KEY, JSON.stringify(kept));
}

/** Return the first of some figures that is kept, or what follows from others; undefined for none. */
export function figureOf(names) {
  const { price, deposit, loan, income, income2 = 0 } = kept;
  const follows = { loan: price - deposit, deposit: price - loan, incomes: income + income2 }[names[0]];
  return kept[names.find((name) => name in kept)] ?? (follows > 0 ? follows : undefined);
}

/** Return the values of a form with the figures that its fields take and accept; the same ones without any. */
function withFigures({ names, fields, options }, values) {
  let given = values;
  for (const name in names) {
    const figure = figureOf(names[name]);
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
 * `current` returns the form's values and `put` sets them.
 */
export function offerFigures(form, current, put) {
  const { key, path, defaults } = form;
  const offer = (values) => put((offers[key] = seen[key] = values));
  const values = location.pathname === path && location.search ? current() : withFigures(form, current());
  if (values !== current()) offer(values);
  clears[key] ??= whenCleared(() => offer({ ...defaults }));
}

/**
 * Keep what the visitor changed in a form since it was last seen; with what was `worked` out of it, all that it counts.
 *
 * Return whether the form shows figures that are kept.
 */
export function keepTyped({ key, names }, values, worked) {
  const before = seen[key] ?? values;
  seen[key] = values;
  const isChanged = (name) => values[name] !== before[name];
  if (Object.keys(values).some(isChanged)) {
    const changes = {};
    const own = Object.keys(names).filter((name) => worked || isChanged(name) || isChanged(`${name}Text`));
    for (const name of own) if (!values[`${name}Problem`]) changes[names[name][0]] = values[name];
    keepFigures({ ...changes, ...worked });
  }
  return Object.keys(names).some((name) => figureOf(names[name]) === values[name]);
}

/** Call a function once the figures are cleared; return how to stop. */
export function whenCleared(then) {
  addEventListener(CLEARED, then);
  return () => removeEventListener(CLEARED, then);
}

/** Forget every figure, have each form on the page show its usual ones again, and say that it is done. */
export function clearFigures(button) {
  kept = {};
  sessionStorage.removeItem(KEY);
  const status = button.parentElement.querySelector("[role=status]");
  if (status) status.textContent = "Cleared";
  else document.querySelector("h1").focus({ preventScroll: true });
  dispatchEvent(new Event(CLEARED));
}
