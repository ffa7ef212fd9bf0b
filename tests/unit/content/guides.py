"""A guide of which a test says what matters to it."""

from datetime import date

from broker.content.guides import GuideCategory
from broker.content.models.pages import Guide, Heading


def guide(slug: str, **changes: object) -> Guide:
    given: dict[str, object] = {
        "url": slug,
        "title": f"All about {slug}",
        "meta_title": f"{slug} explained",
        "description": f"What {slug} is.",
        "summary": f"{slug} in short.",
        "categories": (GuideCategory.PROPERTY,),
        "created": date(2026, 3, 4),
        "updated": date(2026, 11, 21),
        "author": "Ann Archer",
        "html": '<h2 id="one">One</h2><p>Text.</p><h2 id="two">Two</h2>',
        "headings": (Heading(level=2, text="One", anchor="one"), Heading(level=2, text="Two", anchor="two")),
        "related": (),
        "words": 660,
    }
    return Guide(**(given | changes))  # pyright: ignore[reportArgumentType] - each value was made for its field
