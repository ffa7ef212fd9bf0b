"""Guides published while the stand-in runs, in lists and as pages."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A guide as an editor saves it; `html` is the text, `day` when it was created, as dd/mm/yyyy."""

    slug: str
    title: str = "Bridging loans & what they cost"
    description: str = "What a bridging loan is, what it costs, and when it is the wrong answer."
    category: str = "property"
    html: str = "<h2>What it is</h2>\n<p>A short loan &#8211; secured on a home.</p>\n"
    day: str = "20/11/2026"

    def row(self) -> dict[str, Any]:
        """Return its row of the list of guides, in the words of WPGraphQL."""
        fields = {
            "url": f"mortgage-guides/{self.slug}",
            "guideCategory": [self.category],
            "guideDescription": self.description,
            "showOnHomepage": False,
            "createdDate": self.day,
        }
        return {"node": {"title": self.title, "seoGuides": fields}}

    def texts(self) -> dict[str, Any]:
        """Return what its page has in place of a sample page's."""
        return {
            "content": {"rendered": self.html, "protected": False},
            "date": "2026-11-20T09:00:00",
            "modified": "2026-11-21T10:30:00",
        }
