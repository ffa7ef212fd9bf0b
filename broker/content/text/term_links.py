"""Links from the first mention of a term on a page to its entry of the glossary."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml ships no types
from lxml.html import HtmlElement

from broker import routes
from broker.content.models.glossary import Term
from broker.content.models.lenders import LenderText
from broker.content.models.pages import Faq
from broker.content.models.pictures import NO_HTML, SafeHtml, join_html
from broker.content.store import HOME_FAQS, SiteContent
from broker.markup import HEADINGS, fragment_html, parse_fragment

_WITHOUT_LINKS = ("a", "button", "summary", "label", "th", "caption", "figure", "code", "pre", *HEADINGS)
_TEXTS = etree.XPath(f"//text()[not({' or '.join(f'ancestor::{tag}' for tag in _WITHOUT_LINKS)})]")
_LINKED = etree.XPath(f"//a[starts-with(@href, '{routes.GLOSSARY}#')]/@href")


def with_term_links(content: SiteContent) -> SiteContent:
    """Return the content with the first mention of each term linked, once on each page.

    Questions of a service are on several pages: they come after its own text, and the texts at the end of the others
    link no term that the questions do.
    """
    links = TermLinks(content.glossary.terms)
    services = tuple(
        replace(each, section_1=texts[0], section_2=texts[1], faqs=links.answers(each.faqs, after=join_html(texts)))
        for each in content.services
        for texts in (links.texts((each.section_1, each.section_2)),)
    )
    pages = tuple(
        replace(each, html=html, faqs=links.answers(each.faqs, after=html))
        for each in content.pages
        for (html,) in (links.texts((each.html,)),)
    )
    before = {each.slug: join_html((each.section_1, each.section_2)) for each in services}
    before |= {each.path: each.html for each in pages}
    faqs = {topic: links.answers(each, after=before.get(topic, NO_HTML)) for topic, each in content.faqs.items()}
    topics = {customer: each.slug for each in services for customer in each.customers}
    shown = {routes.deals(customer): topic for customer, topic in topics.items()}
    shown |= {routes.HOME: HOME_FAQS, routes.RATES: routes.FAQS}

    def of_topic(html: SafeHtml, topic: str) -> SafeHtml:
        return links.texts((html,), after=join_html(faq.answer for faq in faqs.get(topic, ())))[0]

    return replace(
        content,
        services=services,
        pages=pages,
        faqs=faqs,
        front_pages={
            path: replace(each, html=of_topic(each.html, shown.get(path, "")))
            for path, each in content.front_pages.items()
        },
        deal_pages=tuple(
            replace(each, html=of_topic(each.html, topics.get(each.customer, ""))) for each in content.deal_pages
        ),
        guides=tuple(replace(each, html=links.texts((each.html,))[0]) for each in content.guides),
        towns=tuple(
            replace(each, html=html, faqs=links.answers(each.faqs, after=html))
            for each in content.towns
            for (html,) in (links.texts((each.html,)),)
        ),
        lenders={key: links.lender(text) for key, text in content.lenders.items()},
    )


class TermLinks:
    """Links to the entries of some terms."""

    def __init__(self, terms: Iterable[Term]) -> None:
        terms = tuple(terms)
        exceptions = (phrase for term in terms for phrase in term.exceptions)
        self._slugs = {form: term.slug for term in terms for form in term.forms} | dict.fromkeys(exceptions, "")
        phrases = sorted(self._slugs, key=len, reverse=True)
        self._pattern = re.compile(rf"\b(?<!-)(?:{'|'.join(map(_alternative, phrases))})(?![\w-])")

    def texts(self, texts: Iterable[SafeHtml], *, after: SafeHtml = NO_HTML) -> tuple[SafeHtml, ...]:
        """Return the texts of a page in its order, each term linked once there and in `after`, which is linked."""
        texts = tuple(texts)
        written = join_html((after, *texts))
        seen = {"", *_linked_terms(written)} if routes.GLOSSARY in written else {""}
        return tuple(self._linked(html, seen) for html in texts)

    def answers(self, faqs: Iterable[Faq], *, after: SafeHtml) -> tuple[Faq, ...]:
        faqs = tuple(faqs)
        answers = self.texts((faq.answer for faq in faqs), after=after)
        return tuple(replace(faq, answer=answer) for faq, answer in zip(faqs, answers, strict=True))

    def lender(self, text: LenderText) -> LenderText:
        parts = (text.banner_content, *(section.html for section in text.details), text.fixed_section_content)
        lead, *details, side = self.texts(parts)
        sections = zip(text.details, details, strict=True)
        return replace(
            text,
            banner_content=lead,
            details=tuple(replace(section, html=html) for section, html in sections),
            fixed_section_content=side,
        )

    def _linked(self, html: SafeHtml, seen: set[str]) -> SafeHtml:
        """Link terms that are not `seen`, and add them to it."""
        if not self._pattern.search(html):
            return html
        root, before = parse_fragment(html), len(seen)
        for text in _TEXTS(root):
            self._link_in(text, seen)
        return SafeHtml(fragment_html(root)) if len(seen) > before else html

    def _link_in(self, text: Any, seen: set[str]) -> None:
        """Link terms in a text of the tree, which XPath returns with its place."""
        parent, links, end = text.getparent(), list[HtmlElement](), 0
        words = str(text)
        first = len(words)
        for match in self._pattern.finditer(words):
            phrase = " ".join(match[0].split())
            slug = self._slugs.get(phrase) or self._slugs.get(phrase.lower(), "")
            if slug in seen:
                continue
            seen.add(slug)
            link = parent.makeelement("a", {"class": "term", "href": routes.term(slug)})
            link.text = match[0]
            if links:
                links[-1].tail = words[end : match.start()]
            else:
                first = match.start()
            links.append(link)
            end = match.end()
        if not links:
            return
        links[-1].tail = words[end:]
        if text.is_tail:
            parent.tail, place, parent = words[:first], parent.getparent().index(parent) + 1, parent.getparent()
        else:
            parent.text, place = words[:first], 0
        parent[place:place] = links


def _linked_terms(html: str) -> tuple[str, ...]:
    return tuple(str(href).partition("#")[2] for href in _LINKED(parse_fragment(html)))


def _alternative(phrase: str) -> str:
    """Return the pattern of a phrase: one in lower case in any case, any white space between its words.

    Its first character is outside the group of flags: the engine tries alternatives by their first character.
    """
    rest = r"\s+".join(map(re.escape, phrase[1:].split(" ")))
    first, capital = re.escape(phrase[0]), re.escape(phrase[0].upper())
    return f"[{first}{capital}](?i:{rest})" if phrase == phrase.lower() else first + rest
