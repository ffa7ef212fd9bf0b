/** The desk of staff: its theme, and single keys that press, focus and move. */

const THEME = "desk_theme";
const KEYS = "desk_keys";
const YEAR_S = 31_536_000;
const DIALOGS = "dialog, [role=dialog], [role=menu]";
const FIELDS = `textarea, select, [contenteditable], ${DIALOGS}, input:not([type=file], [type=checkbox], [type=radio])`;

let isWatched = false;
let focusedPanel = {};

const keysWork = () => !document.cookie.includes(`${KEYS}=off`);

/** Keep a choice on this device in a cookie: every page of the site empties the local storage. */
function keep(name, value, seconds = YEAR_S) {
  document.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=lax`;
}

/** Post both choices to the account, whose other devices have them at the next sign-in. */
function keepWithAccount(address) {
  const [, theme = ""] = /desk_theme=(light|dark)/.exec(document.cookie) ?? [];
  const body = new URLSearchParams({ theme, keys: keysWork() ? "on" : "" });
  fetch(address, { method: "POST", body, redirect: "manual" }).catch(() => {});
}

/** Turn light to dark or dark to light, and remember it on this device and at the account's address. */
export function turnTheme(address) {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
  keep(THEME, dataset.theme);
  keepWithAccount(address);
}

/** Open the dialog `id` of all keys. */
export function showKeys(id) {
  const dialog = document.getElementById(id);
  dialog.querySelector("input").checked = keysWork();
  dialog.showModal();
}

/** Switch single keys on or off, on this device and at the account's address. */
export function switchKeys(box, address) {
  keep(KEYS, "off", box.checked ? 0 : YEAR_S);
  keepWithAccount(address);
}

/** Give the focus to a panel as it appears, and to what opened it in its row again as it goes with the focus in it. */
export function focusPanel(panel) {
  if (panel) {
    const opener = document.querySelector("[data-row][aria-current=true] th :is(a, button)");
    focusedPanel = { panel, opener };
    panel.focus();
    return;
  }
  const { activeElement, body } = document;
  if (activeElement === body || focusedPanel.panel?.contains(activeElement)) focusedPanel.opener?.focus();
}

/** Scroll no further than it takes to show all that a disclosure opened. */
export function showOpened(details) {
  if (details.open) details.lastElementChild.scrollIntoView({ block: "nearest" });
}

/** Give the focus to a search field, in the box that holds it on a small screen. */
export function showSearch(id) {
  const field = document.getElementById(id);
  if (!field.checkVisibility()) field.form.showPopover();
  field.select();
}

/** Do so as the field's label appears, where the address asks for it, as links of pages without this field do. */
export function showSearchOfAddress(label) {
  const id = label?.control.id;
  if (id && location.hash === `#${id}`) showSearch(id);
}

/** Press a button once neither the pointer nor the focus is in its list, so that no row moves under them. */
export function pressWhenAway(button) {
  const list = button?.closest(".case-list");
  const look = () => {
    if (!button.isConnected) return;
    if (list.matches(":hover, :focus-within")) setTimeout(look, 250);
    else button.click();
  };
  if (list) look();
}

/** Return the element of a key: in the row that has the focus, else the last outside all rows, the page's own. */
function elementOf(key) {
  const row = document.activeElement?.closest("[data-row]");
  const named = [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)];
  return named.find((each) => row?.contains(each)) ?? named.findLast((each) => !each.closest("[data-row]"));
}

function move(step) {
  const rows = [...document.querySelectorAll("[data-row]")];
  const held = rows.findIndex((row) => row.contains(document.activeElement));
  const place = held < 0 ? rows.findIndex((row) => row.matches("[aria-current=true]")) : held;
  const next = rows[place < 0 ? 0 : place + step];
  const named = next?.querySelector("th :is(a[href], button)"); // before a tick box
  (named ?? next?.querySelector("a[href], button, input"))?.focus();
}

function press(element) {
  if (element?.form?.popover && !element.checkVisibility()) showSearch(element.id);
  else if (element?.matches(FIELDS)) element.focus();
  else element?.click();
  if (element?.type === "search") element.select(); // what is typed next is another search
  const opened = element?.matches("summary") ? element.parentElement : element?.popoverTargetElement;
  if (opened?.matches("[open], :popover-open")) opened.querySelector("input:not([type=hidden]), select")?.focus();
  return Boolean(element);
}

/** Have single keys work while no field has the focus; `id` is the dialog of all keys. */
export function watchKeys(id) {
  if (isWatched) return;
  isWatched = true;
  let isGoing = false;
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey && key === "Enter" && target.matches?.("textarea")) target.form?.requestSubmit();
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (target.closest?.(FIELDS)) {
      if (key !== "Escape" || target.closest(DIALOGS) || !target.matches("input, textarea, select")) return;
      event.preventDefault(); // which empties a search
      target.blur();
      return;
    }
    if (key === "Escape" && document.querySelector(":popover-open")) return; // closes that alone
    if (!keysWork() && key !== "?") return;
    const [goes] = [isGoing, (isGoing = key === "g" && !isGoing)];
    if (isGoing) return;
    const step = { j: 1, k: -1 }[key];
    const isDone = goes
      ? press(document.querySelector(`[data-go="${CSS.escape(key)}"]`))
      : (step && (move(step), true)) || (key === "?" && (showKeys(id), true)) || press(elementOf(key));
    if (isDone) event.preventDefault();
  });
}

/** Set a parameter of the address as a step of the history, without a scroll of the page. */
export function setParameter(navigate, name, value) {
  const parameters = new URLSearchParams(window.location.search);
  parameters.set(name, value);
  navigate({ search: String(parameters) }, { preventScrollReset: true });
}
