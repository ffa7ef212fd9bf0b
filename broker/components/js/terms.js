/** The glossary's entry of a term, in a popover beside the link to it. */

async function readPage(path) {
  const answer = await fetch(path);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Return a popover with the parts of an entry, which has the name of its heading. */
function noteOf(entry) {
  const note = document.createElement("div");
  const attributes = { popover: "", class: "term-note", tabindex: -1, role: "dialog" };
  for (const [name, value] of Object.entries(attributes)) note.setAttribute(name, value);
  note.setAttribute("aria-label", entry.querySelector("h3").textContent);
  note.append(...entry.children);
  // The Escape key closes the popover, and not the dialog of a deal around it.
  note.addEventListener("keydown", (event) => { if (event.key === "Escape") event.stopPropagation(); });
  // It would cover what has the focus after it.
  note.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !note.contains(relatedTarget) && note.matches(":popover-open")) note.hidePopover();
  });
  return note;
}

/**
 * Have links of terms open their entry, which takes the focus; the Escape key, a press and a focus elsewhere close it.
 *
 * The link is followed in a browser without popovers, and where the glossary does not arrive. Returns what ends it.
 */
export function openTerms() {
  if (!HTMLElement.prototype.showPopover) return undefined;
  let note, shown, pressed, glossary;
  // A press closes an open popover before its click comes: a second press of its link then leaves it closed.
  const press = () => { pressed = note?.matches(":popover-open") ? shown : null; };
  const open = async (event) => {
    const link = event.target.closest?.("a.term");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const isOpen = link === pressed;
    pressed = null;
    if (isOpen) return;
    try {
      glossary ??= await readPage(link.pathname);
      const entry = glossary.getElementById(link.hash.slice(1)).cloneNode(true);
      note?.remove();
      note = noteOf(entry);
      shown = link;
      (link.closest("[role=dialog]") ?? document.body).append(note);
      link.focus({ preventScroll: true });
      note.showPopover({ source: link });
      note.focus({ preventScroll: true });
    } catch {
      location.assign(link.href);
    }
  };
  const listeners = Object.entries({ pointerdown: press, click: open });
  for (const [type, listener] of listeners) addEventListener(type, listener, { capture: true });
  return () => {
    note?.remove();
    for (const [type, listener] of listeners) removeEventListener(type, listener, { capture: true });
  };
}
