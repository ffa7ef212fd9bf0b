"""Lenders as data pages: the list from A to Z, and best deals and rates of each lender and deal type (decision 4)."""

import logging
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators.registry import CALCULATORS, calculators_of_page
from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler
from broker.components.elements import (
    banner_picture,
    button_link,
    icon,
    jump_link,
    markup,
    more_link,
    no_break,
    picture,
    titled_section,
)
from broker.components.forms.fields import Segment, field, segmented
from broker.components.forms.post_form import PostForm
from broker.components.jinja import Shown, Value, class_if, foreach, has_text, when, when_any, when_text
from broker.components.rates.best_deals import best_panels
from broker.components.rates.product_card import example
from broker.components.rates.rate_tables import (
    lender_facts,
    rate_table,
    rates_beside_market,
    table_example_and_date,
    table_words,
)
from broker.content.models.lenders import LenderText
from broker.content.models.site import Site
from broker.content.page_head import LENDERS, HeadView, image_path
from broker.content.store import lender_text
from broker.derived import Derived, Revision
from broker.lenders.directory import LenderDirectory
from broker.lenders.lender import KnownLender
from broker.lenders.page_view import (
    CALCULATOR_PAGE,
    LenderPage,
    LendersPage,
    LetterGroup,
    ListedLender,
    kinds,
    lender_page,
    lender_path,
    lenders_page,
)
from broker.pages.calculator import calculators_on_demand
from broker.pages.data_page import shape
from broker.pages.layout import banner, call_band, columns, links_bar
from broker.pages.rates.live_rates import BASIS, no_deals
from broker.pages.registry import MODIFIED, BuildInputs, DataPage, Page, Section
from broker.pages.site.contact import REMORTGAGE, contact_aside
from broker.rates.deal_types import DealType
from broker.rates.lender_rates import LenderRates
from broker.rates.lender_tables import RateBlocks, lender_blocks
from broker.rates.lowest_rates import LenderWithoutRatesError
from broker.rates.product import RatesError
from broker.site_search.view import SearchWords, lender_words

_LENDER_LIST, _LENDER, _LENDER_DEALS = "lenders", "lender", "lender-deals"
"""The templates: of the list, of a lender, and of its deals of one kind."""

_LIST_TITLE = "Mortgage lenders, A to Z"

_FILTER_FORM, _LIST = "lender-filter", "lender-list"

_KINDS = (
    Segment(value="", label="Any kind"),
    Segment(value="kind-bank", label="Banks"),
    Segment(value="kind-building-society", label="Societies"),
    Segment(value="kind-specialist", label="Specialists"),
)
_PROPERTY = (
    Segment(value="", label="Any property"),
    Segment(value="on-homes", label="Homes"),
    Segment(value="on-let", label="Let property"),
)
"""Choices of the filter; their values are among the words of an entry."""

_WORDS = "We compare this lender with the rest of the market before you decide."

log = logging.getLogger(__name__)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    with_page = sorted((lender for lender in inputs.lenders if lender.slug), key=lambda lender: lender.name.casefold())
    return (
        _lender_list(inputs),
        *(page_of_lender(inputs, lender, kind=kind) for lender in with_page for kind in (None, *kinds(lender))),
    )


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    site = inputs.store.site()
    draw_list = partial(_draw_list, site)
    return (
        DataPage(name=_LENDER_LIST, view=LendersPage, draw=draw_list, dates=(MODIFIED,)),
        DataPage(name=_LENDER, view=LenderPage, draw=partial(_draw, site, is_kind=False), bar=_bar, dates=(MODIFIED,)),
        DataPage(
            name=_LENDER_DEALS, view=LenderPage, draw=partial(_draw, site, is_kind=True), bar=_bar, dates=(MODIFIED,)
        ),
    )


def _lender_list(inputs: BuildInputs) -> Page:
    return Page(
        route=routes.LENDERS,
        counted_as=Counted.LENDER,
        template=_LENDER_LIST,
        title=_LIST_TITLE,
        label="All lenders",
        section=Section.LENDERS,
        search=SearchWords(
            title=_LIST_TITLE,
            description="Every lender whose rates we show: banks, building societies and specialists.",
        ),
        description="Every lender whose rates we show: banks, building societies and specialists, each with its deals, "
        "APRC, fees and true cost.",
        lastmod=max(
            (text_of(inputs, lender).updated.isoformat() for lender in inputs.lenders if lender.slug), default=""
        ),
        picture=image_path(LENDERS),
    )


