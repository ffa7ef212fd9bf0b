"""Text pages from the content store: about us, FAQs, contact, legal pages."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import groupby

import reflex as rx

from broker import routes
from broker.calculators.registry import calculators_of_page
from broker.components.elements import contents, markup, note, questions, telephone_link, titled_section
from broker.content.models.pages import ContentPage, Faq, PageKind
from broker.content.models.site import Site
from broker.content.page_head import REVIEWS, TEXTS, image_path
from broker.content.store import find_page
from broker.content.structured_data import Data, faq_data, firm_data
from broker.enquiries.form_view import ERROR_TITLE
from broker.jinja_places import variable
from broker.pages.calculator import calculator_panel
from broker.pages.enquiry_form import CALLBACK, EnquiryForm, enquiry_form
from broker.pages.layout import content_banner, layout
from broker.pages.registry import BuildInputs, Page, content_page, edge_template_page
from broker.pages.site.contact import contact_aside
from broker.pages.site.reviews import all_reviews, reviews_slider

_ELSEWHERE = (PageKind.GUIDES, PageKind.LOCAL)
"""Page kinds drawn by `guides` and `towns`, which add a list to the text."""

_CONTENTS, _WORTH_A_LIST = 2, 3
"""Heading level listed in the table of contents, and the minimum number of headings for one."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return tuple(
        replace(
            content_page(
                page,
                partial(_render, inputs, page),
                picture=image_path(REVIEWS if page.kind is PageKind.REVIEWS else TEXTS),
            ),
            json_ld=_data(inputs, page),
        )
        for page in inputs.store.pages()
        if page.kind not in _ELSEWHERE
    )


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    page = find_page(inputs.store, routes.CONTACT)
    return (
        edge_template_page(
            "contact",
            title=f"{variable(ERROR_TITLE)}{page.title}",
            description=page.description,
            render=partial(_render, inputs, page, is_template=True),
        ),
    )


def _data(inputs: BuildInputs, page: ContentPage) -> tuple[Data, ...]:
    base = inputs.site_url
    return (
        *([faq_data(page.faqs)] if page.faqs else []),
        *([firm_data(inputs.store.site(), site_url=base)] if page.kind is PageKind.CONTACT else []),
    )


def _render(inputs: BuildInputs, page: ContentPage, *, is_template: bool = False) -> rx.Component:
    author = f"By {page.author}. " if page.author else ""
    draft = note("Draft", "We have not finished this page yet.", tone="warn")
    form = [_form(inputs.store.site(), is_template=is_template)] if page.path == routes.CONTACT else []
    drafts = [draft] if page.draft else []
    store, is_about_reviews = inputs.store, page.kind is PageKind.REVIEWS
    reviews = [all_reviews(store.reviews(), store.site().reviews)] if is_about_reviews else []
    text = markup(page.html, "prose advice-steps" if page.path == routes.ABOUT else "prose")
    body = rx.el.div(*form, *drafts, text, *_groups(page.faqs), class_name="stack loose")
    return layout(
        inputs,
        page.path,
        content_banner(inputs, page, author=author),
        rx.el.div(*reviews, _beside(inputs, page, body), *_calculators(page), class_name="wrap band-s stack loose"),
        *([reviews_slider(store.reviews(), store.site().reviews)] if page.path == routes.ABOUT else []),
        call=False,
    )


def _beside(inputs: BuildInputs, page: ContentPage, body: rx.Component) -> rx.Component:
    """Draw a text with a contact aside, and a table of contents when it has enough headings."""
    headings = [(one.text, one.anchor) for one in page.headings if one.level == _CONTENTS]
    headings += [(group, _anchor(group)) for group, _ in _grouped(page.faqs) if group]
    aside = contact_aside(inputs.store.site(), "Talk to us", "No broker fee, and asking is free.")
    if len(headings) < _WORTH_A_LIST or page.kind is PageKind.CONTACT:  # there, the number comes first
        return rx.el.div(body, aside, class_name="side")
    return rx.el.div(contents(headings), body, aside, class_name="side guide")


def _form(site: Site, *, is_template: bool) -> rx.Component:
    hours = "; ".join(f"{each.days}, {each.hours}" for each in site.hours)
    return rx.el.section(
        rx.el.h2("Request a callback, or send us a message", id="callback-title"),
        rx.el.p("Or call ", telephone_link(site.phone, number=site.tel), f": {hours}."),
        enquiry_form(site, EnquiryForm(action=routes.CONTACT, button="Send", has_kind=True, is_template=is_template)),
        id=CALLBACK,
        class_name="panel stack",
        aria_labelledby="callback-title",
    )


def _grouped(faqs: Iterable[Faq]) -> list[tuple[str, list[Faq]]]:
    return [(group, list(entries)) for group, entries in groupby(faqs, key=lambda faq: faq.group)]


def _anchor(group: str) -> str:
    return "about-" + re.sub(r"[^a-z0-9]+", "-", group.lower()).strip("-")


def _calculators(page: ContentPage) -> list[rx.Component]:
    listed = calculators_of_page(page.calculators, page=page.path.strip("/"))
    if not listed:
        return []
    return [titled_section("Work it out", "calculators", *map(calculator_panel, listed))]


def _groups(faqs: Iterable[Faq]) -> list[rx.Component]:
    return [
        rx.el.section(
            *([rx.el.h2(group, id=_anchor(group))] if group else []),
            questions((faq.question, faq.answer) for faq in entries),
            class_name="stack",
        )
        for group, entries in _grouped(faqs)
    ]
