/**
 * Send the files of a change, drop or paste event, one after the other, to the place (`data-to`) that they came to.
 *
 * `onStart(lender, name)` is called before each, `onEnd(lender, name, problem, text)` after, with the text of the answer.
 */
export async function sendFiles(event, onStart, onEnd) {
  const source = event.dataTransfer ?? event.clipboardData ?? event.target;
  const files = [...(source.files ?? [])];
  const place = event.target.closest("[data-to]");
  if (event.type === "change" ? !files.length : event.type === "paste" && !place?.dataset.lender) return;
  event.preventDefault();
  if (event.type === "change") event.target.value = "";
  place?.removeAttribute("data-over");
  await sendTo(place, files, onStart, onEnd);
}

async function sendTo(place, files, onStart, onEnd) {
  const { to, most, lender = "", number = "" } = place?.dataset ?? {};
  const end = (file, problem, text = "") => onEnd(lender, file?.name ?? "", problem, text);
  if (!place) return end(files[0], "nowhere");
  if (!files.length) return end(undefined, "nothing");
  if (lender && files.length > 1) return end(files[0], "several");
  for (const file of files) await sendOne(file, { to, most, lender, number }, onStart, (...result) => end(file, ...result));
}

async function sendOne(file, { to, most, lender, number }, onStart, end) {
  if (file.size > Number(most)) return end("too-large");
  const form = new FormData();
  Object.entries({ lender, number, file }).forEach(([name, value]) => form.append(name, value));
  onStart(lender, file.name);
  const result = await fetch(to, { method: "POST", body: form })
    .then(async (answer) => [answer.ok ? "" : "refused", await answer.text()])
    .catch(() => ["lost", ""]);
  return end(...result);
}

let paste = () => {};
let isWatched = false;

/** Send a picture that is pasted outside any place to the one of the chosen lender (`data-paste`). */
export function watchPaste(onStart, onEnd) {
  paste = (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length || event.defaultPrevented || !document.querySelector("[data-takes-files]")) return;
    event.preventDefault();
    return sendTo(document.querySelector("[data-paste]"), files, onStart, onEnd);
  };
  if (!isWatched) document.addEventListener("paste", (event) => paste(event));
  isWatched = true;
}

/** Let files be dropped and mark the place that they would go to; otherwise the browser would open the file. */
export function markDropPlace(event) {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  event.target.closest("[data-to]")?.toggleAttribute("data-over", event.type === "dragover");
}
