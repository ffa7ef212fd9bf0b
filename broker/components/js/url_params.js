const currentParameters = () => new URLSearchParams(window.location.search);

/** Add a parameter to the address as a step of the history; one that is there already adds no second step. */
export function putParameter(navigate, name, value) {
  const parameters = currentParameters();
  const options = parameters.get(name) === value
    ? { replace: true, preventScrollReset: true, state: window.history.state?.usr }
    : { preventScrollReset: true, state: { put: true } };
  parameters.set(name, value);
  navigate({ search: String(parameters) }, options);
}

/**
 * Take a parameter out of the address: back to before `putParameter`, or in place where the visitor came by a link.
 *
 * Going back takes a moment, in which a second call does nothing; nor does the second click of a double click.
 */
export function dropParameter(navigate, name) {
  const parameters = currentParameters();
  if (window.event?.detail > 1 || !parameters.has(name)) return;
  if (!window.history.state?.usr?.put) {
    parameters.delete(name);
    navigate({ search: String(parameters) }, { replace: true, preventScrollReset: true });
    return;
  }
  const flags = document.documentElement.dataset;
  if (flags.back) return;
  flags.back = "1";
  window.addEventListener("popstate", () => delete flags.back, { once: true });
  navigate(-1);
}
