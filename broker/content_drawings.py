"""The drawings of the content and the lenders by path. Part of the composition root."""

from collections.abc import Iterable, Mapping

from broker.components.drawings.door import DOORS
from broker.content.store import ContentStore
from broker.domain.revision import Revision
from broker.presenters.guides import subject_of
from broker.services.lenders import KnownLender, LenderDirectory
from broker.web.serving.drawings import CARD, DOOR, LENDER, STREET, TILES, Drawing


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


class ContentDrawings:
    """The drawings of the present content and lenders, listed again when either is another."""

    def __init__(self, store: ContentStore, directory: LenderDirectory) -> None:
        self._store, self._directory = store, directory
        self._revision, self._listed = Revision(), 0
        self._drawings: Mapping[str, Drawing] = {}

    def __call__(self) -> Mapping[str, Drawing]:
        """Return them by path."""
        content, lenders = self._store.content, self._directory.lenders
        if (revision := self._revision.of(content, lenders)) != self._listed:
            self._listed = revision
            self._drawings = content_drawings(self._store, lenders)
        return self._drawings
