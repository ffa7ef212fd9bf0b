"""Colours that an editor chose: read, measured, made dark enough for words."""

import pytest

from broker.content.errors import ContentError
from broker.content.models.pages import ServiceLook
from broker.content.text.colour_contrast import MIN_CONTRAST, WHITE, WORDS, check, contrast, parse_colour, readable_look


@pytest.mark.parametrize(
    ("written", "colour"),
    [
        ("#1b6b54", "#1b6b54"),
        (" #1B6B54 ", "#1b6b54"),
        ("#fC0", "#ffcc00"),
        ("", ""),
        ("red", ""),
        ("#12345", ""),
        ("#1b6b54;background:url(//evil)", ""),
        ("rgb(1, 2, 3)", ""),
    ],
)
def test_colour_is_read_in_one_form(written: str, colour: str) -> None:
    assert parse_colour(written) == colour


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000000", "#ffffff", 21), ("#ffffff", "#ffffff", 1), ("#767676", "#ffffff", 4.54), ("#777777", "#ffffff", 4.48)],
)
def test_contrast_is_that_of_wcag(one: str, other: str, ratio: float) -> None:
    assert round(contrast(one, other), 2) == round(contrast(other, one), 2) == ratio


@pytest.mark.parametrize(
    ("chosen", "color", "ground"),
    [
        ("#1b6b54", "#1b6b54", "#e3edea"),
        ("#b3541e", "#a74e1c", "#f5eae4"),
        ("#ffd400", "#887000", "#fff9e0"),
        ("#000000", "#000000", "#e0e0e0"),
    ],
)
def test_colour_too_pale_for_words_is_darkened(chosen: str, color: str, ground: str) -> None:
    look = readable_look(chosen)
    assert (look.color, look.ground) == (color, ground)


@pytest.mark.parametrize("step", range(0, 256, 51))
def test_every_colour_gives_words_that_can_be_read(step: int) -> None:
    for chosen in (f"#{step:02x}ff00", f"#ff{step:02x}80", f"#{step:02x}{step:02x}{step:02x}", f"#ffff{step:02x}"):
        for opacity in (0.0, 0.5, 1.0):
            look = readable_look(chosen, opacity)
            check("any", look)
            found = (contrast(look.color, WHITE), contrast(look.color, look.ground), contrast(WORDS, look.ground))
            assert min(found) >= MIN_CONTRAST


def test_opacity_makes_the_tint_fainter() -> None:
    grounds = [readable_look("#1b6b54", opacity).ground for opacity in (0, 0.5, 1)]
    assert grounds == ["#ffffff", "#f1f6f4", "#e3edea"]


def test_colours_that_cannot_be_read_stop_a_build_with_the_service_named() -> None:
    with pytest.raises(ContentError) as raised:
        check("bridging", ServiceLook(color="#ffd400", ground="#ffffff"))
    assert (raised.value.source, raised.value.fault) == (
        "service bridging",
        "words in #ffd400 on #ffffff have a contrast of 1.4, and 4.5 is the least",
    )
    check("bridging", ServiceLook())
