"""What the written pages must and must not say (decisions 16 to 21, design rules)."""

import hashlib
import json
import re
from collections import Counter
from dataclasses import asdict
from html import unescape
from itertools import pairwise
from urllib.parse import urlsplit

from broker import routes
from broker.content.models.pages import PageKind
from broker.content.reviews import IN_FOOTER
from broker.content.store import find_page
from tests.our_content import CONTENT, STORE
from tests.unit.content.addresses import addresses

FILES = {
    path: path.read_text(encoding="utf-8") for path in sorted(CONTENT.rglob("*")) if path.suffix in (".md", ".json")
}
TEXTS = {
    **{f"/{service.slug}/": service.section_1 + service.section_2 for service in STORE.services()},
    **{page.path: page.html for page in (*STORE.pages(), *STORE.deal_pages())},
    **{routes.guide(guide.url): guide.html for guide in STORE.guides()},
    **{routes.town(town.slug): town.html for town in STORE.towns()},
}
ANSWERS = (
    [faq for service in STORE.services() for faq in service.faqs]
    + [faq for town in STORE.towns() for faq in town.faqs]
    + [faq for topic in ("home", "/tools/mortgage-faqs/") for faq in STORE.faqs(topic)]
)
LEGAL = ("accessibility", "complaints-procedure", "cookie-policy", "privacy-notice", "terms-of-business")
FORBIDDEN = (r"\bERCs?\b", r"coming soon", r"lorem", r"\bbest\b", r"from only", r"(?<!party wall )award", r"—")
"""What no text of ours may hold: jargon, promises, fillers, claims that nobody can check."""

FIGURE = r"£\d[\d,]*|\d[\d.]*%"
"""Sums and rates grow old: deal pages have a few, listed in `test_deals`, guides and towns work theirs out."""

WITH_FIGURES = {"deals", "guides", "towns"}


def words(html: str) -> list[str]:
    return re.sub(r"<[^>]+>", " ", html).split()


def test_no_file_has_forbidden_words_and_few_have_figures() -> None:
    for path, text in FILES.items():
        for pattern in FORBIDDEN[1:] if path.name == "glossary.md" else FORBIDDEN:  # it says what the jargon means
            assert re.findall(pattern, text, re.NOFLAG if "ERC" in pattern else re.IGNORECASE) == [], path.name
    texts = {path: text for path, text in FILES.items() if path.parent.name not in WITH_FIGURES}
    assert {path.name for path, text in texts.items() if re.search(FIGURE, text)} <= {"facts.json"}


def test_pages_are_dated_and_titles_and_descriptions_are_unique_and_fit() -> None:
    fronts = STORE.content.front_pages.values()
    entries = (*STORE.services(), *fronts, *STORE.pages(), *STORE.deal_pages(), *STORE.guides(), *STORE.towns())
    for texts, limit in (([e.meta_title for e in entries], 60), ([e.description for e in entries], 155)):
        assert [text for text, times in Counter(texts).items() if times > 1 or not 20 <= len(text) <= limit] == []
    assert [entry.title for entry in entries if not entry.summary or not entry.updated] == []


def test_service_has_two_useful_sections_six_questions_and_its_warnings() -> None:
    for service in STORE.services():
        lengths = [len(words(section)) for section in (service.section_1, service.section_2)]
        assert [150 <= length <= 300 for length in lengths] == [True, True], (service.slug, lengths)
        assert len(service.faqs) == 6, service.slug
    assert [
        service.slug
        for service in STORE.services()
        if "repossessed" not in (service.footer_disclaimer or "repossessed")
    ] == []
    sentence = STORE.site().buy_to_let_sentence
    service = next(service for service in STORE.services() if service.slug == "buy-to-let")
    assert (sentence in service.section_1, sentence in service.footer_disclaimer) == (True, True)


def test_answers_are_short_questions_end_with_a_mark_and_stand_in_groups() -> None:
    lengths = {faq.question: len(words(faq.answer)) for faq in ANSWERS}
    assert [text for text, length in lengths.items() if not (text.endswith("?") and 1 <= length <= 80)] == []
    groups = Counter(faq.group for faq in STORE.faqs("/tools/mortgage-faqs/"))
    wanted = {"Borrowing": 4, "Rates and costs": 5, "Applying": 4, "Other kinds of mortgage": 7}
    wanted |= {"While you have a mortgage": 4, "About us": 3}
    assert groups == wanted


