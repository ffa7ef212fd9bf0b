"""An editor who changes, renames, removes, restores and adds, by the numbers of a seed, and what must be true of it.

What a page may say follows from the states of the content that the site may have: the one that was published last, and
those since. A copy during which a call failed may have the old or the new of each part, so both stay possible.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from broker.content.snapshot.snapshot import MAX_REMOVED_SHARE
from tests.soak.edited_content import GUIDE, LENDER, PAGE, TOWN, Content, Item

LENDERS = {
    190: "Elm Tree Home Loans",
    17: "Quillmoor Finance",
    297: "Larkfield Home Loans",
    30: "Ashbourne Finance",
    48: "Wyvern Lending",
    198: "Rowan Lending",
}
"""Lenders of the feed that are none of ours, by id: each can be given a page."""

MOVED, GONE, NEVER = (301, 308), 410, 404

UNPUBLISHED = (*MOVED, GONE, NEVER)
"""Answers at an address that was not published yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What an address answered: `location` of a redirect, `text` of a page."""

    path: str
    status: int
    location: str = ""
    text: str = ""


class Ledger:
    """The states that the site may have, oldest first, and every address that was published."""

    def __init__(self, content: Content) -> None:
        self.states: tuple[Content, ...] = (content,)
        self.published: dict[str, str] = {}

    @property
    def now(self) -> Content:
        return self.states[-1]

    def change(self, content: Content) -> None:
        self.states = (*self.states, content)

    def copied(self, *, whole: bool) -> None:
        """Take the state of now for what is published: the only one where no call failed meanwhile."""
        self.states = self.states[-1:] if whole else self.states

    def publish(self, paths: Sequence[str]) -> None:
        """Record the addresses of a release."""
        owners = {path: item.key for state in self.states for path, item in state.live().items()}
        self.published = self.published | {path: owners[path] for path in paths if path in owners}

    def may_be_refused(self) -> bool:
        """Return whether a publish may stop: more than a tenth of the pages of a kind are removed."""
        gone = {key: item.kind for key, item in self.now.items.items() if item.is_gone}
        before = [state.items for state in self.states]
        pending = Counter(
            kind for key, kind in gone.items() if any(key in items and not items[key].is_gone for items in before)
        )
        kinds = Counter(item.kind for item in self.states[0].live().values())
        return any(count > MAX_REMOVED_SHARE * kinds[kind] for kind, count in pending.items())


def fault_of(seen: Seen, states: Sequence[Content], published: dict[str, str]) -> str:
    """Return what is wrong with an answer, by what the states allow; an empty text where nothing is."""
    if any(allows(seen, state, published) for state in states):
        return ""
    items = [item for state in states if (item := state.live().get(seen.path))]
    if seen.status == 200:
        return "other words than the last" if items else "a removed page answers"
    if seen.path not in published and len(items) != len(states):
        return "" if seen.status in UNPUBLISHED else f"an unpublished page answers {seen.status}"
    return f"a page is lost ({seen.status})" if items else f"a former address answers {seen.status}"


def allows(seen: Seen, state: Content, published: dict[str, str]) -> bool:
    """Return whether an answer is right for one state of the content."""
    if item := state.live().get(seen.path):
        return seen.status == 200 and item.words in seen.text
    if seen.path not in published:
        return seen.status == NEVER
    item = state.items.get(published[seen.path])
    if item is None or item.is_gone:
        return seen.status == GONE
    return (seen.status in MOVED and seen.location == item.path) or (item.was_gone and seen.status == GONE)


@dataclass(slots=True, kw_only=True)
class Editor:
    """Somebody who edits at random; `edits` counts what was done."""

    ledger: Ledger
    chance: random.Random
    edits: Counter[str] = field(default_factory=Counter)
    number: int = 10_000

    def edit(self) -> str:
        """Change one thing and return what it was."""
        kinds: dict[str, tuple[int, Callable[[], Content | None]]] = {
            "text": (6, self._text),
            "slug": (3, self._slug),
            "removal": (2, self._removal),
            "restored": (1, self._restored),
            "new page": (1, lambda: self._new(PAGE, "Notes on number")),
            "new guide": (2, lambda: self._new(GUIDE, "Guide of number")),
            "new town": (1, lambda: self._new(TOWN, "Mortgage Broker Town")),
            "new lender": (1, self._lender),
            "question": (1, lambda: replace(self.ledger.now, question=self._words())),
            "review": (1, lambda: replace(self.ledger.now, review=self._words())),
        }
        while True:
            (name,) = self.chance.choices(list(kinds), [weight for weight, _ in kinds.values()])
            if content := kinds[name][1]():
                self.edits[name] += 1
                self.ledger.change(content)
                return name

    def remove_many(self) -> None:
        """Remove a fifth of the towns, as somebody by mistake might."""
        for item in self._some(TOWN)[: len(self._some(TOWN)) // 5]:
            self.ledger.change(self.ledger.now.having(replace(item, is_gone=True, was_gone=True)))
            self.edits["removal of many"] += 1

    def new_rates(self) -> int:
        """Have the feed list other rates, and return their number."""
        self.ledger.change(replace(self.ledger.now, version=self.ledger.now.version + 1))
        return self.ledger.now.version

    def _words(self) -> str:
        self.number += 1
        return f"Edition {self.number} of these words."

    def _some(self, *kinds: str) -> list[Item]:
        """Return the live items of some kinds, in an order of chance."""
        found = [item for item in self.ledger.now.live().values() if item.kind in kinds]
        return self.chance.sample(found, len(found))

    def _text(self) -> Content | None:
        for item in self._some(PAGE, GUIDE, TOWN, LENDER)[:1]:
            return self.ledger.now.having(replace(item, words=self._words()))
        return None

    def _slug(self) -> Content | None:
        """Rename a page; every second guide keeps the url field that it had."""
        for item in self._some(PAGE, GUIDE, TOWN, LENDER)[:1]:
            self.number += 1
            slug = _renamed(item, self.number)
            keeps = item.kind == GUIDE and not item.added and self.chance.random() < 0.5
            return self.ledger.now.having(replace(item, slug=slug, url=(item.url or item.slug) if keeps else ""))
        return None

    def _removal(self) -> Content | None:
        kinds = Counter(item.kind for item in self.ledger.now.live().values())
        for item in self._some(PAGE, GUIDE, TOWN, LENDER):
            if kinds[item.kind] > 5 or item.added:
                return self.ledger.now.having(replace(item, is_gone=True, was_gone=True))
        return None

    def _restored(self) -> Content | None:
        gone = [item for item in self.ledger.now.items.values() if item.is_gone and not item.added]
        return self.ledger.now.having(replace(self.chance.choice(gone), is_gone=False, url="")) if gone else None

    def _new(self, kind: str, title: str) -> Content:
        words = self._words()
        slug = f"{'mortgage-broker-town' if kind == TOWN else kind}-{self.number}"
        key = f"/new/{slug}/"
        item = Item(kind=kind, key=key, slug=slug, title=f"{title} {self.number}", words=words, added=self.number)
        return self.ledger.now.having(item)

    def _lender(self) -> Content | None:
        known = {item.lender for item in self.ledger.now.items.values()}
        for lender_id, name in LENDERS.items():
            if lender_id not in known:
                words, slug = self._words(), f"{name.lower().replace(' ', '-')}-mortgage-rates"
                item = Item(
                    kind=LENDER,
                    key=f"/new/{slug}/",
                    slug=slug,
                    title=name,
                    words=words,
                    added=self.number,
                    lender=lender_id,
                )
                return self.ledger.now.having(item)
        return None


def _renamed(item: Item, number: int) -> str:
    if item.kind == LENDER:
        return f"{item.slug.removesuffix('-mortgage-rates')}-{number}-mortgage-rates"
    return f"{item.slug}-{number}"


def first_items(paths: dict[str, frozenset[str]]) -> Iterator[Item]:
    """Yield the pages of a first copy that an editor may change freely: they stand in no menu but that of all pages."""
    for path in sorted(paths["guide"]):
        slug = path.strip("/").rpartition("/")[2]
        if not slug.endswith("-guide"):
            yield Item(kind=GUIDE, key=path, slug=slug)
    for path in sorted(paths["town"]):
        yield Item(kind=TOWN, key=path, slug=path.strip("/"))
    yield from (
        Item(kind=PAGE, key=path, slug=path.strip("/")) for path in sorted(paths["page"]) if "extra-page" in path
    )