def _draw_list(site: Site, page: Shown[LendersPage]) -> rx.Component:
    letters = foreach(page.groups, lambda group: jump_link(group.letter, group.anchor, class_name="chip"))
    return rx.fragment(
        banner(_LIST_TITLE, page.lead),
        rx.el.div(
            _list_filter(page.count),
            rx.el.div(
                rx.el.nav(letters, class_name="chips", aria_label="Lenders by letter"),
                when_text(page.read, rx.el.p(page.read, class_name="small mute")),
                class_name="stack tight-8",
            ),
            rx.el.div(
                foreach(page.groups, lambda group: _letter_group(group, page, site)), id=_LIST, class_name="stack loose"
            ),
            class_name="wrap band-s stack loose a-to-z",
        ),
        call_band(site),
    )


def _list_example(page: Shown[LendersPage], site: Site) -> rx.Component:
    words = ("Each rate is the lender’s lowest for a two-year fixed deal. ", BASIS, ".")
    warnings = (rx.el.p(site.risk_warning, class_name="risk"), rx.el.p(site.buy_to_let_sentence))
    return rx.el.div(
        rx.el.p(*words, class_name="small"),
        example(page.example, page.example_aprc, *warnings),
        class_name="stack tight-8",
    )


def _list_filter(count: Value) -> rx.Component:
    """Draw the filter, which works in the browser alone; without scripts the letters do.

    On a narrow screen the details open what follows them.
    """
    submitted = rx.Var("typed.preventDefault()")
    box = rx.el.input(id="lender-name", name="q", type="search", auto_complete="off")
    return PostForm.create(
        field("Name of the lender", rx.el.div(box, class_name="num"), identity="lender-name"),
        rx.el.details(rx.el.summary(icon("filter"), "Filters", class_name="btn line")),
        segmented("Kind of lender", _KINDS, name="kind", chosen=""),
        segmented("Lends on", _PROPERTY, name="property", chosen=""),
        rx.el.p(count, class_name="small mute", role="status"),
        method="get",
        action=routes.LENDERS,
        on_change=client_handler(script_function("list_filter", "filterEntries").call(_FILTER_FORM, _LIST)),
        on_submit=client_handler(submitted),
        id=_FILTER_FORM,
        class_name="panel g3 needs-script",
        role="search",
        aria_label="Filter the lenders",
    )


def _letter_group(group: Shown[LetterGroup], page: Shown[LendersPage], site: Site) -> rx.Component:
    entries = rx.el.section(
        rx.el.h2(group.letter),
        rx.el.ul(foreach(group.lenders, _list_entry), class_name="lenders"),
        id=group.anchor,
        class_name="stack",
    )
    example_of_list = when_text(page.example, _list_example(page, site))
    return rx.fragment(entries, when(group.is_before_example, example_of_list))


def _list_entry(lender: Shown[ListedLender]) -> rx.Component:
    logo = rx.el.span(picture(lender.logo, width=118, height=48), class_name="logo")
    rates = rx.fragment(" ", lender.kind, " from ", rx.el.b(lender.rate), ", APRC ", rx.el.b(lender.aprc))
    words = rx.el.span(rx.el.strong(lender.name), when_text(lender.rate, rates))
    link = rx.el.a(when_text(lender.logo, logo), words, href=lender.href)
    return rx.el.li(link, custom_attrs={"data-words": lender.words, "data-name": lender.name})


def text_of(inputs: BuildInputs, lender: KnownLender) -> LenderText:
    return lender_text(
        inputs.store, slug=lender.slug, name=lender.name, kind=lender.kind, residential=lender.residential
    )


def page_of_lender(inputs: BuildInputs, lender: KnownLender, *, kind: DealType | None) -> Page:
    text = text_of(inputs, lender)
    rates = f"The lowest {kind.words} rates from {lender.name} at each loan to value" if kind else ""
    return Page(
        route=lender_path(lender, kind),
        counted_as=Counted.LENDER,
        title=f"{lender.name} {kind.words + ' mortgages' if kind else 'mortgage rates'}",
        description=f"{rates}, with the APRC, fees and true cost of each deal." if kind else text.small_desc,
        label=kind.words if kind else lender.name,
        parents=(("Lenders", routes.LENDERS), *([(lender.name, routes.lender(lender.slug))] if kind else [])),
        section=None if kind else Section.LENDERS,
        search=None if kind else lender_words(lender),
        lastmod=text.updated.isoformat(),
        picture=image_path(LENDERS),
        template=_LENDER_DEALS if kind else _LENDER,
    )


