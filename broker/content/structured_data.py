"""Structured data (schema.org JSON-LD): the firm, the site, breadcrumbs, articles, FAQs and the glossary.

Our own ratings are not marked up: search engines do not show self-serving reviews.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from broker import routes
from broker.content.guide_pages import subject_of
from broker.content.models.glossary import Glossary
from broker.content.models.pages import Faq, Guide
from broker.content.models.site import Site
from broker.content.page_head import HOME, IMAGE_HEIGHT, IMAGE_WIDTH, guide_image_path, image_path
from broker.markup import lines_of

Data: TypeAlias = Mapping[str, Any]

_CONTEXT = "https://schema.org"

_MARK = "/favicon.svg"
"""Path of the firm's logo."""


def firm_data(site: Site, *, site_url: str) -> Data:
    """Return the firm, for the home and contact pages; a sample firm is described as one."""
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
        "image": site_url + image_path(HOME),
        "logo": f"{site_url}{_MARK}",
    }


def website_data(site: Site, *, site_url: str) -> Data:
    """Return the site and its search, for the home page."""
    target = {"@type": "EntryPoint", "urlTemplate": f"{site_url}{routes.SEARCH}?q={{search_term_string}}"}
    required = "required name=search_term_string"
    return {
        "@context": _CONTEXT,
        "@type": "WebSite",
        "name": site.name,
        "url": f"{site_url}/",
        "inLanguage": "en-GB",
        "potentialAction": {"@type": "SearchAction", "target": target, "query-input": required},
    }


def breadcrumb_data(steps: Sequence[tuple[str, str]], *, site_url: str) -> Data:
    """Return breadcrumbs from the home page; `steps` are pairs of name and path, the page itself last."""
    listed = (("Home", routes.HOME), *steps)
    return {
        "@context": _CONTEXT,
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name, "item": site_url + path}
            for place, (name, path) in enumerate(listed, 1)
        ],
    }


def article_data(guide: Guide, *, site: Site, site_url: str) -> Data:
    return {
        "@context": _CONTEXT,
        "@type": "Article",
        "headline": guide.title,
        "description": guide.description,
        "datePublished": guide.created.isoformat(),
        "dateModified": guide.updated.isoformat(),
        "wordCount": guide.words,
        "inLanguage": "en-GB",
        "image": {
            "@type": "ImageObject",
            "url": site_url + guide_image_path(subject_of(guide)),
            "width": IMAGE_WIDTH,
            "height": IMAGE_HEIGHT,
        },
        "author": _author(guide.author, site=site, site_url=site_url),
        "publisher": {
            "@id": f"{site_url}/#firm",
            "@type": "FinancialService",
            "name": site.name,
            "logo": f"{site_url}{_MARK}",
        },
        "mainEntityOfPage": site_url + routes.guide(guide.url),
    }


def _author(name: str, *, site: Site, site_url: str) -> Data:
    """Return the author: a person for a capitalised name without the firm's name in it, else the organisation."""
    if name[:1].isupper() and site.name not in name:
        return {"@type": "Person", "name": name}
    return {"@type": "Organization", "name": name or site.name, "url": f"{site_url}/"}


def glossary_data(glossary: Glossary, *, site_url: str) -> Data:
    return {
        "@context": _CONTEXT,
        "@type": "DefinedTermSet",
        "@id": site_url + routes.GLOSSARY,
        "name": glossary.title,
        "description": glossary.description,
        "inLanguage": "en-GB",
        "hasDefinedTerm": [
            {
                "@type": "DefinedTerm",
                "@id": site_url + routes.term(term.slug),
                "name": term.title,
                "description": term.text,
                "inDefinedTermSet": site_url + routes.GLOSSARY,
            }
            for term in glossary.terms
        ],
    }


def faq_data(faqs: Iterable[Faq]) -> Data:
    return {
        "@context": _CONTEXT,
        "@type": "FAQPage",
        "mainEntity": [
            {
                "@type": "Question",
                "name": faq.question,
                "acceptedAnswer": {"@type": "Answer", "text": html_text(faq.answer)},
            }
            for faq in faqs
        ],
    }


def html_text(html: str) -> str:
    """Return the text of HTML, with a space between blocks."""
    return " ".join(" ".join(lines_of(html)).split())
