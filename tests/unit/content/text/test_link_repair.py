from broker.content.models.pages import Faq
from broker.content.models.pictures import SafeHtml
from broker.content.text.links import LinkRepair

KNOWN = {"/": frozenset({"doors"}), "/contact/": frozenset[str](), "/remortgages/": frozenset({"fees"})}
LINKS = LinkRepair(KNOWN, {"halifax", "skipton-building-society"})


ALIVE = (
    *("/contact/", "/contact/?from=mail", "/remortgages/#fees", "/lenders/halifax/", "/lenders/halifax/2-years-fixed/"),
    *("#own", "https://example.test/nowhere/", "tel:+442079460123"),
)
TARGETS = {
    **{link: link for link in ALIVE},
    **dict.fromkeys(("/lenders/nobody/", "/nowhere/", "#other"), ""),
    "/remortgages/#gone": "/remortgages/",
    "/best-remortgage-deals/#fees": "/remortgages/#fees",
    "/home/": "/",
    "/promotion/contact/": "/contact/",
    "/halifax-mortgage-rates/": "/lenders/halifax/2-years-fixed/",
    "/skipton-mortgage-rates/": "/lenders/skipton-building-society/",
    "/nobody-mortgage-rates/": "",
}


def test_link_leads_to_its_page_in_one_hop_or_nowhere() -> None:
    assert {link: LINKS.target(link, {"own"}) for link in TARGETS} == TARGETS
    # where lenders are not known, any may have a page
    assert LinkRepair(KNOWN).target("/lenders/nobody/") == "/lenders/nobody/"


def test_link_to_and_from_a_footnote_and_an_anchor_without_a_link_stay() -> None:
    html = (
        '<p><a id="old"></a>See<sup><a href="#n1" id="n1-link">1</a></sup></p><ol><li id="n1">A note. '
        '<a href="#n1-link">Back</a>, <a href="#gone" id="kept">gone</a></li></ol>'
    )
    found = LINKS.model(Faq(question="Why?", answer=SafeHtml(html))).answer
    dead = '<a href="#gone" id="kept">gone</a>'
    assert found == html.replace('<a id="old"></a>', '<span id="old"></span>').replace(
        dead, '<span id="kept">gone</span>'
    )


def test_model_keeps_the_words_of_a_dead_link_and_reports_it() -> None:
    reported: list[tuple[str, str]] = []
    html = (
        '<h2 id="own">Here</h2><p><a title="a > b" href="/nowhere/" rel="noopener">A &amp; <b>b</b></a>, '
        '<a href="/home/?a=1&amp;b=2" rel="noopener">home</a>, <a href="#own">here</a>, <a>bare</a></p>'
    )
    faq = Faq(question="What is <a href=?", answer=SafeHtml(html))
    found = LINKS.model(faq, lambda words, link: reported.append((words, link)))
    assert found.answer == (
        '<h2 id="own">Here</h2><p>A &amp; <b>b</b>, '
        '<a href="/?a=1&amp;b=2" rel="noopener">home</a>, <a href="#own">here</a>, bare</p>'
    )
    assert found.question == faq.question
    assert reported == [("A & b", "/nowhere/")]
    without_links = Faq(question="How?", answer=SafeHtml("<p>So.</p>"))
    assert LINKS.model(without_links) is without_links
