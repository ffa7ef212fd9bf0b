/** The free times of a form: others, of a length, a medium or later days, replace them in place. */

/** Choose the time of a start again among other times of a form and open its day, or else what the form began with. */
function chooseAgain(form, times, { name, value }) {
  const fields = [...form.querySelectorAll("[type=radio]")].filter((each) => each.name === name);
  const isSame = (each) => times.contains(each) && each.value.split("-")[0] === value.split("-")[0];
  const again = fields.find(isSame) ?? fields.find((each) => each.defaultChecked);
  if (!again) return;
  again.checked = true;
  const day = again.closest("details");
  if (day) day.open = true;
}

let latest = 0;

/** Show the times that a link leads to in place, so that what was typed stays; where they do not come, follow it. */
async function showTimes(link, address) {
  const [times, form] = [link.closest(".times").parentElement, link.closest("form")];
  const turn = ++latest;
  const place = [...times.querySelectorAll("a")].indexOf(link);
  let html = "";
  try {
    const answer = await fetch(`${address}${link.search}&page=${link.pathname}`);
    if (!answer.ok) throw new Error("no times");
    html = await answer.text();
  } catch {
    if (turn === latest) location.assign(link.href);
    return;
  }
  if (turn !== latest) return; // another link was followed meanwhile
  const chosen = times.querySelector(":checked"); // a time may have been chosen meanwhile
  times.innerHTML = html;
  if (chosen) chooseAgain(form, times, chosen);
  const next = link.closest(".times-kind") ? times.querySelectorAll("a")[place] : times.querySelector("summary");
  next?.focus();
}

/** Have the links to other times show them in place; `address` is that of the times alone. */
export function followTimes({ address }) {
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-times]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showTimes(link, address);
  });
}
