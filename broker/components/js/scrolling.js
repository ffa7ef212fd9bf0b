/** Call a function once, when an element comes within one screen height of the viewport. */
export function whenNear(id, callback) {
  const observe = (entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    callback();
  };
  new IntersectionObserver(observe, { rootMargin: "100% 0%" }).observe(document.getElementById(id));
}
