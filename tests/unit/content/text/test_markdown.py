import pytest

from broker.content.models.pages import Heading
from broker.content.text.markdown import heading_id, render_markdown, split_sections
from broker.content.text.placeholders import UnknownPlaceholderError, fill_placeholders

RENDERED = {
    "<b>x</b>": "<p>&lt;b&gt;x&lt;/b&gt;</p>",
    "[x](javascript:alert)": "<p>[x](javascript:alert)</p>",
    "[x](tel:+44)": '<p><a href="tel:+44">x</a></p>',
    "## Fees & tax\n\n| a |\n| --- |\n| b |": (
        '<h2 id="fees-tax">Fees &amp; tax</h2>\n<div class="scroll-x" role="region" '
        'aria-label="Table: Fees &amp; tax" tabindex="0"><table class="tbl"><thead><tr>'
        '<th scope="col">a</th></tr></thead><tbody><tr><th scope="row">b</th></tr></tbody></table></div>'
    ),
}


def test_headings_get_ids_that_differ() -> None:
    titles = ("What it costs", "1. Deposit & loan to value", "We don't", "We don’t", "???")
    ids = ["what-it-costs", "1-deposit-loan-to-value", "we-dont", "we-dont", "section"]
    assert [*map(heading_id, titles)] == ids
    text = render_markdown("## Fees\n\n### Fees\n\n## Tax *now*")
    assert text.headings == (
        Heading(level=2, anchor="fees", text="Fees"),
        Heading(level=3, anchor="fees-2", text="Fees"),
        Heading(level=2, anchor="tax-now", text="Tax now"),
    )
    assert text.html == '<h2 id="fees">Fees</h2>\n<h3 id="fees-2">Fees</h3>\n<h2 id="tax-now">Tax <em>now</em></h2>'


@pytest.mark.parametrize(("text", "html"), RENDERED.items())
def test_markdown_is_rendered_without_raw_html_and_with_tables_that_scroll(text: str, html: str) -> None:
    assert render_markdown(text).html == html


def test_sections_are_split_at_their_names_and_placeholders_filled_in() -> None:
    sections = {"": "before", "one": "a\n\n## b", "two": "c"}
    assert split_sections("before\n# one\n\na\n\n## b\n# two\nc") == sections
    assert fill_placeholders("Call {{ phone }} or {{phone}}", {"phone": "020"}) == "Call 020 or 020"
    with pytest.raises(UnknownPlaceholderError, match="fax"):
        fill_placeholders("{{ fax }}", {"phone": "020"})
