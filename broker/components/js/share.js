const linkTo = (address) => new URL(address || window.location.href, window.location.href).href;

/** Copy a link and say so in the status beside the button; where the browser refuses, the status has the link. */
export async function copyLink(button, address) {
  const status = button.parentElement.querySelector("[role=status]");
  const link = linkTo(address);
  status.textContent = "";
  try {
    await navigator.clipboard.writeText(link);
    status.textContent = "Link copied";
  } catch {
    status.textContent = `Copy this link: ${link}`;
  }
}

/** Open the system's own dialog for sharing a link under the page's title; a visitor who closes it has not shared. */
export const shareLink = (address) => navigator.share({ title: document.title, url: linkTo(address) }).catch(() => {});

/** Post what was typed into the form that a link leads to, and the result in the address: another document lacks it. */
export function takeDraft(event, result, attach) {
  const link = event.currentTarget;
  const draft = globalThis.formDrafts?.[link.pathname];
  if (!draft || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const query = new URLSearchParams(link.search);
  const path = query.get(result);
  query.delete(result);
  draft.set(result, `${path}?${query}`);
  draft.set(attach, "yes");
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: link.pathname + link.hash });
  for (const [name, value] of draft) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
}
