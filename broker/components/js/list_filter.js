/** Hide the entries of a list that lack what is typed or chosen in a form, the groups left empty, and their links. */
export function filterEntries(formId, listId) {
  const form = document.getElementById(formId);
  const list = document.getElementById(listId);
  const wanted = [...new FormData(form).values()].flatMap((value) => value.toLowerCase().split(/\s+/)).filter(Boolean);
  const entries = [...list.querySelectorAll("[data-words]")];
  for (const entry of entries) {
    const words = ` ${entry.dataset.words} ${entry.dataset.name ?? entry.textContent}`.toLowerCase();
    entry.hidden = !wanted.every((word) => words.includes(` ${word}`));
  }
  for (const group of list.querySelectorAll("section")) {
    group.hidden = !group.querySelector("[data-words]:not([hidden])");
    const link = document.querySelector(`a[href="#${group.id}"]`);
    if (link) link.hidden = group.hidden;
  }
  const shown = entries.filter((entry) => entry.checkVisibility()).length;
  form.querySelector("[role=status]").textContent = `${shown} of ${entries.length} shown`;
}

/** Count the entries again once a change of the page, such as another category, is drawn. */
export function filterSoon(formId, listId) {
  setTimeout(() => filterEntries(formId, listId));
}
