/** Forgets the visitor's figures, on every page: those with fields that take some have `figures.js` too. */

/** Forget every figure, have each form on the page put its usual ones back, and tell that it is done. */
export function clearFigures(button) {
  try {
    sessionStorage.removeItem("figures");
  } catch {
    // Storage is off in this browser: nothing was kept.
  }
  const status = button.parentElement.querySelector("[role=status]");
  if (status) status.textContent = "Cleared";
  else document.querySelector("h1").focus({ preventScroll: true });
  dispatchEvent(new Event("figures-cleared"));
}
