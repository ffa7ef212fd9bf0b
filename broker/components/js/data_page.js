/** Pages of data: the one that the edge wrote into this document, and those that links inside the site lead to. */

/** Time after which a page that could not be read is asked for once more (specification 9). */
const RETRY_MS = 5000;

const MAX_PAGES = 20;

const LOADING = { status: "loading" };

/** What there is of each page, by its path; the page that was opened last comes last. */
const found = new Map();
const listeners = new Set();

function keep(path, answer) {
  found.delete(path);
  found.set(path, answer);
  if (found.size > MAX_PAGES) found.delete(found.keys().next().value);
  const hadFocus = document.activeElement?.matches("main h1");
  listeners.forEach((listener) => listener());
  // the heading of a page on its way, which a link gave the focus to, makes room for that of the page
  if (hadFocus) setTimeout(() => document.querySelector("main h1")?.focus({ preventScroll: true }));
}

const element = typeof document === "undefined" ? null : document.getElementById("edge-answer");
const page = element && JSON.parse(element.textContent).page;
/** The path of the page that this document holds, until it was opened. */
let served = page && location.pathname;
// a long text is in the document already: it is not written a second time as JSON
const text = page && document.querySelector("[data-page-html]");
if (text) page.html = text.innerHTML;
if (page) keep(served, { status: "loaded", page });

/** Call `listener` with each change, until what this returns is called. */
export function subscribeToPages(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Return what there is of the page at a path: its status, and the page, or the problem. */
export function pageAt(path) {
  return found.get(path) ?? LOADING;
}

/**
 * Fetch a page of the `shape` that this document's scripts draw, for the figures of the address; on one of another
 * release, reload the document.
 */
async function read(path, shape) {
  const figures = (location.search ?? "").replace("?", "&");
  const answer = await fetch(`${path}page.json?shape=${shape}${figures}`).catch(() => {
    throw new Error("The connection failed");  // in our words, not the browser's
  });
  if (answer.status === 404 || answer.status === 410) return { status: "missing" };
  if (answer.status === 409) return location.reload();
  if (!answer.ok) throw new Error("The server could not answer");
  return { status: "loaded", page: await answer.json() };
}

/** Read the page at a path, after a failure once more; one that the document has is not asked for. */
export function openPage(path, shape) {
  if (path === served) return void (served = "");
  let [timer, isLeft] = [undefined, false];
  const attempt = async (isFirst) => {
    try {
      const answer = await read(path, shape);
      if (answer) keep(path, answer);
    } catch (error) {
      if (pageAt(path).status !== "loaded") keep(path, { status: "failed", problem: error.message ?? "", again: isFirst });
      if (isFirst && !isLeft) timer = setTimeout(attempt, RETRY_MS, false);
    }
  };
  attempt(true);
  return () => {
    isLeft = true;
    clearTimeout(timer);
  };
}
