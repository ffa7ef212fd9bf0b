"""Views of the list of lenders, of a lender's page, and of its page of one deal type."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

from broker import routes
from broker.calculators.registry import calculators_of_page
from broker.content.models.lenders import LenderText, RateDisplay
from broker.content.models.pictures import Picture
from broker.content.page_head import HeadView
from broker.content.page_parts import BannerView, LinkView, banner_view
from broker.lenders.lender import KnownLender
from broker.lending.immutable import Immutable
from broker.lending.money import percent
from broker.rates.best_deals import read_sentence
from broker.rates.customers import RULES, Customer, default_query
from broker.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED, DealType
from broker.rates.lender_tables import RateBlocks
from broker.rates.product import RatesAnswer
from broker.rates.product_text import aprc_sentence, example_sentence
from broker.rates.results import read_time
from broker.rates.search_params import search_address

CALCULATOR_PAGE = "lenders"
"""The name of these pages in calculators."""

WITHOUT_RATES = "Our rates search does not have this lender’s deals today. Ask an adviser what it offers."

NOT_HELD = "We have no rates of this lender to show here today. Search for its deals by your own figures, or ask us."

AWAY = "We cannot show this lender’s rates at the moment. Please open the page again in a minute, or ask us."


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLender(Immutable):
    """A lender in the list; `words` are the values of the filter that it matches.

    `logo` is empty without a page. `rate` is its lowest rate, of a deal that `kind` names; empty if it is not known.
    """

    name: str
    href: str
    logo: str
    words: str
    kind: str = ""
    rate: str = ""
    aprc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterGroup(Immutable):
    """The lenders of a letter; the list's example follows the group that `is_before_example`."""

    letter: str
    anchor: str
    lenders: tuple[ListedLender, ...]
    is_before_example: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LendersPage(Immutable):
    """The list, with the example of its lowest rate and the date of all; empty where no rate is known."""

    head: HeadView
    lead: str
    count: str
    groups: tuple[LetterGroup, ...]
    example: str = ""
    example_aprc: str = ""
    read: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section of the content: its heading with its id, its text, and the label of its call to action."""

    heading: str
    anchor: str
    html: str
    cta: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LtvWords:
    """The content's words on a loan to value, and the label of their call to action."""

    heading: str
    words: str
    cta: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderPage(Immutable):
    """A page: `lead` and `advice` are HTML, `problem` replaces the rates.

    `is_top3` is whether the three best deals are shown, else a link for each of `searches`. `deals` ends their heading
    after `kind`: `Its three best`, `2-year fixed`, `buy-to-let deals`.
    """

    head: HeadView
    crumbs: tuple[LinkView, ...]
    name: str
    heading: str
    lead: str
    by: str
    logo: str
    banner: BannerView = field(default_factory=BannerView)
    advice: str = ""
    problem: str = ""
    is_top3: bool = True
    kind: str = ""
    deals: str = ""
    view_all: str = ""
    searches: tuple[LinkView, ...] = ()
    blocks: RateBlocks = field(default_factory=RateBlocks)
    own_search: str = ""
    ltv_words: tuple[LtvWords, ...] = ()
    sections: tuple[SectionView, ...] = ()
    calculators: tuple[str, ...] = ()
    calculator_links: tuple[LinkView, ...] = ()


def lenders_page(
    lenders: Iterable[KnownLender], *, head: HeadView, best: Mapping[int, RatesAnswer], logos: Mapping[int, str]
) -> LendersPage:
    """Return the list; `best` has the best products fixed for two years, and `logos` a picture, by lender id."""
    listed = sorted(lenders, key=lambda each: each.name.casefold())
    count = sum(lender.lender_id > 0 for lender in listed)
    page = LendersPage(
        head=head,
        lead=f"Rates from {count} lenders. Choose one to see its deals, with the APRC, fees and true cost of each.",
        count=f"{len(listed)} of {len(listed)} shown",
        groups=tuple(
            LetterGroup(
                letter=letter,
                anchor=f"letter-{letter.casefold()}",
                lenders=tuple(_listed(each, best=best.get(each.lender_id), logos=logos) for each in group),
                is_before_example=place == 0,
            )
            for place, (letter, group) in enumerate(groupby(listed, key=lambda each: each.name[:1].upper()))
        ),
    )
    if not best:
        return page
    lowest = min(best.values(), key=lambda answer: (not answer.query.residential, answer.products[0].initial_rate))
    return replace(
        page,
        example=example_sentence(lowest.products[0]),
        example_aprc=aprc_sentence(lowest.products[0]),
        read=read_sentence(sample=lowest.sample, read=read_time(lowest), stale=lowest.stale),
    )


