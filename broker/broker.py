"""Composition root: settings, services, pages and the edge, joined into the app."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from starlette.types import ASGIApp

from broker import routes, services
from broker.analytics.counted import Counted
from broker.build_inputs import BuildData, build_inputs, read_method
from broker.components.client_scripts import ScriptFiles
from broker.content.live_content import LiveContent
from broker.content.page_head import HeadView
from broker.content.snapshot.snapshot_folder import picture_folders, snapshot_folder
from broker.content.source import content_store, content_version, read_lender_list
from broker.content.store import ContentStore, SiteContent, compiled_content
from broker.derived import Derived
from broker.documents.document import Letterhead
from broker.documents.plans import letterhead
from broker.duties.promotion import PublicPage
from broker.enquiries.summary import next_call
from broker.enquiries.working_time import UK, working_week
from broker.jinja_places import template_of
from broker.lenders.directory import KnownLender, LenderDirectory, known_lenders, market_lenders
from broker.lenders.lender import MARK
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.logo import LOGO_FOLDER
from broker.lenders.page_history import PageHistory
from broker.lenders.windows import load_windows
from broker.mail.rendering import firm_of
from broker.pages import all_pages, data_pages, list_pages, template_pages
from broker.pages.articles.guides import GuidePages
from broker.pages.data_page import PageInBrowser
from broker.pages.data_page import in_browser as data_page_in_browser
from broker.pages.data_page import template as data_page_template
from broker.pages.rate_history import RateHistoryPages
from broker.pages.rates.lenders import lender_pages
from broker.pages.registry import BuildInputs, DataPage, Page, dates_of, full_title, head_view, linked_data, meta_tags
from broker.pages.site import not_found
from broker.pages.site.not_found import error_boundary
from broker.pages.site.search import site_index
from broker.plans.rate_history import Visit, visit
from broker.questionnaire.check import load_flow
from broker.questionnaire.flows import QuestionnaireFiles, QuestionnaireFlows
from broker.rates.archive import RatesArchive
from broker.rates.averages import read_history
from broker.rates.daily_lowest import DailyLowestFile
from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.feed.products import FeedRateSource
from broker.rates.feed.site_content import fetch_questionnaire
from broker.rates.lender_rates import LenderRates, SavedLenderRates
from broker.rates.live_feed import BestRates, LiveFeed
from broker.rates.market.catalogue import load, product_counts
from broker.rates.market.rate_source import MarketLenderRates, MarketRateSource
from broker.rates.search import RatesService
from broker.runtime import Runtime
from broker.server import health, metrics, site_files
from broker.server.content_hook import ContentHook
from broker.server.data_pages import DataPages, data_page_handlers
from broker.server.downloads import rate_history_csv_handler, rates_csv_handler
from broker.server.edge import api_transformer
from broker.server.forms.appointment_pages import AppointmentPages
from broker.server.forms.call_times import CallTimes
from broker.server.forms.enquiry_forms import (
    answers_post,
    contact_post,
    form_token,
    thank_you_handler,
    your_enquiry_handler,
    your_enquiry_post,
)
from broker.server.forms.page_answers import page_handlers
from broker.server.forms.posts import MessagePost, Post, redirect_get_to_form_page
from broker.server.forms.question_forms import (
    journey_cookie_check,
    journey_cookie_post,
    question_handlers,
    question_post,
)
from broker.server.forms.watch_forms import my_watch_handler, my_watch_post, stop_handlers, watch_post
from broker.server.mail_hook import MailHook
from broker.server.middleware import AmbiguousRequests
from broker.server.pictures import (
    content_drawings,
    content_picture_handler,
    drawing_handler,
    logo_handler,
    mark_handler,
)
from broker.server.promotion_pages import PromotionPages
from broker.server.releases import LiveExport
from broker.server.response import Handler, security_headers
from broker.server.result_pdfs import pdf_handlers
from broker.server.site_files import Entry, SiteSearch, sitemap_handlers
from broker.server.socket_events import RedisSockets, SocketEvents, log_failed_handler, log_page_error
from broker.server.staff.area import LogoPosts, StaffArea
from broker.server.visit_counts import VisitCounts
from broker.settings import read_settings
from broker.staff.health import Health
from broker.state.questionnaire import JourneyAccessCheck
from broker.state.staff.access import StaffAccessCheck

settings = read_settings()

RATES_PERIOD = timedelta(minutes=settings.rates_minutes)
"""Time for which rates of the live feed are cached, and after which its saved rates and guides are read again."""

EMPTY_PERIOD = timedelta(hours=settings.empty_rates_hours)
"""Time for which pages show the last list of a live feed that returns none."""

MAX_TABS = 6_000
"""Tabs in memory, of which an idle one takes 69 kB; above it new sockets are refused until some have expired."""

catalogue = load(settings.data_dir / "market")
averages = read_history(settings.data_dir / "market" / "bank_of_england")
daily_lowest = DailyLowestFile(settings.state_dir / "daily-lowest.csv")
version = content_version(settings)
store = content_store(settings)
flow_text = (settings.data_dir / "questionnaire.json").read_text(encoding="utf-8")
flow = load_flow(flow_text)
method = read_method(settings.data_dir)


async def _public_pages() -> Sequence[PublicPage]:
    return await promotion_pages()


def _letterhead() -> Letterhead:
    return letterhead(store.site(), site_url=settings.site_url)


def _feed_client() -> FeedClient | None:
    if not settings.api_url:
        return None
    seconds = settings.api_seconds
    return FeedClient(FeedSettings(api_url=settings.api_url, read_timeout=seconds, total_timeout=seconds + 0.5))


def _known_lenders(content: SiteContent) -> tuple[KnownLender, ...]:
    return known_lenders(market_lenders(catalogue), content.lenders, names=read_lender_list(settings))


def _archive(name: str) -> RatesArchive:
    return RatesArchive(settings.state_dir / name, source=settings.api_url)


def _live(client: FeedClient) -> LiveFeed:
    saved = _archive("saved")
    make = partial(LiveFeed, client, directory, every=RATES_PERIOD, lenders=logos.refresh, shown_for=EMPTY_PERIOD)
    return make(archive=saved, daily=daily_lowest)


def _rates(client: FeedClient | None) -> RatesService:
    """Return the rates search; results of a live feed are archived for the next process."""
    if client is None:
        return RatesService(MarketRateSource(catalogue=catalogue), observe=metrics.searched)
    archive = _archive("answers")
    service = partial(RatesService, FeedRateSource(client=client), fresh_for=RATES_PERIOD, shown_for=EMPTY_PERIOD)
    return service(archive=archive, is_shared=bool(settings.redis_url), observe=metrics.searched)


def _services() -> services.Services:
    rates = _rates(feed)
    release = live_export.served
    health = Health(settings, services.current, rates=rates, logos=logos, flows=flows, live=live, release=release)
    return services.Services(
        rates=rates,
        best=BestRates(rates, live.saved if live else None),
        lender_rates=LenderRates(
            SavedLenderRates(saved=live.saved, directory=directory) if live else MarketLenderRates(catalogue=catalogue)
        ),
        lenders=directory,
        logos=logos,
        health=health,
        rate_history=_visit,
        is_demo=settings.is_demo,
        sends_mail=settings.sends_mail,
        public_pages=_public_pages,
    )


def _page_function(render: Callable[[], rx.Component], name: str, *, family: str = "") -> Callable[[], rx.Component]:
    """Return a page's render function under a module name of its own, or of its family.

    Reflex compiles memoised components into one script for each Python module: pages of one module load each other's.
    """

    def draw() -> rx.Component:
        return render()

    name = name.replace("/", "_").replace("-", "_") or "home"
    draw.__module__, draw.__name__ = f"{__package__}.pages.drawn_{family or name}", name
    return draw


def _holds_all_tabs() -> bool:
    """Return whether this process has MAX_TABS in memory."""
    manager = app.state_manager
    return isinstance(manager, StateManagerMemory) and len(manager.states) >= MAX_TABS


def _app(inputs: BuildInputs) -> rx.App:
    edge = api_transformer(
        settings,
        live_export,
        handlers=handlers,
        posts=posts,
        data_pages=pages_of_data,
        history=page_history.current,
        is_full=_holds_all_tabs,
        observe=visits.count_request,
    )
    app = rx.App(
        toaster=None,
        # replaces Reflex's overlay: broker.pages.site.contact has our own message
        app_wraps={(55, "ErrorBoundary"): lambda _: error_boundary(store.site())},
        backend_exception_handler=log_failed_handler,
        frontend_exception_handler=log_page_error,
        html_lang="en-GB",
        stylesheets=["/site.css"],
        head_components=[rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml")],
        api_transformer=(sockets.refuse_without_redis, edge, staff_area.protect),
    )
    app.add_middleware(StaffAccessCheck())
    app.add_middleware(JourneyAccessCheck())
    pages = all_pages(inputs)
    rx.config.get_config().plugins.append(ScriptFiles())
    for page in (*pages, *template_pages(inputs)):
        if not page.template:
            _add(app, page)
    for kind in data_pages(inputs):
        _add_kind(app, inputs, kind)
    app.add_page(lambda: not_found.unknown_path(inputs), route="404", title="Page not found")
    return app


def _add(app: rx.App, page: Page) -> None:
    app.add_page(
        _page_function(page.render, page.route.strip("/"), family=page.family),
        route=page.route.rstrip("/") or "/",
        title=full_title(page, store.site().name),
        description=page.description,
        image=settings.site_url + page.picture,
        meta=_tags(page),
        on_load=page.on_load,
    )


def _head(page: Page) -> HeadView:
    return head_view(page, site_url=settings.site_url, firm=store.site().name)


def _tags(page: Page) -> list[Any]:
    head = _head(page)
    tags = meta_tags(head, firm=store.site().name, dates=dates_of(page), indexed=page.indexed)
    return [*tags, *map(linked_data, head.data)]


def _add_kind(app: rx.App, inputs: BuildInputs, kind: DataPage) -> None:
    """Add the template of a kind of data pages, and their page in the browser."""
    shown = PageInBrowser(kind.view)
    name = routes.edge_template(kind.name)
    template = template_of(kind.view, "page")
    pages: tuple[tuple[str, Callable[[], rx.Component], Any, Any], ...] = (
        (name, partial(data_page_template, inputs, kind), template, template.head.title),
        (kind.pattern, partial(data_page_in_browser, inputs, kind, shown=shown), shown.view, shown.title),
    )
    for route, render, view, title in pages:
        app.add_page(
            _page_function(render, route.strip("/[]"), family=f"data_{kind.name}"),
            route=route,
            title=title,
            description=view.head.description,
            image=view.head.image,
            meta=meta_tags(view.head, firm=store.site().name, dates=kind.dates),
        )


def serve() -> ASGIApp:
    """Return the ASGI application."""
    return AmbiguousRequests(app(), security_headers(settings.site_url))


def _pages() -> tuple[Page, ...]:
    """Return every page, of the current content and lenders."""
    return all_pages(replace(inputs, lenders=directory.lenders))


def _sources_of_pages() -> tuple[object, ...]:
    """Return the objects that the pages are derived from."""
    return (store.content, directory.lenders)


def _sitemap_entries() -> list[Entry]:
    return [Entry(path=page.route, changed=page.lastmod) for page in _pages() if page.indexed]


def _counted_paths() -> dict[str, Counted]:
    """Return how a view of each path is counted: of every page, every question of today's flow, and every PDF."""
    files = (path for path in handlers if path.endswith(".pdf") and not path.startswith(routes.STAFF))
    return {
        **dict.fromkeys(files, Counted.PDF),
        **dict.fromkeys(map(routes.question, flows.current.steps), Counted.QUESTION),
        **{page.route: page.counted_as for page in _pages() if page.counted_as},
    }