def _bar(page: Shown[LenderPage]) -> rx.Component:
    return links_bar(page.crumbs, label="Lenders section")


def _draw(site: Site, page: Shown[LenderPage], *, is_kind: bool) -> rx.Component:
    rates = _rates_of_kind(site, page) if is_kind else _rates(site, page)
    return rx.fragment(
        _banner(page, is_kind=is_kind),
        columns(
            rx.el.div(
                when_text(page.problem, _problem(page), otherwise=rates),
                *([] if is_kind else _lender_words(page)),
                class_name="stack loose",
            ),
            contact_aside(site, REMORTGAGE, when_text(page.advice, markup(page.advice), otherwise=rx.fragment(_WORDS))),
        ),
    )


def _problem(page: Shown[LenderPage]) -> rx.Component:
    searches = when(page.is_top3, rx.fragment(), otherwise=_searches(page))
    return rx.fragment(
        rx.el.p(page.problem), when_text(page.own_search, rx.fragment(searches, _own_search(page), _ltv_words(page)))
    )


def _banner(page: Shown[LenderPage], *, is_kind: bool) -> rx.Component:
    lead = rx.el.p(page.lead, class_name="lead") if is_kind else markup(page.lead, "lead")
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.span(picture(page.logo, width=190, height=78, lazy=False), class_name="logo large"),
                rx.el.h1(page.heading, tab_index=-1),
                lead,
                rx.el.p(page.by, class_name="by"),
                class_name="txt stack",
            ),
            *([] if is_kind else [banner_picture(page.banner)]),
            class_name="wrap",
        ),
        class_name="banner" if is_kind else class_if(has_text(page.banner.src), "banner with wide", otherwise="banner"),
    )


def _rates(site: Site, page: Shown[LenderPage]) -> rx.Component:
    """Draw the best deals or a link for each customer type (specification 2), the table, and the way onwards."""
    table = page.blocks.lender
    beside = when_any(table.rows, rates_beside_market(table), otherwise=no_deals())
    words = when(page.is_top3, table_example_and_date(page.blocks.tables), otherwise=_words(site, page.blocks.tables))
    return rx.fragment(
        when(page.is_top3, _best(site, page), otherwise=_searches(page)),
        titled_section("Rates by loan to value", "tables", beside, words, _ltv_words(page), _own_search(page)),
        titled_section(f"What {page.name} offers", "offers", lender_facts(table)),
    )


def _rates_of_kind(site: Site, page: Shown[LenderPage]) -> rx.Component:
    tables = foreach(
        page.blocks.tables.tables,
        lambda table: when_any(table.rows, rate_table(table, first_head="Loan to value"), otherwise=no_deals()),
    )
    words = _words(site, page.blocks.tables)
    return rx.fragment(
        _best(site, page), titled_section("Rates by loan to value", "tables", tables, words, _own_search(page))
    )


def _words(site: Site, tables: Any) -> rx.Component:
    return table_words(tables, site)


def _own_search(page: Shown[LenderPage]) -> rx.Component:
    return rx.el.p(button_link(f"See {page.name} deals for your figures", page.own_search))


def _best(site: Site, page: Shown[LenderPage]) -> rx.Component:
    head = rx.el.div(rx.el.h2("Its three best ", no_break(page.kind), page.deals, id="best"), rx.el.p(BASIS))
    panels = best_panels(page.blocks.best, site)
    return rx.el.section(
        rx.el.div(head, more_link("View all", page.view_all), class_name="head"),
        when_any(page.blocks.best.deals, panels, otherwise=no_deals()),
        aria_labelledby="best",
    )


def _searches(page: Shown[LenderPage]) -> rx.Component:
    links = foreach(page.searches, lambda link: rx.el.li(rx.el.a(link.label, href=link.href)))
    words = rx.el.p("Choose what you are doing, then type your price and loan.")
    return titled_section("Its deals by what you are doing", "searches", words, rx.el.ul(links, class_name="prose"))


def _ltv_words(page: Shown[LenderPage]) -> rx.Component:
    """Draw the content's words on loans to value, each with its call to action (specification 3, rates_tables)."""
    return foreach(
        page.ltv_words,
        lambda each: rx.el.div(
            rx.el.h3(each.heading, class_name="as-h4"),
            rx.el.p(each.words),
            when_text(each.cta, rx.el.p(more_link(each.cta, routes.CONTACT))),
            class_name="stack tight-8",
        ),
    )


