"""What pages tell search engines (schema.org, as JSON-LD): the firm, the way to a page, articles, answers.

Ratings of our own are not marked up: no search engine shows them, and they would be the firm's word on itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import unescape
from typing import Any, TypeAlias

from broker import routes
from broker.content.models.guides import Guide
from broker.content.models.pages import Faq
from broker.content.models.site import Site
from broker.presenters.social_images import GUIDES, HEIGHT, HOME, WIDTH, path

Data: TypeAlias = Mapping[str, Any]

_CONTEXT = "https://schema.org"

MARK = "/favicon.svg"
"""The mark of the firm, as a picture by itself."""

_END_OF_BLOCK, _TAG = re.compile(r"</(?:p|li|h[1-6]|tr|t[dh])>|<br\b[^>]*>"), re.compile(r"<[^>]+>")


def firm(site: Site, *, site_url: str) -> Data:
    """Return who the firm is, for its home page and the page of its address; a sample firm says that it is one."""
    register = {"@type": "PropertyValue", "name": f"{site.regulator} firm reference number", "value": site.frn_shown}
    return {
        "@context": _CONTEXT,
        "@type": "FinancialService",
        "@id": f"{site_url}/#firm",
        "name": site.name,
        "description": f"{site.company_description} {site.sample_sentence if site.sample else ''}".strip(),
        "url": f"{site_url}/",
        "telephone": site.tel,
        "email": site.email,
        "address": {"@type": "PostalAddress", "streetAddress": ", ".join(site.address), "addressCountry": "GB"},
        "areaServed": {"@type": "Country", "name": "United Kingdom"},
        "identifier": register,
        "image": site_url + path(HOME),
        "logo": f"{site_url}{MARK}",
    }


def website(site: Site, *, site_url: str) -> Data:
    """Return the site itself with its search, for its home page."""
    target = {"@type": "EntryPoint", "urlTemplate": f"{site_url}{routes.SEARCH}?q={{search_term_string}}"}
    return {
        "@context": _CONTEXT,
        "@type": "WebSite",
        "name": site.name,
        "url": f"{site_url}/",
        "inLanguage": "en-GB",
        "potentialAction": {
            "@type": "SearchAction",
            "target": target,
            "query-input": "required name=search_term_string",
        },
    }


def trail(steps: Sequence[tuple[str, str]], *, site_url: str) -> Data:
    """Return the way to a page from the home page: pairs of a name and a path, the page itself last."""
    listed = (("Home", routes.HOME), *steps)
    return {
        "@context": _CONTEXT,
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name, "item": site_url + path}
            for place, (name, path) in enumerate(listed, 1)
        ],
    }


def article(guide: Guide, *, site: Site, site_url: str) -> Data:
    """Return a guide as an article."""
    return {
        "@context": _CONTEXT,
        "@type": "Article",
        "headline": guide.title,
        "description": guide.description,
        "datePublished": guide.created.isoformat(),
        "dateModified": guide.updated.isoformat(),
        "wordCount": guide.words,
        "inLanguage": "en-GB",
        "image": {"@type": "ImageObject", "url": site_url + path(GUIDES), "width": WIDTH, "height": HEIGHT},
        "author": _author(guide.author, site=site, site_url=site_url),
        "publisher": {
            "@id": f"{site_url}/#firm",
            "@type": "FinancialService",
            "name": site.name,
            "logo": f"{site_url}{MARK}",
        },
        "mainEntityOfPage": site_url + routes.guide(guide.url),
    }


def _author(name: str, *, site: Site, site_url: str) -> Data:
    """Return who wrote a text: a person, whose name begins with a capital and has not the firm's in it; else a team."""
    if name[:1].isupper() and site.name not in name:
        return {"@type": "Person", "name": name}
    return {"@type": "Organization", "name": name or site.name, "url": f"{site_url}/"}


def answers(faqs: Iterable[Faq]) -> Data:
    """Return the questions of a page with their answers as plain text."""
    return {
        "@context": _CONTEXT,
        "@type": "FAQPage",
        "mainEntity": [
            {
                "@type": "Question",
                "name": faq.question,
                "acceptedAnswer": {"@type": "Answer", "text": plain(faq.answer)},
            }
            for faq in faqs
        ],
    }


def plain(html: str) -> str:
    """Return the words of an html text, its blocks parted by spaces."""
    return " ".join(unescape(_TAG.sub("", _END_OF_BLOCK.sub(" ", html))).split())
