"""The services of the process, and the lenders."""

import pytest

from broker import services
from broker.lenders.directory import KnownLender, LenderDirectory
from broker.services import ServicesMissingError, current, install
from tests.services import closed_services


@pytest.fixture(autouse=True)
def none_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set aside what the process has, for the time of a test."""
    monkeypatch.setattr(services, "_installed", [])


def test_services_are_missing_before_they_are_installed() -> None:
    with pytest.raises(ServicesMissingError, match=r"broker\.services\.install was not called"):
        current()


def test_services_installed_last_are_current() -> None:
    first, second = closed_services(), closed_services()
    install(first)
    assert current() is first
    install(second)
    assert current() is second


def test_lenders_are_sorted_and_have_a_picture_by_id() -> None:
    directory = LenderDirectory(
        [
            KnownLender(lender_id=7, name="Cedar", slug="cedar"),
            KnownLender(lender_id=42, name="Alder Bank", slug="alder-bank"),
        ]
    )
    assert [lender.name for lender in directory.lenders] == ["Alder Bank", "Cedar"]
    assert directory.logos() == {7: "/art/lender-cedar.svg", 42: "/art/lender-alder-bank.svg"}
