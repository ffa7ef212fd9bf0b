import pytest

from broker.derived import Derived, Revision


def test_revision_rises_when_a_source_object_is_replaced_by_an_equal_one() -> None:
    revision, first, second = Revision(), [1], [2]
    started = revision.of(first, second)
    assert revision.of(first, second) == started
    replaced = revision.of([1], second)
    assert replaced > started
    assert revision.of(first, second) > replaced


def test_value_is_made_again_after_a_source_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    sources = [["one"]]

    def make() -> tuple[str, ...]:
        if not sources[0]:
            raise ValueError("nothing is there")
        return tuple(sources[0])

    derived = Derived(make, lambda: tuple(sources))
    assert not derived.is_current
    before = derived.current()
    assert (before, derived.is_current) == (("one",), True)
    assert derived.current() is before
    sources[0] = ["one"]
    assert (derived.is_current, derived.current() is before) == (False, False)
    sources[0] = []
    assert (derived.current(), derived.is_current) == (("one",), True)
    assert "stays: nothing is there" in caplog.text


def test_value_that_cannot_be_made_at_first_raises() -> None:
    with pytest.raises(ValueError, match="none"):
        Derived(lambda: int("none"), tuple).current()
