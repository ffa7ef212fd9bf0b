from pathlib import Path

import pytest

from broker import routes
from broker.web.export.deferred_boot import boots_late
from broker.web.export.finish import finish
from tests.unit.web.site import html, write_export

WHOLE = html("About")
SUM = f'<form action="{routes.CALCULATORS}borrow/" method="get"><input name="income"/></form>'
LIVE = {
    "rates": '<div class="live-rates"></div>',
    "a list that its address filters": '<ul class="g3 guides" data-chosen="all"></ul>',
    "a form": f'<form action="{routes.CONTACT}" method="post"></form>',
}
ARROW = '<button type="button">Next</button>'


@pytest.mark.parametrize("more", ["", SUM, ARROW])
def test_page_without_anything_live_waits(more: str) -> None:
    assert boots_late(WHOLE.replace("<h1>", f"{more}<h1>"), "/about-us/")


@pytest.mark.parametrize("name", LIVE)
def test_page_with_something_live_starts_at_once(name: str) -> None:
    assert not boots_late(WHOLE.replace("<h1>", f"{LIVE[name]}<h1>"), "/about-us/")


def test_pages_of_calculators_and_of_one_visitor_start_at_once() -> None:
    assert not boots_late(WHOLE, routes.calculator("borrow"))
    assert not boots_late(html("Saved", robots="noindex"), routes.SAVED_ANSWERS)


def test_a_finished_page_waits_where_it_may(tmp_path: Path) -> None:
    rates = html("Rates").replace("<h1>", f"{LIVE['rates']}<h1>")
    finish(write_export(tmp_path, **{"tools/rates/index.html": rates}))
    waiting, live = ((tmp_path / name / "index.html").read_text("utf-8") for name in ("about-us", "tools/rates"))
    assert ('"timeout":3000,"waits":true' in waiting, '"timeout":2000,"waits":false' in live) == (True, True)
