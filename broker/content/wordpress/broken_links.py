"""Remove dead menu entries, links and lender pages from an imported snapshot, and report each as an issue."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from broker.content.menus import Menu, MenuItem, Menus
from broker.content.models.lenders import VIEW_ALL, LenderText
from broker.content.snapshot.snapshot import ImportIssue, Severity, Snapshot
from broker.content.snapshot.snapshot_store import SnapshotStore
from broker.content.store import ContentStore
from broker.content.text.links import LinkRepair
from broker.lenders.lender import has_same_name, is_compatible

Item = TypeVar("Item")

NO_FEED: Mapping[int, str] = MappingProxyType({})


def without_broken_links(
    snapshot: Snapshot, fallback: ContentStore, *, lenders: Mapping[int, str], feed: Mapping[int, str] = NO_FEED
) -> tuple[Snapshot, tuple[ImportIssue, ...]]:
    """Return a snapshot without dead links, and an issue for each; `fallback` has what the service lacks.

    `lenders` are the slugs of the known lenders by id, `feed` the names of those of the live feed.
    """
    issues: list[ImportIssue] = []
    named = (
        _with_feed_ids(snapshot.lenders, feed, issues) if feed else _of_known_lenders(snapshot.lenders, lenders, issues)
    )
    texts = _by_page(named, lenders, issues)
    links = LinkRepair(SnapshotStore(snapshot, fallback).page_anchors(), {*lenders.values(), *texts})
    repair = _BrokenLinks(links, issues)
    found = replace(
        snapshot,
        menus=repair.menus(snapshot.menus),
        lenders={slug: repair.lender(slug, text) for slug, text in texts.items()},
        services=repair.items("service", snapshot.services, name=lambda service: service.slug),
        front_pages={path: repair.item(f"page {path}", page) for path, page in snapshot.front_pages.items()},
        pages=repair.items("page", snapshot.pages, name=lambda page: page.path),
        deal_pages=repair.items("page", snapshot.deal_pages, name=lambda page: page.path),
        guides=repair.items("guide", snapshot.guides, name=lambda guide: guide.url),
        towns=repair.items("town", snapshot.towns, name=lambda town: town.slug),
        faqs={
            topic: repair.items("question", faqs, name=lambda faq: faq.question)
            for topic, faqs in snapshot.faqs.items()
        },
    )
    return found, tuple(issues)


def _with_feed_ids(
    texts: Mapping[str, LenderText], feed: Mapping[int, str], issues: list[ImportIssue]
) -> dict[str, LenderText]:
    """Return lender texts with the feed's id of the lender that they name, 0 where the feed does not have it.

    An id under which the feed has another lender is a fault: that lender's rates and logo are not shown.
    """
    found: dict[str, LenderText] = {}
    for slug, text in texts.items():
        same = next((lender_id for lender_id, name in feed.items() if has_same_name(name, text.name)), 0)
        named = feed.get(text.lender_id, "")
        own = text.lender_id if named and is_compatible(named, text.name) else same
        if text.lender_id != own and named:
            words = f"names the lender id {text.lender_id}, which is {named} in the feed"
            instead = f"the rates of id {own}, {feed[own]}, are shown" if own else "its page shows no rates"
            issues.append(ImportIssue(item=f"lender {slug}", words=f"{words}: {instead}", severity=Severity.FAULT))
        elif not own:
            issues.append(ImportIssue(item=f"lender {slug}", words="is no lender of the feed: its page shows no rates"))
        found[slug] = replace(text, lender_id=own)
    return found


def _of_known_lenders(
    texts: Mapping[str, LenderText], lenders: Mapping[int, str], issues: list[ImportIssue]
) -> dict[str, LenderText]:
    """Return the lender texts that are of a known lender, or name an id."""
    found = {slug: text for slug, text in texts.items() if slug in lenders.values() or text.lender_id}
    for slug in texts.keys() - found.keys():
        issues.append(ImportIssue(item=f"lender {slug}", words="is none of ours and names no lender id, left out"))
    return found


def _by_page(
    texts: Mapping[str, LenderText], lenders: Mapping[int, str], issues: list[ImportIssue]
) -> dict[str, LenderText]:
    """Return lender texts by the slug of their page: that of the known lender with the same id, else their own."""
    found: dict[str, LenderText] = {}
    for slug, text in texts.items():
        own = slug if slug in lenders.values() else lenders.get(text.lender_id, slug)
        if own in found:
            issues.append(ImportIssue(item=f"lender {slug}", words=f"is the second page of {own}, left out"))
        else:
            found[own] = text
    return found


class _BrokenLinks:
    def __init__(self, links: LinkRepair, issues: list[ImportIssue]) -> None:
        self._links, self._issues = links, issues

    def items(self, kind: str, given: tuple[Item, ...], *, name: Callable[[Item], str]) -> tuple[Item, ...]:
        return tuple(self.item(f"{kind} {name(item)}", item) for item in given)

    def lender(self, slug: str, text: LenderText) -> LenderText:
        item = f"lender {slug}"
        if not (target := self._links.target(text.view_all_link)):
            words = f"view_all_link leads to {text.view_all_link}, where there is no page; {VIEW_ALL} is used"
            self._issues.append(ImportIssue(item=item, words=words))
        return replace(self.item(item, text), view_all_link=target or VIEW_ALL)

    def menus(self, given: Menus) -> Menus:
        """Return the menus without dead entries; a menu without any entry left is a fatal issue."""
        menus = {name: getattr(given, name) for name in Menus.__dataclass_fields__}
        live = {name: self._menu(menu) if menu else None for name, menu in menus.items()}
        for name, menu in live.items():
            if menu and not menu.items:
                self._issues.append(
                    ImportIssue(item=f"menu {name}", words="leads to no page at all", severity=Severity.FATAL)
                )
        return Menus(**live)  # pyright: ignore[reportArgumentType] - only main may be None, and is then unchanged

    def item(self, item: str, given: Item) -> Item:
        """Return a model without dead links, under its name in the issues."""

        def report(words: str, link: str) -> None:
            text = f"{words!r} links to {link}, where there is no page: only the words are left"
            self._issues.append(ImportIssue(item=item, words=text))

        return self._links.model(given, report)

    def _menu(self, menu: Menu) -> Menu:
        return replace(menu, items=tuple(item for given in menu.items if (item := self._entry(given, menu.id))))

    def _entry(self, item: MenuItem, menu: str) -> MenuItem | None:
        """Return an entry without dead children; None for a dead one."""
        children = tuple(child for given in item.children if (child := self._entry(given, menu)))
        path = self._links.target(item.path) if item.path else ""
        if item.path and not path:
            words = f"{item.label!r} leads to {item.path}, where there is no page, left out"
            self._issues.append(ImportIssue(item=f"menu {menu}", words=words))
        return replace(item, path=path, children=children) if path or children else None
