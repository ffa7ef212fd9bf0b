/**
 * The fields of a rates search form, and the query string of its page, which holds the search.
 *
 * The form's `data-defaults` maps every parameter of a search, in the order of the query string, to the value that the
 * page opens with. The list's order and filters are parameters without a field inside the form.
 */

import { figureOf, keepFigures } from "./figures.js";
import { MAX_TEXT_LENGTH, wholeNumber, wholePounds, withWholeGroup } from "./numbers.js";
import { showList } from "./rates_list.js";

const FORM = "search";
const MONEY = ["price", "amount"];
const FIGURES = { price: "price", amount: "loan", term: "term" };

const IN_PLACE = { replace: true, preventScrollReset: true };

const searchForm = () => document.getElementById(FORM);
const defaultsOf = (form) => JSON.parse(form.dataset.defaults);
const hasField = (form, name) => form.querySelector(`[name="${name}"]`) !== null;

/** Return the text of a field as an address has it: whole pounds and years in digits; return any other text unchanged. */
function plain(name, text) {
  if (MONEY.includes(name)) return wholePounds(text) ?? text;
  return (name === "term" && wholeNumber(text)) || text;
}

/** Return a text as a field shows it: pounds with thousands commas. */
function displayed(name, text) {
  const pounds = MONEY.includes(name) && wholePounds(text);
  return (pounds ? pounds.replace(/\B(?=(\d{3})+$)/g, ",") : plain(name, text)).slice(0, MAX_TEXT_LENGTH);
}

/** Return the value that a field takes: the given text, or of a choice one of its enabled options or the default. */
function accepted(field, value, usual) {
  const options = field.options ?? (field instanceof RadioNodeList ? field : null);
  return !options || [...options].some((each) => !each.disabled && each.value === value) ? value : usual;
}

/**
 * Return the query string of the search in `query` with some parameters changed; defaults and other names are left out.
 *
 * Older links have `feefree=1` in place of `fees=any`.
 */
export function changedQuery(defaults, query, changes) {
  const given = new URLSearchParams(query);
  if (given.get("feefree") === "1" && !given.has("fees")) given.set("fees", "any");
  const values = Object.keys(defaults).map((name) => [name, plain(name, changes[name] ?? given.get(name) ?? defaults[name])]);
  return String(new URLSearchParams(values.filter(([name, value]) => value !== defaults[name])));
}

/** The visitor's figures as `usesFigures` last had them: once they are cleared they are known here alone. */
let own = {};

/** Go to this page with another query string; the same one adds no step to the history. */
function goTo(navigate, query) {
  const replace = query === String(new URLSearchParams(window.location.search));
  navigate({ search: query }, { replace, preventScrollReset: true });
}

/**
 * Write the search in `query` into the form's fields, unless it was the last one written; return the typed figures.
 *
 * The first time, a field that was changed before this script ran is left as it is, and the visitor's figures are
 * searched with. What is typed and not yet sent survives a change of any parameter that has no field.
 */
export function fillForm(query, navigate) {
  const form = searchForm();
  const defaults = Object.fromEntries(Object.entries(defaultsOf(form)).filter(([name]) => hasField(form, name)));
  const search = changedQuery(defaults, query, {});
  const isFirst = form.dataset.search === undefined;
  const given = new URLSearchParams(search);
  for (const [name, usual] of form.dataset.search === search ? [] : Object.entries(defaults)) {
    const field = form.elements.namedItem(name);
    if (isFirst && plain(name, field.value) !== usual) continue;
    field.value = displayed(name, accepted(field, given.get(name) ?? usual, usual));
  }
  form.dataset.search = search;
  if (isFirst) searchWithFigures(navigate);
  return typedFigures();
}

/** Return the visitor's figures for a search as text, by field: price and loan where they go together, and the term. */
function searchFigures() {
  const [price, amount, term] = Object.values(FIGURES).map((name) => Math.round(figureOf([name])));
  const found = { ...(amount >= 1 && amount <= price && { price, amount }), ...(term && { term }) };
  return Object.fromEntries(Object.entries(found).map(([name, figure]) => [name, String(figure)]));
}

/** Keep the figures of the search in the form, but those that it was offered. */
function keepSearch() {
  const [offered, typed] = [searchFigures(), Object.entries(typedFigures()).map(([name, text]) => [name, plain(name, text)])];
  const own = typed.filter(([name, text]) => text !== offered[name]);
  keepFigures(Object.fromEntries(own.map(([name, text]) => [FIGURES[name], Number(text)])));
}

/**
 * Go to the search in the form, and show its figures as a page does; stay with a field in error.
 *
 * Return the texts of the number boxes: an amount whose last group is short has its error from now on.
 */
export function submitForm(navigate) {
  const [form, typed] = [searchForm(), typedFigures()];
  const isWrong = form.querySelector("[aria-invalid=true]") || MONEY.some((name) => wholePounds(typed[name]) === null);
  if (isWrong) return typed;
  const query = changedQuery(defaultsOf(form), window.location.search, Object.fromEntries(new FormData(form)));
  keepSearch();
  fillForm(query);
  goTo(navigate, query);
  showList(form, query);
  return typedFigures();
}

/** Search with the visitor's figures, unless the address has figures or a deal, or something is typed (decision 51). */
function searchWithFigures(navigate) {
  const [form, given] = [searchForm(), new URLSearchParams(window.location.search)];
  const [defaults, typed] = [defaultsOf(form), Object.fromEntries(new FormData(form))];
  if ([...Object.keys(FIGURES), "product", "compare", "page"].some((name) => given.has(name))) return;
  const [shown, query] = [changedQuery(defaults, given, {}), changedQuery(defaults, given, searchFigures())];
  if (query !== shown && changedQuery(defaults, given, typed) === shown) navigate({ search: query }, IN_PLACE);
}

/** Take the visitor's figures, which were cleared, out of the search; return the typed ones. */
export function dropFigures(navigate) {
  const [form, given] = [searchForm(), new URLSearchParams(window.location.search)];
  const names = Object.keys(own).filter((name) => given.get(name) === own[name]);
  const usual = Object.fromEntries(names.map((name) => [name, defaultsOf(form)[name]]));
  if (names.length) navigate({ search: changedQuery(defaultsOf(form), given, usual) }, IN_PLACE);
  form.dataset.search = "again";
  return fillForm(window.location.search);
}

/** Return whether the fields show the visitor's figures. */
export function usesFigures(typed) {
  own = searchFigures();
  return Object.entries(own).some(([name, figure]) => plain(name, typed[name]) === figure);
}

/** Go to the page's search with some parameters changed. */
export function changeSearch(navigate, changes) {
  goTo(navigate, changedQuery(defaultsOf(searchForm()), window.location.search, changes));
}

/** Return the texts of the three number boxes. */
export function typedFigures() {
  const text = (name) => searchForm().elements.namedItem(name).value;
  return { price: text("price"), amount: text("amount"), term: text("term") };
}

/** Return the same texts while a field is typed in: its amount is read as if its last group of digits were whole. */
export function figuresWhileTyping({ name, value }) {
  const whole = withWholeGroup(value);
  return { ...typedFigures(), ...(MONEY.includes(name) && wholePounds(whole) !== null && { [name]: whole }) };
}
