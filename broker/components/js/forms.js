import { followTimes } from "./call_times.js";

const SERVER_TIMEOUT_MS = 8000;

/** Fill a field of a form with the answer of an address, once; not in a form that has input already. */
export function fillOnce(form, name, address) {
  const field = form[name];
  const isUntouched = [...form.elements].every((each) => each.value === (each.defaultValue ?? each.value));
  if (field.dataset.asked || !isUntouched) return;
  field.dataset.asked = "yes";
  fetch(address)
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error("no token"))))
    .then((text) => { field.value = text; }, () => { delete field.dataset.asked; });
}

/** Remember what a form holds while the visitor looks at other pages; it lives as long as the document. */
export function rememberForm(action, form) {
  globalThis.formDrafts = { ...globalThis.formDrafts, [action]: new FormData(form) };
}

/** Put back what the form with this action held, or its part in `place` alone. */
export function restoreForm(action, place) {
  const draft = globalThis.formDrafts?.[action];
  if (!draft) return;
  for (const field of place?.querySelectorAll("input") ?? document.querySelector(`form[action="${action}"]`).elements) {
    const values = draft.getAll(field.name);
    if (/radio|checkbox/.test(field.type)) field.checked = values.includes(field.value);
    else if (values.length) field.value = values[0];
  }
}

let isFollowed = false;

/**
 * Fill the place of a form's free times that this document came without; where none come, the form does without.
 *
 * React does not see changes of the fields in it and beside it, so they are remembered from here.
 */
export async function fillTimes(id, address) {
  const place = document.getElementById(id);
  const form = place?.closest("form");
  if (!form) return;
  const action = form.getAttribute("action");
  place.parentElement.addEventListener("change", () => rememberForm(action, form));
  if (!isFollowed) followTimes({ address });
  isFollowed = true;
  if (place.childElementCount) return;
  const query = location.search.replace("?", "&");
  const answer = await fetch(`${address}?page=${location.pathname}${query}`).catch(() => {});
  if (!answer?.ok || !place.isConnected) return;
  place.innerHTML = await answer.text();
  restoreForm(action, place); // the other fields hold what is newer than the draft, such as the token
}

/** The posted codes in their order, and the newest code. */
let exchanging = Promise.resolve();
let lastCode = "";

/**
 * Post a code for a cookie, once, unless it is empty; where nothing answers, after one second, two and four again.
 *
 * Once the cookie is set (204), `onChecked` receives whether the browser sends it.
 */
export function exchangeCode(address, field, code, onChecked) {
  if (!code || code === lastCode) return exchanging;
  lastCode = code;
  const post = (seconds) =>
    fetch(address, { method: "POST", body: new URLSearchParams({ [field]: code }), keepalive: true }).catch(
      () => seconds < 8 && new Promise((then) => setTimeout(then, seconds * 1000)).then(() => post(seconds * 2)),
    );
  const check = (answer) =>
    answer.status === 204 && fetch(address, { cache: "no-store" }).then(({ ok }) => onChecked(ok), () => {});
  return (exchanging = exchanging.then(() => post(1)).then(check));
}

/** Load another document, unless the address is empty, once every code has been posted: it comes with the cookie. */
export function loadAfter(exchanged, address, isReplaced) {
  return address ? exchanged.then(() => location[isReplaced ? "replace" : "assign"](address)) : exchanged;
}

/** Forget what every form held. */
export function forgetForms() {
  globalThis.formDrafts = {};
}

/** Copy what a field holds; where the browser refuses, select it for the visitor to copy. */
export async function copyField(id, onCopied, onRefused) {
  const field = document.getElementById(id);
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.focus();
    field.select();
    return onRefused();
  }
  return onCopied();
}

/** Post a form as without scripts, once the server answers at `address`: otherwise the browser would lose the page. */
export const postIfReached = (form, address, onUnreached) =>
  fetch(address, { cache: "no-store", signal: AbortSignal.timeout(SERVER_TIMEOUT_MS) })
    .then((answer) => answer.ok, () => false)
    .then((isReached) => (isReached ? form.submit() : onUnreached?.()));

/** Handle the submit event of a form: post it, or show and focus the element `id` where the server is away. */
export function submitIfReached(event, address, id) {
  const message = document.getElementById(id);
  event.preventDefault();
  message.hidden = true;
  return postIfReached(event.currentTarget, address, () => {
    message.hidden = false;
    message.focus();
  });
}

/** Give the document another title, unless there is none; return how to undo that. */
export function setTitle(title) {
  if (!title) return undefined;
  const usual = document.title;
  document.title = title;
  return () => {
    if (document.title === title) document.title = usual;
  };
}
