"""What of the staff area is exported: pages that search engines leave, and scripts that its door knows by name."""

from broker.web.staff.access import SCRIPTS, is_staff
from tests.integration.reading import script_addresses


def scripts(html: dict[str, str], *, staff: bool) -> set[str]:
    """Return the scripts that the pages of the staff area name, or all the others."""
    return {each for path, page in html.items() if is_staff(path) is staff for each in script_addresses(page)}


def test_exactly_the_staff_scripts_require_a_session(html: dict[str, str]) -> None:
    own, public = scripts(html, staff=True), scripts(html, staff=False)
    assert {each for each in own - public if not each.startswith(SCRIPTS)} == set()
    assert {each for each in public if each.startswith(SCRIPTS)} == set()
    assert [prefix for prefix in SCRIPTS if not any(each.startswith(prefix) for each in own)] == []


def test_pages_of_staff_are_for_no_search_engine(html: dict[str, str]) -> None:
    pages = {path: page for path, page in html.items() if is_staff(path)}
    assert "/updateLenders/" in pages
    assert [path for path, page in pages.items() if 'content="noindex' not in page] == []
