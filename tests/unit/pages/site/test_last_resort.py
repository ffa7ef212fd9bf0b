"""The boundary around every page: what it does while no page has failed."""

from broker.sections.site.last_resort import error_boundary
from tests.our_content import STORE


def test_boundary_has_no_page_reload_on_back_before_it_failed() -> None:
    boundary = error_boundary(STORE.site())
    assert "ref:reloadOnBack" in str(boundary)
    assert [hook for hook in boundary._get_all_hooks() if "reloadOnBack" in hook] == []
