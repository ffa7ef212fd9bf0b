const PAUSE_MS = 4000;

/** Load a module when the browser is idle; its promise is not awaited. */
export function loadWhenIdle(load) {
  (self.requestIdleCallback ?? setTimeout)(() => load().catch(() => {}));
}

/**
 * Reload the page where a module that is shown did not come, since a browser asks for a module only once: when the
 * server answers, and not twice. Return what stops that.
 */
export function reloadUnlessLoaded(load, isShown) {
  let isWaiting = isShown;
  const reload = () =>
    isWaiting &&
    fetch(location.href, { cache: "no-store" }).then(
      () => isWaiting && location.reload(),
      () => setTimeout(reload, PAUSE_MS),
    );
  const isReloaded = () => performance.getEntriesByType("navigation")[0]?.type === "reload";
  if (isShown) load().catch(() => isReloaded() || reload());
  return () => { isWaiting = false; };
}