def _data_pages() -> DataPages:
    lenders = lender_pages(inputs, directory, rates=installed.lender_rates, head=_head)
    lists = list_pages(inputs, directory, head=_head)
    history = RateHistoryPages(inputs, _visit, head=_head)
    kinds = (*lenders, GuidePages(inputs, head=_head), *lists, site_search, history)
    return DataPages(live_export, kinds, by_figures={routes.RATE_HISTORY: history.find_by_figures})


def _visit(given: Mapping[str, str]) -> Visit:
    return visit(averages, given, ours=daily_lowest.current(), today=datetime.now(UK).date())


directory = LenderDirectory(_known_lenders(store.content), windows=load_windows(settings.data_dir))
page_history = PageHistory(
    store,
    directory,
    ours=market_lenders(catalogue),
    is_served=lambda path: path in live_export.export.files or path in pages_of_data,
)
live_content = LiveContent(settings, store, directory, version=version, lenders=_known_lenders)
live_export = LiveExport(settings.releases_dir, settings.site_url, on_change=live_content.take)
feed = _feed_client()
logos = LogoAdmin(directory, feed, products=None if feed else product_counts(catalogue))
live = _live(feed) if feed else None
flows = QuestionnaireFlows(
    flow, text=flow_text, files=QuestionnaireFiles(settings), fetch=partial(fetch_questionnaire, feed) if feed else None
)
installed = _services()
services.install(installed)
staff_area = StaffArea(installed, settings=settings, firm=store.site().name, letterhead=_letterhead)
content_hook = ContentHook(settings, lambda: installed.publishing)
mail_hook = MailHook(settings, lambda: installed.mail)
build_data = BuildData(_feed_client, _rates, store=store)
inputs = build_inputs(store, build_data, directory=directory, site_url=settings.site_url, flow=flow, method=method)
site_search = SiteSearch(lambda: site_index(_pages()), _sources_of_pages)
pages_of_data = _data_pages()
promotion_pages = PromotionPages(live_export, pages_of_data)
call_times = CallTimes(installed, live_export)
appointment_pages = AppointmentPages(installed, live_export, call_times)
drawings = drawing_handler(Derived(lambda: content_drawings(store, directory.lenders), _sources_of_pages).current)
ask_to_stop_watch, stop_watch = stop_handlers(installed, live_export)
logo_files = LogoPosts(installed)
posts: dict[str, Post | MessagePost] = {
    **(staff_area.posts | content_hook.posts() | mail_hook.posts()),
    **logo_files.posts(),
    routes.GIVE_ANSWER: question_post(lambda: installed.journeys, live_export),
    routes.JOURNEY_COOKIE: journey_cookie_post(lambda: installed.journeys, live_export),
    routes.CONTACT: contact_post(installed, live_export),
    routes.SEND_ANSWERS: answers_post(installed, live_export),
    routes.YOUR_ENQUIRY: your_enquiry_post(installed, live_export),
    **appointment_pages.posts(),
    routes.START_WATCH: watch_post(installed, live_export, is_sample=feed is None, sends_mail=settings.sends_mail),
    routes.MY_WATCH: my_watch_post(installed, live_export, is_sample=feed is None),
    routes.STOP_WATCH: stop_watch,
}
handlers: dict[str, Handler] = {
    **(staff_area.handlers | logo_files.handlers() | page_handlers(live_export, call_times, firm=store.site().name)),
    f"{LOGO_FOLDER}*": logo_handler(logos.logo_cache),
    f"{MARK}*": mark_handler(logos.logo_cache, drawings),
    f"{routes.ART}*": drawings,
    f"{routes.CONTENT_PICTURES}*": content_picture_handler(partial(picture_folders, snapshot_folder(settings))),
    routes.RATE_HISTORY_CSV: rate_history_csv_handler(proxies=settings.trusted_proxies),
    **pdf_handlers(_letterhead, proxies=settings.trusted_proxies),
    **data_page_handlers(pages_of_data),
    routes.SEARCH: pages_of_data.answer,
    routes.SEARCH_INDEX: site_search.answer,
    **(content_hook.handlers() | mail_hook.handlers()),
    routes.RATES_CSV: rates_csv_handler(proxies=settings.trusted_proxies),
    routes.THANK_YOU: thank_you_handler(
        installed,
        live_export,
        next_call=lambda enquiry: next_call(enquiry, site=store.site()),
        sends_mail=settings.sends_mail,
    ),
    routes.YOUR_ENQUIRY: your_enquiry_handler(installed, live_export),
    **appointment_pages.handlers(),
    routes.MY_WATCH: my_watch_handler(installed, live_export, is_sample=feed is None),
    routes.STOP_WATCH: ask_to_stop_watch,
    routes.SEND_ANSWERS: redirect_get_to_form_page(routes.CHECK_ANSWERS),
    routes.GIVE_ANSWER: redirect_get_to_form_page(routes.QUESTIONNAIRE),
    routes.JOURNEY_COOKIE: journey_cookie_check,
    routes.FORM_TOKEN: form_token(installed),
    **health.health_handlers(
        installed.check_writable,
        installed.health.report,
        redis=installed.redis_answers,
        has_right_key=installed.has_right_key,
    ),
    **metrics.metrics(installed.health.report, redis=installed.redis_answers, tokens=settings.metrics_tokens),
    **sitemap_handlers(settings.site_url, _sitemap_entries, sources=_sources_of_pages),
    site_files.SECURITY_TXT: site_files.security_txt(settings.site_url, lambda: store.site().email),
    **question_handlers(installed, live_export, flows=flows),
}
week = working_week((each.days, each.hours) for each in store.site().hours)
runtime = Runtime(installed, settings, flows, firm=lambda: firm_of(store.site(), site_url=settings.site_url), week=week)
counted_paths = Derived(_counted_paths, lambda: (*_sources_of_pages(), flows.current))
visits = VisitCounts(installed.counts.add, counted_paths.current)
sockets = RedisSockets()
app = _app(replace(inputs, store=ContentStore(compiled_content(store.content))))
app.register_lifespan_task(live_content.watching)
app.register_lifespan_task(live_export.watching)
app.register_lifespan_task(flows.running, every=RATES_PERIOD)
app.register_lifespan_task(runtime.running)
app.register_lifespan_task(runtime.watch_redis, notify=sockets.handle_redis)
SocketEvents(visits.count_event).filter_events_of(app)
if live:
    app.register_lifespan_task(live.running, rates=installed.rates)
