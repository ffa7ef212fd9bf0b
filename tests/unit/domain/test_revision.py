"""A number that tells whether anything was replaced."""

from broker.domain.revision import Revision


def test_number_rises_with_each_object_that_is_another_though_it_is_equal() -> None:
    revision, first, second = Revision(), [1], [2]
    started = revision.of(first, second)
    assert revision.of(first, second) == started
    replaced = revision.of([1], second)
    assert replaced > started
    assert revision.of(first, second) > replaced
