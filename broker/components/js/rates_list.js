/**
 * Where the focus goes in the list of a rates page once the server has answered.
 *
 * The region of the list says in `data-answered` which address it answers; each card has its product's id.
 */

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

/** Close a form that a small screen opened, and bring the heading of the list into view once it answers the search. */
export function showList(form, query) {
  const opener = form.parentElement.querySelector("details[open]");
  if (!opener?.checkVisibility()) return;
  opener.open = false;
  const address = window.location.pathname + (query && `?${query}`);
  whenListed((list) => list.dataset.answered === address && list.querySelector("h2"), (heading) => {
    heading.scrollIntoView({ block: "start" });
    heading.focus({ preventScroll: true });
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