def test_every_link_leads_to_a_page_and_a_place_on_it_or_is_secure() -> None:
    known = addresses(STORE)
    html = "".join((*TEXTS.values(), *(faq.answer for faq in ANSWERS)))
    links = [urlsplit(unescape(link)) for link in re.findall(r'href="(/[^"]*)"', html)]
    dead = [
        link.geturl()
        for link in links
        if link.path not in known or (link.fragment and link.fragment not in known[link.path])
    ]
    assert (dead, len(links) > 300) == ([], True)
    links = re.findall(r'href="([^"/][^"]*)"', "".join(TEXTS.values()))
    assert [link for link in links if not link.startswith(("https://", "mailto:", "tel:+44"))] == []


def test_legal_pages_are_finished_and_one_page_says_it_is_a_sample() -> None:
    assert {page.path for page in STORE.pages() if page.kind is PageKind.LEGAL} == {f"/{name}/" for name in LEGAL}
    assert [page.path for page in STORE.pages() if page.draft or re.search(r"\bdraft\b", page.html, re.I)] == []
    sample = STORE.site().sample_sentence
    assert [path for path, html in TEXTS.items() if sample in html] == ["/about-us/"]


def test_how_we_are_paid_gives_a_typical_fee_in_pounds_and_its_source() -> None:
    html = find_page(STORE, "/how-we-are-paid/").html
    parts = ("0.35%", "0.4%", "£200,000", "£700", "£800", "building-society", "as they stood on 24 november 2026")
    assert [part for part in parts if part.replace("-", " ") not in html.lower().replace("-", " ")] == []


def test_cookie_policy_lists_every_key_and_complaints_have_their_details() -> None:
    rows = re.findall(r'<th scope="row"[^>]*><code>([^<]+)</code></th>', find_page(STORE, "/cookie-policy/").html)
    assert rows == [
        *("cookie_notice", "journey", "thanks"),
        *("token", "figures", "react-router-scroll-positions", "theme", "reflex_last_reloaded_on_error"),
    ]
    required = (
        *("within eight weeks", "six months from the date of our final response", "within 30 days"),
        *("0800 023 4567", "Exchange Tower, London E14 9SR", "Information Commissioner’s Office"),
    )
    html = find_page(STORE, "/complaints-procedure/").html.lower()
    assert [text for text in required if text.lower() not in html] == []


def test_headings_go_down_one_level_at_a_time() -> None:
    for path, html in TEXTS.items():
        levels = [1, *(int(level) for level in re.findall(r"<h([1-6])", html))]
        assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == [], path


def test_firm_and_its_reviews_are_samples_and_its_regulator_is_named() -> None:
    site = STORE.site()
    assert site.regulation == (
        "Hearthgate Mortgages is authorised and regulated by the Financial Conduct Authority (FRN 000000, sample)."
    )
    assert (site.sample, site.frn_shown, site.reviews.sample) == (True, "000000 (sample)", True)
    totals = site.reviews
    assert {entry.site: entry.count for entry in totals.counts} == {"google": 85, "reviewsio": 78, "trustpilot": 181}
    assert (totals.total, totals.read_on.isoformat()) == (344, "2026-11-21")
    reviews = STORE.reviews()
    assert (len(reviews) >= IN_FOOTER, all(review.sample for review in reviews)) == (True, True)


WORDINGS = {"2026-11-21": "a706d3961f55c425"}
"""Every wording that was ever shown, by its version: a record of consent names it. None is changed or taken out."""


def test_words_of_consent_are_those_of_their_version() -> None:
    words = asdict(STORE.site().consent)
    version = words.pop("version")
    digest = hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()[:16]
    assert STORE.site().consent.spoken == (
        "We use these details to answer your enquiry, and keep them for 12 months if it goes no further."
    )
    assert WORDINGS.get(version) == digest, "give the new wording a version of its own in site.json, and list it here"
