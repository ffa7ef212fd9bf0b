/** The session of staff: typing and clicks count as use, and its end is announced. */

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
