"""A visitor's tab of the rates search."""

import pytest

from tests.unit.rates.sources import ListSource
from tests.unit.state.tab import Tab


@pytest.fixture
def tab(source: ListSource) -> Tab:  # noqa: ARG001 - a tab needs the services to be there
    return Tab()
