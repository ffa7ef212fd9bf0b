/** Read out the month of a chart that its slider is at: in words, from the chart's table, and as a line in the chart. */
export function readMonth(slider) {
  const figure = slider.closest("figure");
  const table = figure.parentElement.querySelector("table");
  const texts = (row) => [...row.cells].map((cell) => cell.textContent);
  const row = table.tBodies[0].rows[slider.value];
  const [month, ...rates] = texts(row);
  const heads = texts(table.tHead.rows[0]).slice(1);
  const known = rates.flatMap((rate, place) => (rate === "–" ? [] : `${heads[place]} ${rate}`));
  const words = `${month}: ${known.join(", ")}`;
  slider.setAttribute("aria-valuetext", words);
  figure.querySelector("p").textContent = words;
  const cursor = figure.querySelector(".hist-cursor");
  cursor.hidden = false;
  cursor.style.left = row.dataset.left;
}