def lender_page(
    lender: KnownLender,
    kind: DealType | None,
    *,
    text: LenderText,
    head: HeadView,
    firm: str,
    logo: str,
    blocks: RateBlocks | None,
    art: Picture | None = None,
) -> LenderPage:
    """Return the page of a lender, or of its deals of one kind.

    Empty `blocks` mean that no rates are saved for the lender, None that they cannot be read.
    """
    missing = AWAY if blocks is None else NOT_HELD if blocks == RateBlocks() else ""
    problem = missing if lender.lender_id else WITHOUT_RATES
    shown = RateBlocks() if blocks is None else blocks
    own = kind or TWO_YEARS_FIXED
    page = LenderPage(
        head=head,
        crumbs=tuple(_crumbs(lender, kind)),
        name=lender.name,
        heading=f"{lender.name} {kind.words + ' ' if kind else ''}mortgage rates",
        lead=text.banner_content,
        by=f"Updated on {text.updated:%-d %B, %Y}. {firm} is not owned by any lender.",
        logo=logo,
        advice=text.fixed_section_content,
        problem=problem,
        kind=own.words,
        deals=f" {'' if lender.residential else 'buy-to-let '}deals",
        view_all=shown.best.href if text.view_all_link == routes.RATES else text.view_all_link,
        blocks=shown,
        own_search=_search(lender) if lender.lender_id else "",
    )
    if kind:
        lead = f"The lowest {kind.words} rates at each loan to value, and what each deal really costs."
        return replace(page, lead=lead)
    listed = calculators_of_page(text.calculators, page=CALCULATOR_PAGE)
    return replace(
        page,
        banner=banner_view(art),
        is_top3=text.rate_display_preference is RateDisplay.TOP_3,
        searches=tuple(_searches(lender, text)),
        ltv_words=tuple(
            LtvWords(heading=f"At {each.ltv}% loan to value", words=each.description, cta=each.cta_text)
            for each in text.rates_tables
        ),
        sections=tuple(
            SectionView(heading=each.heading, anchor=each.anchor, html=each.html, cta=each.cta_text)
            for each in text.details
        ),
        calculators=tuple(each.slug for each in listed),
        calculator_links=tuple(LinkView(label=each.title, href=routes.calculator(each.slug)) for each in listed),
    )


def kinds(lender: KnownLender) -> tuple[DealType, ...]:
    """Return the deal types that a lender has a page of: none if the feed does not have the lender."""
    return DEAL_TYPES if lender.lender_id else ()


def lender_path(lender: KnownLender, kind: DealType | None) -> str:
    return routes.lender_product(lender.slug, kind.slug) if kind else routes.lender(lender.slug)


def _crumbs(lender: KnownLender, here: DealType | None) -> Iterable[LinkView]:
    yield LinkView(label="Lenders", href=routes.LENDERS)
    yield LinkView(label=lender.name, href=routes.lender(lender.slug), is_here=here is None)
    for kind in kinds(lender):
        yield LinkView(label=kind.words, href=lender_path(lender, kind), is_here=kind == here)


def _search(lender: KnownLender) -> str:
    """Return the address of the search for a lender's deals, for landlords if it lends only to them."""
    query = default_query("" if lender.residential else Customer.BUY_TO_LET)
    return search_address(replace(query, lender_id=lender.lender_id))


def _searches(lender: KnownLender, text: LenderText) -> Iterable[LinkView]:
    """Yield a link to the search of each customer type, labelled by the content if it has a label."""
    for customer in _customers(lender, text):
        query = replace(default_query(customer), lender_id=lender.lender_id)
        yield LinkView(label=text.label(customer) or RULES[customer].title, href=search_address(query))


def _customers(lender: KnownLender, text: LenderText) -> tuple[Customer, ...]:
    """Return the customer types that the content names for a lender, else those that it lends to."""
    if text.customers:
        return tuple(Customer(name) for name in text.customers)
    homes = (Customer.FIRST_TIME_BUYER, Customer.HOME_MOVER, Customer.REMORTGAGING) if lender.residential else ()
    lets = (Customer.BUY_TO_LET_PURCHASE, Customer.BUY_TO_LET_REMORTGAGE) if lender.buy_to_let else ()
    return (*homes, *lets)


def _listed(lender: KnownLender, *, best: RatesAnswer | None, logos: Mapping[int, str]) -> ListedLender:
    """Return a lender with its page, or else with the search for its deals."""
    search = search_address(replace(default_query(""), lender_id=lender.lender_id))
    first = best.products[0] if best else None
    return ListedLender(
        name=lender.name,
        href=routes.lender(lender.slug) if lender.slug else search,
        logo=logos.get(lender.lender_id, lender.mark),
        words=" ".join(_filter_words(lender)),
        kind="2-year" if lender.residential else "Buy-to-let 2-year",
        rate=percent(first.initial_rate) if first else "",
        aprc=percent(first.aprc) if first else "",
    )


def _filter_words(lender: KnownLender) -> Iterable[str]:
    if lender.kind:
        yield f"kind-{lender.kind}"
    if lender.residential:
        yield "on-homes"
    if lender.buy_to_let:
        yield "on-let"
