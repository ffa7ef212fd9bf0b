"""The glossary: every term by its first letter, with its definition and the guide or calculator that goes further."""

from functools import partial
from html import escape
from itertools import groupby

import reflex as rx

from broker import routes
from broker.calculators.registry import CALCULATORS
from broker.components.elements import contents, more_link
from broker.content.models.glossary import Term
from broker.content.page_head import TEXTS, image_path
from broker.content.store import ContentStore
from broker.content.structured_data import glossary_data
from broker.pages.layout import banner, columns, layout
from broker.pages.registry import BuildInputs, Page, Section
from broker.pages.site.contact import contact_aside
from broker.site_search.view import SearchWords


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    glossary = inputs.store.glossary()
    names = (name for term in glossary.terms for name in (term.title, *term.forms))
    return (
        Page(
            route=routes.GLOSSARY,
            title=glossary.meta_title,
            label="Mortgage glossary",
            description=glossary.description,
            render=partial(_render, inputs),
            picture=image_path(TEXTS),
            section=Section.GUIDES,
            search=SearchWords(
                keywords=(glossary.title, "dictionary jargon meaning what is", *names),
                html=escape(" ".join(term.text for term in glossary.terms)),
            ),
            json_ld=(glossary_data(glossary, site_url=inputs.site_url),),
            lastmod=glossary.updated.isoformat(),
        ),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    glossary, further = inputs.store.glossary(), _further(inputs.store)
    letters = [(letter, tuple(terms)) for letter, terms in groupby(glossary.terms, lambda term: term.title[0].upper())]
    body = (
        rx.el.section(
            rx.el.h2(letter, id=_anchor(letter)),
            *(_entry(term, further.get(term.see, "")) for term in terms),
            class_name="stack",
            aria_labelledby=_anchor(letter),
        )
        for letter, terms in letters
    )
    aside = contact_aside(inputs.store.site(), "Talk to us", "No broker fee, and asking is free.")
    return layout(
        inputs,
        routes.GLOSSARY,
        banner(glossary.title, glossary.summary),
        rx.el.div(
            columns(
                contents((letter, _anchor(letter)) for letter, _ in letters),
                rx.el.div(*body, class_name="stack loose glossary"),
                aside,
                look="side guide",
            ),
            class_name="white",
        ),
        call=False,
    )


def _anchor(letter: str) -> str:
    return f"letter-{letter.lower()}"


def _further(store: ContentStore) -> dict[str, str]:
    """Return the titles of guides and calculators by path."""
    guides = {routes.guide(guide.url): guide.title for guide in store.guides()}
    return guides | {routes.calculator(each.slug): f"Work it out: {each.title}" for each in CALCULATORS}


def _entry(term: Term, further: str) -> rx.Component:
    """Draw a term; pages show what is in it beside a link to it (`components/js/terms.js`)."""
    more = [rx.el.p(more_link(further, term.see))] if further else []
    return rx.el.div(rx.el.h3(term.title), rx.el.p(term.text), *more, id=term.slug)
