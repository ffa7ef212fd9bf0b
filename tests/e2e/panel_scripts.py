"""What tests run inside a page to read a calculator, and to bring the whole of its table."""

READ = """section => {
    const text = selector => section.querySelector(selector)?.textContent ?? "";
    const all = (selector, found) => [...section.querySelectorAll(selector)].map(found);
    const words = element => element.textContent;
    return {
        label: text(".plate[role=status] .label"),
        figure: text(".plate[role=status] .big"),
        caption: text(".plate[role=status] .cap-2"),
        tiles: all(".duo p", words),
        steps: all(".how > ol > li", words),
        note: text(".calc-answer .note"),
        bars: all(".bars li", words),
        answers: all(".calc-answer > .scroll-x tbody tr, .how:has(ol) tbody tr", row => [...row.cells].map(words)),
        table: all(".how:not(:has(ol)) tbody tr", row => [...row.cells].map(words)),
        lines: all(".chart path[class^=line]", line => line.getAttribute("d")),
        pairs: all(".pair", pair => {
            const box = pair.querySelector(".num input"), thumb = pair.querySelector("[role=slider]");
            const [now, spoken] = ["aria-valuenow", "aria-valuetext"].map(name => thumb && thumb.getAttribute(name));
            const error = pair.querySelector(".err-slot").textContent;
            const invalid = box.getAttribute("aria-invalid") ?? "false";
            return [box.id, box.value, thumb && Number(now), spoken, error, invalid];
        }),
    };
}"""
"""What a panel shows, read in the page."""

SETTLE = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"

WAKE = f"""async section => {{
    const tables = [...section.querySelectorAll(".how:has(table)")];
    tables.forEach(each => {{ each.open = true; }});
    await ({SETTLE})();
    tables.forEach(each => {{ each.open = false; }});
    await ({SETTLE})();
}}"""
"""Opens the table of a panel once, so that it has every year."""


READ_SETTLED = f"async section => {{ await ({SETTLE})(); return ({READ})(section); }}"
