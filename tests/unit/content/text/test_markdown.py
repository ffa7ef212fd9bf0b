"""Markdown becomes safe html with ids, and placeholders are filled."""

import pytest

from broker.content.models.pages import Heading
from broker.content.text.markdown import (
    UnknownPlaceholderError,
    fill_placeholders,
    heading_id,
    render_markdown,
    split_sections,
)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("What it costs", "what-it-costs"),
        ("1. Deposit & loan to value", "1-deposit-loan-to-value"),
        ("We don't", "we-dont"),
        ("???", "section"),
    ],
)
def test_anchor_of_words(words: str, name: str) -> None:
    assert heading_id(words) == name


def test_headings_get_ids_that_differ() -> None:
    text = render_markdown("## Fees\n\n### Fees\n\n## Tax *now*")
    assert text.headings == (
        Heading(level=2, anchor="fees", text="Fees"),
        Heading(level=3, anchor="fees-2", text="Fees"),
        Heading(level=2, anchor="tax-now", text="Tax now"),
    )
    assert text.html == '<h2 id="fees">Fees</h2>\n<h3 id="fees-2">Fees</h3>\n<h2 id="tax-now">Tax <em>now</em></h2>'


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>"),
        ("[x](javascript:alert)", "<p>[x](javascript:alert)</p>"),
        ("[x](tel:+44)", '<p><a href="tel:+44">x</a></p>'),
        (
            "## Fees & tax\n\n| a |\n| --- |\n| b |",
            '<h2 id="fees-tax">Fees &amp; tax</h2>\n<div class="scroll-x" role="region" '
            'aria-label="Table: Fees &amp; tax" tabindex="0"><table class="tbl">\n<thead>\n<tr>\n'
            '<th scope="col">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table></div>',
        ),
    ],
)
def test_written(markdown: str, html: str) -> None:
    assert render_markdown(markdown).html == html


def test_parts_are_cut_at_their_names() -> None:
    assert split_sections("before\n# one\n\na\n\n## b\n# two\nc") == {"": "before", "one": "a\n\n## b", "two": "c"}


def test_filled_replaces_facts_and_refuses_unknown_ones() -> None:
    assert fill_placeholders("Call {{ phone }} or {{phone}}", {"phone": "020"}) == "Call 020 or 020"
    with pytest.raises(UnknownPlaceholderError, match="fax"):
        fill_placeholders("{{ fax }}", {"phone": "020"})
