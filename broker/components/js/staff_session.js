/** The session of staff: typing and clicks count as use, its end is announced, and an unsent note outlives it. */

const KEY = "staff_note";
const TOUCH_MS = 60_000;
const LOOK_MS = 15_000;

let isWatched = false;

/** Count use of the page as use of the session, and show the element `id` after so many minutes without any. */
export function watchSession(address, id, minutes) {
  if (isWatched) return;
  isWatched = true;
  let [used, touched] = [Date.now(), Date.now()];
  const show = () => {
    const warning = document.getElementById(id);
    if (warning) warning.hidden = Date.now() - used < minutes * 60_000;
  };
  const use = () => {
    used = Date.now();
    show();
    if (used - touched < TOUCH_MS) return;
    touched = used;
    fetch(address, { method: "HEAD", cache: "no-store", redirect: "manual" }).catch(() => { touched = 0; });
  };
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, use);
  setInterval(show, LOOK_MS);
}

/** Keep a note that is being written in the tab's session storage, until the browser closes it or staff sign out. */
export function keepNote(stamp, text) {
  if (text) sessionStorage.setItem(KEY, JSON.stringify({ stamp, text }));
  else sessionStorage.removeItem(KEY);
  return { stamp, text };
}

/** Start the browser variable `key` with the note that the tab kept, before its first render. */
export function startNote(places, key) {
  const kept = globalThis.sessionStorage?.getItem(KEY);
  if (kept) places[key] ??= JSON.parse(kept);
}
