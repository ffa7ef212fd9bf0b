/** Scroll a row of slides by its visible width; at once for visitors who prefer less motion. */
export function scrollRow(id, isForward) {
  const row = document.getElementById(id);
  const isReduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  row.scrollBy({ left: isForward ? row.clientWidth : -row.clientWidth, behavior: isReduced ? "auto" : "smooth" });
}

/** Call a function once, when an element comes within one screen height of the viewport. */
export function whenNear(id, callback) {
  const observe = (entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    callback();
  };
  new IntersectionObserver(observe, { rootMargin: "100% 0%" }).observe(document.getElementById(id));
}
