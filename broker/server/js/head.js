/** Runs in the head of every exported page, before the first paint. */

const SAMPLE = "x".repeat(1000);

/** Return whether a store of the window takes entries; the local one is cleared first (decision 21). */
function isUsable(name) {
  try {
    if (name === "localStorage") window[name].clear();
    window[name].setItem(SAMPLE, SAMPLE);
    window[name].removeItem(SAMPLE);
    return true;
  } catch {
    return false;
  }
}

/** Return a store in memory, with the methods of Storage that our scripts and the libraries call. */
function memoryStorage() {
  const entries = new Map();
  return {
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => { entries.set(name, String(value)); },
    removeItem: (name) => { entries.delete(name); },
    clear: () => entries.clear(),
  };
}

/**
 * Replace each store that the browser refuses by one in memory: scripts then work until the page is left.
 *
 * Where that is the session's, the root element gets an `attribute`, for which the first page of a visit says so.
 */
function provideStorage(attribute) {
  const missing = ["localStorage", "sessionStorage"].filter((name) => !isUsable(name));
  for (const name of missing) Reflect.defineProperty(window, name, { value: memoryStorage(), configurable: true });
  const isFirst = !document.referrer.startsWith(`${location.origin}/`);
  if (missing.includes("sessionStorage") && isFirst) document.documentElement.setAttribute(attribute, "off");
}

/** Hide the cookie notice once it was closed; close it by setting the cookie here, without a request. */
function handleCookieNotice({ action, attribute, accepted, cookie }) {
  const hide = () => document.documentElement.setAttribute(attribute, accepted);
  if (document.cookie.split("; ").includes(cookie.split(";")[0])) hide();
  document.addEventListener("submit", (event) => {
    if (event.target.getAttribute("action") !== action) return;
    event.preventDefault();
    document.cookie = cookie + (location.protocol === "https:" ? "; Secure" : "");
    hide();
  }, true);
}

/** Send a form once, however often a button of it is pressed: the same button within two seconds is ignored. */
function ignoreRepeatedSubmit() {
  let [pressed, time] = [null, 0];
  addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    const button = event.submitter ?? event.target;
    if (button === pressed && event.timeStamp < time + 2000) event.preventDefault();
    else [pressed, time] = [button, event.timeStamp];
  });
}

/** Focus the heading of the page that a link led to, as soon as it replaces the old one; gives up after `attempts`. */
function focusNextHeading(path, heading, attempts) {
  setTimeout(() => {
    const current = document.querySelector("main h1");
    if (location.pathname !== path && current && current !== heading) current.focus({ preventScroll: true });
    else if (attempts) focusNextHeading(path, heading, attempts - 1);
  }, 50);
}

/** Remove the list of fades that the router stores as a page is left; nothing needs it (cookie policy). */
const forgetFades = () => sessionStorage.removeItem("remix-router-transitions");

/** Have the router fade from one page to another, not where only the query changes: links of Reflex cannot ask for it. */
function fadePages() {
  const router = window.__reactRouterDataRouter;
  if (!router || router.fades) return;
  const navigate = router.navigate;
  router.fades = true;
  addEventListener("pagehide", forgetFades);
  router.navigate = (to, options) => {
    const path = String(to?.pathname ?? to).split(/[?#]/)[0];
    return navigate(to, { ...options, viewTransition: path[0] === "/" && path !== location.pathname });
  };
}

/**
 * Return what to call with the address of a link that is followed: where its script does not come, its page is loaded.
 *
 * The router would load the page before again.
 */
function loadWhereScriptsFail() {
  let address;
  self.navigation?.addEventListener("navigate", (event) => {
    const followed = address;
    address = undefined;
    if (event.navigationType !== "reload" || event.userInitiated || !followed) return;
    event.preventDefault();
    location.assign(followed);
  });
  return (followed) => { address = followed; };
}

/** Follow clicks on links of this site: fade pages, focus headings, tell forms the page before. */
function followLinks(attribute) {
  let previous = document.referrer.split(location.origin)[1] || "";
  const expectPage = loadWhereScriptsFail();
  document.addEventListener("submit", (event) => {
    const field = event.target.came_from;
    if (field) field.value ||= previous;
  }, true);
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='/']:not(.term, [data-times])");
    if (!link) return;
    const path = location.pathname;
    if (link.pathname !== path) previous = path;
    expectPage(link.href);
    document.documentElement.setAttribute(attribute, "");
    fadePages();
    if (!link.hash) focusNextHeading(path, document.querySelector("main h1"), 100);
  }, true);
}

/** Have a link to a result take the query string of the page as it is pressed, once what waits is written there. */
function followResultLinks() {
  const follow = (event) => {
    const link = event.target.closest?.("a[data-result]");
    const own = link?.dataset.result;
    if (link) link.search = own ? own + location.search.replace("?", "&") : location.search;
  };
  for (const type of ["click", "mousedown"]) document.addEventListener(type, follow, true);
}

/** Close an open menu of the header by the Escape key, and give the focus back to what opened it. */
function closeMenusByEscape() {
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".top details[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

/** Mark the entry of a page's contents that is read: the last whose heading is near the window's top or above. */
function markContents() {
  let marked;
  addEventListener("scroll", () => {
    const links = [...document.querySelectorAll(".toc a")];
    if (links[0] === marked) return;
    marked = links[0];
    const headings = links.map((link) => document.getElementById(link.hash.slice(1)));
    const observer = new IntersectionObserver(() => {
      const last = headings.findLast((each) => each.getBoundingClientRect().y < innerHeight * .15);
      links.forEach((link, at) => { link.ariaCurrent = headings[at] === last ? "location" : null; });
    }, { rootMargin: "9999% 0% -85%" });
    headings.forEach((each) => observer.observe(each));
  });
}

/** Prepare the document: decisions 20, 21 and 25 of the specification. */
export function prepareDocument({ notice, moved, storage }) {
  provideStorage(storage);
  handleCookieNotice(notice);
  ignoreRepeatedSubmit();
  followLinks(moved);
  followResultLinks();
  // Open the question that the address names: not every browser does.
  addEventListener("load", () => document.querySelector("details:target")?.setAttribute("open", ""));
  closeMenusByEscape();
  markContents();
}
