/**
 * What the edge answered the address of this document with: the title, the fields and the list of a search, which the
 * first render starts from, so that it equals the HTML.
 */

const element = typeof document === "undefined" ? null : document.getElementById("edge-answer");
const answer = element && {
  ...JSON.parse(element.textContent),
  path: window.location.pathname,
  query: window.location.search,
  title: document.title,
};

/** Return the edge's answer to a query string of this path; null for any but that of the document's own address. */
export function edgeAnswer(query) {
  return answer && answer.query === query && answer.path === window.location.pathname ? answer : null;
}

/** Return the texts that the fields of a form start with: those of the edge, or the usual ones. */
export function startingFields(usual) {
  return edgeAnswer(typeof window === "undefined" ? "" : window.location.search)?.form ?? usual;
}

/** Put the starting texts of some fields in their place under `key`, unless there are some from a page before. */
export function startTyped(places, key, usual) {
  const fields = startingFields(usual);
  if (!(key in places)) places[key] = Object.fromEntries(Object.keys(usual).map((name) => [name, fields[name]]));
}

/** Return the value of a parameter that a control starts with: that of the address where the edge answered it. */
export function startingParameter(name) {
  if (typeof window === "undefined" || !edgeAnswer(window.location.search)) return "";
  return new URLSearchParams(window.location.search).get(name) ?? "";
}

/** Give the document the title of the edge's answer, since React writes that of the page; return how to undo it. */
export function keepTitle(found) {
  if (!found) return undefined;
  const usual = document.title;
  document.title = found.title;
  return () => {
    if (document.title === found.title) document.title = usual;
  };
}
