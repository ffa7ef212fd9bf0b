import pytest

from broker.content.errors import ContentError
from broker.content.models.pages import ServiceLook
from broker.content.text.colour_contrast import (
    MIN_CONTRAST,
    WHITE,
    WORDS,
    check_contrast,
    contrast,
    parse_colour,
    readable_look,
)

GREEN = "#1b6b54"
NOT_COLOURS = ("", "red", "#12345", "#1b6b54;background:url(//evil)", "rgb(1, 2, 3)")
CONTRASTS = {("#000000", WHITE): 21, (WHITE, WHITE): 1, ("#767676", WHITE): 4.54, ("#777777", WHITE): 4.48}
LOOKS = {
    GREEN: (GREEN, "#e3edea"),
    "#b3541e": ("#a74e1c", "#f5eae4"),
    "#ffd400": ("#887000", "#fff9e0"),
    "#000000": ("#000000", "#e0e0e0"),
}


def test_colour_is_read_in_one_form_and_measured_as_wcag_does() -> None:
    assert [parse_colour(text) for text in (GREEN, " #1B6B54 ", "#fC0")] == [GREEN, GREEN, "#ffcc00"]
    assert [text for text in NOT_COLOURS if parse_colour(text)] == []
    for (one, other), ratio in CONTRASTS.items():
        assert round(contrast(one, other), 2) == round(contrast(other, one), 2) == ratio


def test_pale_colour_is_darkened_and_opacity_makes_the_tint_fainter() -> None:
    looks = {chosen: readable_look(chosen) for chosen in LOOKS}
    assert {chosen: (look.color, look.ground) for chosen, look in looks.items()} == LOOKS
    assert [readable_look(GREEN, opacity).ground for opacity in (0, 0.5, 1)] == ["#ffffff", "#f1f6f4", "#e3edea"]


@pytest.mark.parametrize("step", range(0, 256, 51))
def test_every_colour_gives_words_that_can_be_read(step: int) -> None:
    for chosen in (f"#{step:02x}ff00", f"#ff{step:02x}80", f"#{step:02x}{step:02x}{step:02x}", f"#ffff{step:02x}"):
        for opacity in (0.0, 0.5, 1.0):
            look = readable_look(chosen, opacity)
            check_contrast("any", look)
            found = (contrast(look.color, WHITE), contrast(look.color, look.ground), contrast(WORDS, look.ground))
            assert min(found) >= MIN_CONTRAST


def test_colours_that_cannot_be_read_stop_a_build_with_the_service_named() -> None:
    with pytest.raises(ContentError) as raised:
        check_contrast("bridging", ServiceLook(color="#ffd400", ground="#ffffff"))
    fault = "words in #ffd400 on #ffffff have a contrast of 1.4, and 4.5 is the least"
    assert (raised.value.source, raised.value.fault) == ("service bridging", fault)
    check_contrast("bridging", ServiceLook())
