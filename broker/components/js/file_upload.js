/**
 * Send the one file of a change, drop or paste event to the place (`data-to`) that it came to.
 *
 * `onStart(lender, name)` is called before, `onEnd(lender, name, problem, text)` after, with the text of the answer.
 */
export function sendFile(event, onStart, onEnd) {
  const source = event.dataTransfer ?? event.clipboardData ?? event.target;
  const files = [...(source.files ?? [])];
  const place = event.target.closest("[data-to]");
  if (event.type === "change" ? !files.length : event.type === "paste" && !place) return;
  event.preventDefault();
  if (event.type === "change") event.target.value = "";
  place?.removeAttribute("data-over");
  const { to, most, lender = "", number = "" } = place?.dataset ?? {};
  const [file] = files;
  const end = (problem, text = "") => onEnd(lender, file?.name ?? "", problem, text);
  if (!place) return end("nowhere");
  if (files.length !== 1) return end(file ? "several" : "nothing");
  if (file.size > Number(most)) return end("too-large");
  const form = new FormData();
  Object.entries({ lender, number, file }).forEach(([name, value]) => form.append(name, value));
  onStart(lender, file.name);
  return fetch(to, { method: "POST", body: form })
    .then(async (answer) => [answer.ok ? "" : "refused", await answer.text()])
    .catch(() => ["lost", ""])
    .then((result) => end(...result));
}

/** Let files be dropped and mark the place that they would go to; otherwise the browser would open the file. */
export function markDropPlace(event) {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  event.target.closest("[data-to]")?.toggleAttribute("data-over", event.type === "dragover");
}
