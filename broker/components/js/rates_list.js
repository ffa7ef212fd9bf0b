/**
 * Where the focus goes in the list of a rates page once the server has answered, and as a comparison or its bar closes.
 *
 * The region of the list says in `data-answered` which address it answers; each card has its product's id.
 */

import { putParameter } from "./url_params.js";

const LIST = "deals";
const MAX_WAIT_MS = 20_000;

const cardsOf = (place) => [...place.querySelectorAll("[data-product]")];

/** Call `then` with what `find` finds in the list, now or once that changes; give up after some time. */
function whenListed(find, then) {
  const list = document.getElementById(LIST);
  const look = () => {
    const found = find(list);
    if (!found) return false;
    observer.disconnect();
    then(found);
    return true;
  };
  const observer = new MutationObserver(look);
  if (look()) return;
  observer.observe(list, { attributes: true, childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), MAX_WAIT_MS);
}

/** Move the view and the focus to a heading. */
function show(heading) {
  heading.scrollIntoView({ block: "start" });
  heading.focus({ preventScroll: true });
}

/** Close the form, and bring the heading of the list into view once it answers the search. */
export function showList(form, query) {
  const opener = form.parentElement.querySelector("details[open]");
  if (!opener) return;
  opener.open = false;
  const address = window.location.pathname + (query && `?${query}`);
  whenListed((list) => list.dataset.answered === address && list.querySelector(".list-bar h2"), show);
}

const nameOf = (filter) => [...filter.childNodes].find((each) => each.textContent.trim()).textContent.trim();

/** Give the focus back to a filter that was pressed, which is hidden until the list answers it. */
export function keepFocus(filter) {
  const [address, name] = [filter.pathname + filter.search, nameOf(filter)];
  const filters = (list) => [...list.querySelectorAll(".filters a")];
  whenListed((list) => list.dataset.answered === address && filters(list).find((each) => nameOf(each) === name), (found) => {
    if (document.activeElement === document.body) found.focus({ preventScroll: true });
  });
}

/** Focus the first new deal of a list that is about to get more. */
export function focusNewDeal() {
  const last = cardsOf(document).at(-1).dataset.product;
  whenListed((list) => {
    const cards = cardsOf(list);
    return cards[cards.findIndex((card) => card.dataset.product === last) + 1];
  }, (card) => {
    card.tabIndex = -1;
    card.focus();
  });
}

/** The deal picked last, where a button asked for the comparison that comes next; one of a link leaves the focus alone. */
let asked = "";

/** Focus the card of a product, or the heading of the list without it. */
function focusCard(id, options) {
  const card = cardsOf(document).find((each) => each.dataset.product === id);
  (card?.querySelector("input") ?? document.getElementById(LIST).querySelector(".list-bar h2")).focus(options);
}

/** Focus the deal picked last, as the bar with the button that clears all goes; a press by mouse does not scroll. */
export const leaveBar = (ids) => focusCard(ids.at(-1), { preventScroll: window.event?.detail > 0 });

/** Go to the comparison of some products. */
export function compare(navigate, ids) {
  asked = ids.at(-1);
  putParameter(navigate, "compare", ids.join(","));
}

/**
 * Show a comparison that a button asked for; return what gives the focus back once it is closed.
 *
 * The focus goes to the card that was selected last, or to the heading of the list; the router restores the place.
 */
export function openComparison() {
  const last = asked;
  if (last) show(document.getElementById("side-by-side"));
  asked = "";
  const { pathname } = window.location;
  return () => {
    const isLost = !document.activeElement || document.activeElement === document.body;
    if (window.location.pathname !== pathname || !isLost) return;
    focusCard(last, { preventScroll: true });
  };
}
