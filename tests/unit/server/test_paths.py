import pytest

from broker import routes
from broker.server.paths import OTHER_SPELLINGS, redirect_of, unescaped_query
from tests.our_content import STORE
from tests.unit.content.addresses import addresses

PAGES = frozenset(addresses(STORE))


@pytest.mark.parametrize("ending", ["", "/"])
@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/mortgage-broker-guildford", "/mortgage-broker-guilford/"),
        ("/mortgage-broker-kingston-upon-thames", "/mortgage-broker-kingston/"),
        ("/remortgage", "/remortgaging/"),
        ("/contractor-mortgages", "/contractor-mortgage/"),
        ("/faqs", routes.FAQS),
    ],
)
def test_other_spelling_leads_to_the_page_meant(path: str, target: str, ending: str) -> None:
    assert redirect_of(path + ending, PAGES) == (301, target)


def test_every_spelling_leads_to_a_page_in_one_hop_and_is_none_itself() -> None:
    assert {target for target in OTHER_SPELLINGS.values() if target not in PAGES} == set()
    assert set(OTHER_SPELLINGS) & (PAGES | set(routes.REDIRECTS)) == set()


@pytest.mark.parametrize("ending", ["", "/"])
@pytest.mark.parametrize(
    ("name", "lender"),
    [
        ("nationwide", "nationwide"),
        ("skipton", "skipton-building-society"),
        ("metro-bank", "metro-bank"),
        ("hsbc", "hsbc-uk"),
        ("co-operative-bank", "the-co-operative-bank"),
    ],
)
def test_former_page_of_a_known_lender_leads_to_its_page(name: str, lender: str, ending: str) -> None:
    pages = {routes.lender(lender)}
    assert redirect_of(f"/{name}-mortgage-rates{ending}", pages) == (301, f"/lenders/{lender}/")


def test_former_page_of_an_unknown_lender_is_unknown() -> None:
    pages = {"/lenders/nationwide/", "/lenders/"}
    assert [redirect_of(path, pages) for path in ("/elm-mortgage-rates", "/-mortgage-rates/", "/mortgage-rates")] == [
        None
    ] * 3


def test_page_of_that_spelling_is_served_and_nothing_leads_nowhere() -> None:
    guildford = "/mortgage-broker-guildford/"
    assert redirect_of(guildford.rstrip("/"), {guildford, "/mortgage-broker-guilford/"}) == (308, guildford)
    assert redirect_of(guildford, {"/contact/"}) is None


TAILS = (" ", "/)", ")", ").", "/,", "//", "/\u200b", "…", "/“", "\n", "/>")


@pytest.mark.parametrize(
    ("path", "target"),
    [
        *((f"/contact{tail}", "/contact/") for tail in TAILS),
        *((path, "/contact/") for path in ("/CONTACT/", "/Contact", "/Contact-Us).")),
        ("/)", "/"),
        ("/Tools/Rates/", "/tools/rates/"),
        ("/rates)", "/tools/rates/"),
        ("/promotion/Contact/", "/contact/"),
        ("/Mortgage-Broker-Guildford.", "/mortgage-broker-guilford/"),
        ("/updateLenders).", None),
        ("/contact)/more", None),
        ("/wp-json/)", None),
        ("/site.css)", None),
        ("/contact.html", None),
        ("/" + "c" * 1_001 + ")", None),
    ],
)
def test_address_with_a_tail_or_capitals_leads_to_the_page_meant(path: str, target: str | None) -> None:
    assert redirect_of(path, PAGES) == (target and (301, target))


def test_ampersand_escaped_for_html_is_one() -> None:
    assert unescaped_query("price=1&amp;amount=2&amp%3bterm=3&amp;amp;x=a%26amp;b&=&amp") == (
        "price=1&amount=2&term=3&x=a%26amp;b&=&amp"
    )
