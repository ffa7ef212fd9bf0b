"""Suspense boundaries that React streamed at the end of a page, moved into their place.

The renderer writes a placeholder for a boundary that waits, and sends its content at the end with a script that moves
it. In an export everything is there from the start, so it is written in place, as React writes a boundary that did not
wait.
"""

from lxml.html import HtmlElement

_CLOCK = "//script[@id='_R_']"
"""Script that notes the time of the first frame, for the scripts that move content."""


def resolve_suspense(page: HtmlElement) -> None:
    """Put every boundary in place; change nothing where one has another form than these."""
    gaps = {gap.get("id").removeprefix("B:"): gap for gap in page.xpath("//template[starts-with(@id, 'B:')]")}
    sent = {each.get("id").removeprefix("S:"): each for each in page.xpath("//div[@hidden][starts-with(@id, 'S:')]")}
    waiting = {comment for comment in page.xpath("//comment()") if comment.text == "$?"}
    if gaps.keys() != sent.keys() or waiting != {gap.getprevious() for gap in gaps.values()}:
        return
    movers = {number: content.getnext() for number, content in sent.items()}
    if not all(_moves(mover, number) for number, mover in movers.items()):
        return
    for number, gap in gaps.items():
        gap.getprevious().text = "$"
        gap.addnext(sent[number])
        sent[number].drop_tag()
        gap.drop_tree()
        movers[number].drop_tree()
    for clock in page.xpath(_CLOCK):
        clock.drop_tree()


def _moves(element: HtmlElement | None, number: str) -> bool:
    """Return whether an element is the script that moves the content of a boundary."""
    return (
        element is not None
        and element.tag == "script"
        and (element.text or "").endswith(f'$RC("B:{number}","S:{number}")')
    )
