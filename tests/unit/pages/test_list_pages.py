from dataclasses import replace

import pytest

from broker import routes
from broker.content.models.pages import Guide
from broker.content.store import ContentStore
from broker.lenders.directory import LenderDirectory
from broker.pages import current_lists
from tests.our_content import STORE
from tests.unit.content.guides import guide
from tests.unit.pages.whole_site import inputs


def test_lists_are_made_again_after_a_change_alone(caplog: pytest.LogCaptureFixture) -> None:
    store, directory = ContentStore(STORE.content), LenderDirectory(inputs().lenders)
    lists = current_lists(replace(inputs(), store=store), directory)
    services = {routes.guides(service.slug) for service in STORE.services()}
    assert set(lists.current()) == {routes.GUIDES, routes.SITE_MAP, *services}

    def after(*guides: Guide) -> bool:
        """Return whether guides that are published make other lists."""
        before, store.content = lists.current(), replace(STORE.content, guides=guides)
        return lists.current() is not before

    assert after(guide("lease"))
    assert lists.current() is lists.current()
    assert not after(guide("lease"), guide("lease"))
    assert caplog.text.count("two pages have the route /mortgage-guides/lease/") == 1
    store.content = replace(STORE.content, services=STORE.services()[1:])
    assert services - set(lists.current()) == {routes.guides(STORE.services()[0].slug)}
    assert after()
    before = lists.current()
    directory.update(directory.lenders[1:])
    assert lists.current() is not before
