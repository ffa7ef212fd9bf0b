/** Passkeys on pages without React: what the browser's authenticator answers goes into the form's field `answer`. */

const NO_PASSKEY = "No passkey was used. Try again, or use your password";
const NOT_REACHED = "We could not be reached, so nothing was done. Try again in a minute";

/** Ask the server for options, the authenticator for its answer, and send the form with it. */
async function answer(form, { adds, asks }) {
  const status = form.querySelector("[aria-live]");
  const { elements } = form;
  status.textContent = "";
  let options;
  try {
    const asked = await fetch(form.hasAttribute(adds) ? form.getAttribute(adds) : form.getAttribute(asks), {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
    });
    options = await asked.json();
  } catch {
    status.textContent = NOT_REACHED;
    return;
  }
  if (options.problem) {
    status.textContent = options.problem;
    return;
  }
  try {
    const publicKey = globalThis.PublicKeyCredential;
    const credential = form.hasAttribute(adds)
      ? await navigator.credentials.create({ publicKey: publicKey.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: publicKey.parseRequestOptionsFromJSON(options) });
    elements.answer.value = JSON.stringify(credential.toJSON());
    if (elements.password) elements.password.value = "";
    form.submit();
  } catch {
    status.textContent = NO_PASSKEY;
  }
}

/** Show the forms of passkeys, whose attribute `asks` or `adds` is where their options come from, where they work. */
export function watchPasskeys(names) {
  if (!globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) return;
  for (const form of document.querySelectorAll(`[${names.asks}], [${names.adds}]`)) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer(form, names);
    });
  }
}