def _lender_words(page: Shown[LenderPage]) -> list[rx.Component]:
    known = calculators_of_page(tuple(each.slug for each in CALCULATORS), page=CALCULATOR_PAGE)
    panels = calculators_on_demand(page.calculators, page.calculator_links, calculators=known)
    return [
        when_any(page.calculators, titled_section("Work it out", "sums", *panels)),
        foreach(
            page.sections,
            lambda section: rx.el.section(
                when_text(section.heading, rx.el.h2(section.heading, id=section.anchor)),
                markup(section.html),
                when_text(section.cta, rx.el.p(more_link(section.cta, routes.CONTACT))),
                class_name="stack",
                aria_labelledby=section.anchor,
            ),
        ),
    ]


class _PagesWithRates:
    """What the list of lenders and their pages are made of; `version` is equal while every page is."""

    def __init__(
        self,
        inputs: BuildInputs,
        directory: LenderDirectory,
        *,
        rates: LenderRates,
        template: str,
        head: Callable[[Page], HeadView],
    ) -> None:
        self.template = template
        self._inputs, self._directory, self._rates, self._head = inputs, directory, rates, head
        self._revision = Revision()

    def version(self, _path: str) -> Hashable:
        sources = (self._inputs.store.content, self._directory.lenders, self._directory.logos())
        return (self._revision.of(*sources), self._rates.version)


class _LenderList(_PagesWithRates):
    """Finds the list of lenders."""

    shape = shape(LendersPage)
    paths = (routes.LENDERS,)

    async def find(self, _path: str) -> LendersPage:
        lenders = self._directory.lenders
        return lenders_page(
            lenders,
            head=self._head(_lender_list(replace(self._inputs, lenders=lenders))),
            best=self._rates.lowest(lender for lender in lenders if lender.lender_id),
            logos=self._directory.logos(),
        )


class _LenderPages(_PagesWithRates):
    """Finds the pages of lenders, or of their deals of one kind, by path."""

    shape = shape(LenderPage)

    @cached_property
    def _lenders(self) -> Derived[Mapping[str, tuple[KnownLender, DealType | None]]]:
        return Derived(self._by_path, lambda: (self._directory.lenders,))

    @property
    def paths(self) -> Mapping[str, tuple[KnownLender, DealType | None]]:
        return self._lenders.current()

    def _by_path(self) -> Mapping[str, tuple[KnownLender, DealType | None]]:
        shown = (lender for lender in self._directory.lenders if lender.slug)
        return {lender_path(each, kind): (each, kind) for each in shown for kind in self._kinds(each)}

    def _kinds(self, lender: KnownLender) -> tuple[DealType | None, ...]:
        return kinds(lender) if self.template == _LENDER_DEALS else (None,)

    async def find(self, path: str) -> LenderPage | None:
        if path not in self.paths:
            return None
        lender, kind = self.paths[path]
        page = page_of_lender(self._inputs, lender, kind=kind)
        return lender_page(
            lender,
            kind,
            text=text_of(self._inputs, lender),
            head=self._head(page),
            firm=self._inputs.store.site().name,
            logo=self._directory.logos().get(lender.lender_id, lender.mark),
            blocks=await self._blocks(lender, kind),
            art=self._inputs.store.banner(path),
        )

    async def _blocks(self, lender: KnownLender, kind: DealType | None) -> RateBlocks | None:
        """Return the rates of a page; None where the lender has none, or they cannot be read."""
        if not lender.lender_id:
            return None
        try:
            best, listing = await self._rates.blocks(lender, kind)
        except LenderWithoutRatesError:
            return RateBlocks()
        except RatesError as error:
            log.warning("the rates of a lender's page could not be read: %s", error)
            return None
        return lender_blocks(best, listing, kind=kind, logos=self._directory.logos())


def lender_pages(
    inputs: BuildInputs, directory: LenderDirectory, *, rates: LenderRates, head: Callable[[Page], HeadView]
) -> tuple[_LenderList | _LenderPages, ...]:
    of_lenders = (
        _LenderPages(inputs, directory, rates=rates, template=name, head=head) for name in (_LENDER, _LENDER_DEALS)
    )
    return (_LenderList(inputs, directory, rates=rates, template=_LENDER_LIST, head=head), *of_lenders)
