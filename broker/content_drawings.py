"""The drawings of the content and the lenders by path. Part of the composition root."""

from collections.abc import Iterable

from broker.components.drawings.door import DOORS
from broker.content.store import ContentStore
from broker.presenters.guides import subject_of
from broker.server.drawings import CARD, DOOR, LENDER, STREET, TILES, Drawing
from broker.services.lenders import KnownLender


def content_drawings(store: ContentStore, lenders: Iterable[KnownLender]) -> dict[str, Drawing]:
    """Return what is drawn for each guide, town and service, and for each lender with a page."""
    doors = dict.fromkeys((*DOORS, *(service.slug for service in store.services())))
    looks = {slug: store.look(slug) for slug in doors}
    drawings = (
        *(Drawing(kind=CARD, slug=guide.url, detail=subject_of(guide)) for guide in store.guides()),
        *(Drawing(kind=kind, slug=town.slug) for town in store.towns() for kind in (STREET, TILES)),
        *(Drawing(kind=DOOR, slug=slug, detail=look.color if look else "") for slug, look in looks.items()),
        *(Drawing(kind=LENDER, slug=lender.slug, detail=lender.name) for lender in lenders if lender.slug),
    )
    return {drawing.path: drawing for drawing in drawings}
