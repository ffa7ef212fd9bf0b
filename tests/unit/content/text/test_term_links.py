from collections.abc import Iterable
from dataclasses import replace

import pytest

from broker import routes
from broker.content.models.glossary import Term
from broker.content.models.pages import Faq
from broker.content.models.pictures import SafeHtml
from broker.content.source import content_store
from broker.content.store import HOME_FAQS, SiteContent
from broker.content.text.term_links import TermLinks, with_term_links
from broker.markup import parse_fragment
from broker.settings import Settings
from tests.our_content import STORE


def term(slug: str, *forms: str, exceptions: tuple[str, ...] = ()) -> Term:
    return Term(slug=slug, title=slug.capitalize(), forms=forms, text="What it is.", exceptions=exceptions)


LINKS = TermLinks(
    (
        term("aprc", "APRC", "APRCs", "annual percentage rate of charge"),
        term("equity", "equity", exceptions=("equity release",)),
        term("negative-equity", "negative equity"),
        term("ltv", "LTV", "loan to value"),
    )
)


def linked(*texts: str) -> tuple[str, ...]:
    """Return texts of one page with each link as [slug: words]."""
    found = []
    for html in LINKS.texts(map(SafeHtml, texts)):
        for link in (root := parse_fragment(html)).xpath("//a[@class='term']"):
            link.text = f"[{link.get('href').partition('#')[2]}: {link.text}]"
        found.append(root.text_content())
    return tuple(found)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>The APRC. An APRC.</p>", "The [aprc: APRC]. An APRC."),
        ("<p>All APRCs, and aprc</p>", "All [aprc: APRCs], and aprc"),
        ("<p>Loan to Value\n</p>", "[ltv: Loan to Value]\n"),
        ("<p>loan\n to value</p>", "[ltv: loan\n to value]"),
        ("<p>negative equity, then equity</p>", "[negative-equity: negative equity], then [equity: equity]"),
        ("<p>equity release, then equity</p>", "equity release, then [equity: equity]"),
        ("<p>home-equity inequity APRC-like LTV2</p>", "home-equity inequity APRC-like LTV2"),
        ("<p>a <b>b</b> APRC <i>c</i> LTV d</p>", "a b [aprc: APRC] c [ltv: LTV] d"),
        ("before APRC<p>LTV</p>after equity", "before [aprc: APRC][ltv: LTV]after [equity: equity]"),
    ],
)
def test_first_mention_of_a_term_is_linked_in_the_words_of_the_text(html: str, expected: str) -> None:
    assert linked(html) == (expected,)


def test_links_headings_buttons_heads_of_tables_and_captions_are_left_alone() -> None:
    html = SafeHtml(
        '<h2 id="a">APRC</h2><h3>APRC</h3><p><a href="/x/">the <b>APRC</b></a> <button>APRC</button></p>'
        "<details><summary>APRC</summary></details><code>APRC</code><figure><figcaption>APRC</figcaption></figure>"
        '<table><thead><tr><th scope="col">APRC</th></tr></thead><tbody><tr><th>APRC</th></tr></tbody></table>'
    )
    assert LINKS.texts((html,)) == (html,)
    cell = "<table><tbody><tr><th>APRC</th><td>The APRC</td></tr></tbody></table>"
    assert linked(cell) == ("APRCThe [aprc: APRC]",)


def test_term_is_linked_once_on_a_page_and_not_where_an_editor_links_to_it() -> None:
    assert linked("<p>APRC</p>", "<p>APRC, LTV</p>") == ("[aprc: APRC]", "APRC, [ltv: LTV]")
    by_hand = f'<p><a href="{routes.term("aprc")}">Overall cost</a></p>'
    assert linked("<p>APRC</p>", by_hand) == ("APRC", "Overall cost")
    once = LINKS.texts((SafeHtml("<p>APRC &amp; LTV, APRC</p>"),))
    assert LINKS.texts(once) == once
    assert once[0].startswith('<p><a class="term" href="/glossary/#aprc">APRC</a> &amp; <a class="term"')


def pages(content: SiteContent) -> dict[str, tuple[str, ...]]:
    """Return the texts of each page of the content, in its order."""

    def answers(faqs: Iterable[Faq]) -> tuple[str, ...]:
        return tuple(faq.answer for faq in faqs)

    services = {slug: each for each in content.services for slug in each.customers}
    found = {
        **{routes.guide(each.url): (each.html,) for each in content.guides},
        **{each.path: (each.html, *answers(each.faqs)) for each in content.pages},
        **{each.slug: (each.section_1, each.section_2, *answers(each.faqs)) for each in content.services},
        **{routes.town(each.slug): (each.html, *answers(each.faqs)) for each in content.towns},
        **{each.path: (each.html, *answers(content.faqs[services[each.customer].slug])) for each in content.deal_pages},
        routes.HOME: (content.front_pages[routes.HOME].html, *answers(content.faqs[HOME_FAQS])),
    }
    for customer, service in services.items():
        html = content.front_pages[routes.deals(customer)].html
        found[routes.deals(customer)] = (html, *answers(content.faqs[service.slug]))
    for key, text in content.lenders.items():
        details = tuple(section.html for section in text.details)
        found[key] = (text.banner_content, *details, text.fixed_section_content)
    return found


def terms(texts: Iterable[str]) -> list[str]:
    return [link.get("href") for html in texts if html for link in parse_fragment(html).xpath("//a[@class='term']")]


def test_every_page_links_a_term_once_and_reads_as_before() -> None:
    content = with_term_links(STORE.content)
    before, after = pages(STORE.content), pages(content)
    assert before.keys() == after.keys()
    for path, texts in after.items():
        slugs = terms(texts)
        assert len(slugs) == len(set(slugs)), path
        words = [parse_fragment(html).text_content() for html in texts if html]
        assert words == [parse_fragment(html).text_content() for html in before[path] if html], path
    entries = {routes.term(each.slug) for each in STORE.glossary().terms}
    assert {link for texts in after.values() for link in terms(texts)} <= entries
    fewest = [path for path in map(routes.guide, ("what-is-aprc", "what-is-ltv")) if len(terms(after[path])) < 5]
    assert fewest == []


def test_questions_of_a_service_are_the_same_on_all_its_pages() -> None:
    content = with_term_links(STORE.content)
    for service in content.services:
        assert content.faqs[service.slug] == service.faqs
    for page in content.pages:
        assert content.faqs.get(page.path, ()) == page.faqs


def test_content_of_the_site_has_the_links_and_no_other_difference() -> None:
    content = content_store(Settings()).content
    assert content == with_term_links(STORE.content)
    changed = ("services", "pages", "faqs", "front_pages", "deal_pages", "guides", "towns", "lenders")
    assert replace(content, **{name: getattr(STORE.content, name) for name in changed}) == STORE.content
