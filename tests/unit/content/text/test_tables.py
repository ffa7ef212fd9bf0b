import pytest

from broker.content.models.pictures import SafeHtml
from broker.content.text.markdown import MAX_COLUMNS, MAX_FIGURE_LENGTH, shape_tables

REGION = '<div class="scroll-x" role="region" aria-label="{}" tabindex="0"><table class="tbl">'
WORDS = "Arrangement and valuation fees"


def row(*cells: str, tag: str = "td") -> str:
    inside = (f"<{tag}>{cell}</{tag}>" for cell in cells)
    return f"<tr>{''.join(inside)}</tr>"


def test_words_become_cards_that_stay_a_table() -> None:
    heads, body = row("Week", "Who &amp; what", tag="th"), row("1", f"<b>{WORDS}</b>") + row("Then", "You")
    html = f'<h2 id="a">The "costs"</h2>\n<table><thead>{heads}</thead><tbody>{body}</tbody></table>'
    assert shape_tables(SafeHtml(html)) == (
        '<h2 id="a">The "costs"</h2>\n<table class="tbl cards" role="table" '
        "aria-label='Table: The \"costs\"'>"
        '<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Week</th>'
        '<th scope="col" role="columnheader">Who &amp; what</th></tr></thead><tbody role="rowgroup">'
        '<tr role="row"><th scope="row" role="rowheader" data-l="Week">1</th>'
        f'<td role="cell" data-l="Who &amp; what"><b>{WORDS}</b></td></tr>'
        '<tr role="row"><th scope="row" role="rowheader">Then</th>'
        '<td role="cell" data-l="Who &amp; what">You</td></tr></tbody></table>'
    )


def test_figures_keep_their_columns_in_a_region_that_scrolls() -> None:
    html = f"<table><tbody>{row('', 'Fixed', tag='th')}{row(WORDS, '£1,000')}</tbody></table>"
    assert shape_tables(SafeHtml(html)) == (
        f'{REGION.format("Table")}<thead><tr><th scope="col"></th><th scope="col">Fixed</th></tr></thead>'
        f'<tbody><tr><th scope="row">{WORDS}</th><td>£1,000</td></tr></tbody></table></div>'
    )


def test_length_of_the_longest_cell_decides() -> None:
    for length, stacks in ((MAX_FIGURE_LENGTH, False), (MAX_FIGURE_LENGTH + 1, True)):
        html = f"<table>{row('a', 'b', tag='th')}{row('c', '<i>' + 'x' * length + '</i>')}</table>"
        assert ('class="tbl cards"' in shape_tables(SafeHtml(html))) is stacks


def test_more_columns_of_figures_than_fit_a_phone_become_cards() -> None:
    for columns, stacks in ((MAX_COLUMNS, False), (MAX_COLUMNS + 1, True)):
        html = f"<table>{row(*'abcd'[:columns], tag='th')}{row(*'1234'[:columns])}</table>"
        assert ('class="tbl cards"' in shape_tables(SafeHtml(html))) is stacks


LEFT_AS_THEY_ARE = {
    "no heads": row("a", WORDS) + row("b", WORDS),
    "heads in every row": row("a", "b", tag="th") + row("c", WORDS, tag="th"),
    "a cell over two columns": row("a", "b", tag="th") + f'<tr><td colspan="2">{WORDS}</td></tr>',
    "a row that is short": row("a", "b", tag="th") + row(WORDS),
    "a caption": f"<caption>c</caption>{row('a', 'b', tag='th')}{row('c', WORDS)}",
}


@pytest.mark.parametrize("inside", LEFT_AS_THEY_ARE.values(), ids=LEFT_AS_THEY_ARE)
def test_table_that_cards_cannot_show_scrolls(inside: str) -> None:
    scoped = inside.replace("<th>", '<th scope="col">')
    assert shape_tables(SafeHtml(f"<table>{inside}</table>")) == f"{REGION.format('Table')}{scoped}</table></div>"


def test_table_in_a_table_scrolls_within_it() -> None:
    html = f"<table><tr><td><table>{row('a', 'b')}</table></td></tr></table>"
    shaped = shape_tables(SafeHtml(html))
    assert (shaped.count(REGION.format("Table")), shaped.count("</table></div>"), shaped.count("<th")) == (2, 2, 0)
