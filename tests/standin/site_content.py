"""What the stand-in says outside rates, as samples in WordPress's shapes: questions, a guide, the questionnaire."""

import json
from functools import cache
from typing import Any

from broker.domain.rates.customers import RULES
from broker.settings import ROOT

_DAY = "2025-03-08 14:27:26"
_QUESTIONS = (
    ("How much can I borrow?", "It depends on income and outgoings; lenders often lend about 4.5 times income."),
    ("What does it cost?", "We charge no fee.\n\nLenders may charge one: it is shown with every deal."),
)


@cache
def faqs() -> dict[str, list[dict[str, Any]]]:
    """Return two sample questions for every customer type, as posts."""
    return {
        str(customer): [_post(f"{rules.title}: {question}", answer) for question, answer in _QUESTIONS]
        for customer, rules in RULES.items()
        if customer
    }


def guide(customer: str, title: str) -> dict[str, Any]:
    """Return the sample page of a guide."""
    slug = f"{customer}-guide"
    link = f"https://example.test/api/{slug}/"
    return {
        "id": 214,
        "date": "2025-03-04T03:33:33",
        "modified": "2025-03-04T03:33:33",
        "slug": slug,
        "status": "publish",
        "type": "page",
        "link": link,
        "title": {"rendered": f"{title} Guide &#8211; what&#8217;s involved &#038; how long it takes"},
        "content": {
            "rendered": "\n<p>Sample guide text. Fees &amp; charges don&#8217;t apply.</p>\n",
            "protected": False,
        },
        "featured_media": 0,
        "template": "",
        "acf": {
            "banner_image": False,
            "banner_author": "Sam Sample",
            "meta_title": f"{title} Guide",
            "meta_description": "Sample guide description.",
            "content_section_1": "<h2>Step one</h2>\n<p>Save a deposit.</p>\n",
            "content_section_2": "",
            "footer_disclaimer": "<p>Your home may be repossessed.</p>\n",
            "guide_category": [],
        },
        "_links": {"self": [{"href": link}]},
        "_embedded": {"author": [{"id": 2, "name": "Sam Sample"}]},
    }


@cache
def questionnaire() -> dict[str, Any]:
    """Return the embedded questionnaire as the flow's call has it; an empty one where there is no file."""
    file = ROOT / "data" / "questionnaire.json"
    return {"queries": json.loads(file.read_text(encoding="utf-8")) if file.exists() else []}


def _post(title: str, content: str) -> dict[str, Any]:
    return {
        "ID": 267,
        "post_author": "2",
        "post_date": _DAY,
        "post_content": content,
        "post_title": title,
        "post_status": "publish",
        "post_password": "",
        "post_modified": _DAY,
        "post_type": "faqs",
        "filter": "raw",
    }
