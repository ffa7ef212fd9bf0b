/** What the edge answered the address of this document with, which the first render starts from: it equals the HTML. */

const element = globalThis.document?.getElementById("edge-answer");
const answer = element && {
  ...JSON.parse(element.textContent),
  path: window.location.pathname,
  query: window.location.search,
  title: document.title,
};

/** Return the edge's answer to a query string of this path; null for any but that of the document's own address. */
export const edgeAnswer = (query) =>
  answer && answer.query === query && answer.path === window.location.pathname ? answer : null;

const answerHere = () => answer && edgeAnswer(window.location.search);

/** Return the texts that the fields of a form start with: those of the edge, or the usual ones. */
export const startingFields = (usual) => answerHere()?.form ?? usual;

/** Set the starting texts of some fields under `key`, unless there are some from a page before. */
export function startTyped(places, key, usual) {
  const fields = startingFields(usual);
  places[key] ??= Object.fromEntries(Object.keys(usual).map((name) => [name, fields[name]]));
}

/** Return the value of a parameter that a control starts with: that of the address where the edge answered it. */
export const startingParameter = (name) =>
  (answerHere() && new URLSearchParams(window.location.search).get(name)) ?? "";
