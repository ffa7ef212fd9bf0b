import { copyText } from "./clipboard.js";

const linkTo = (address) => new URL(address || window.location.href, window.location.href).href;

/** Copy a link and say so in the status beside the button; where the browser refuses, the status has the link. */
export function copyLink(button, address) {
  const status = button.parentElement.querySelector("[role=status]");
  const link = linkTo(address);
  status.textContent = "";
  return copyText(link).then(
    () => { status.textContent = "Link copied"; },
    () => { status.textContent = `Copy this link: ${link}`; },
  );
}

/** Open the system's own dialog for sharing a link under the page's title; a visitor who closes it has not shared. */
export function shareLink(address) {
  return navigator.share({ title: document.title, url: linkTo(address) }).catch(() => {});
}
