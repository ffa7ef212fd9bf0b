"""Cards with paper on them: plain answers, dates and documents."""

from broker.components.drawings.questionnaire import colours
from broker.components.drawings.questionnaire.parts import floor, pen
from broker.components.drawings.shapes import Shape, area, box, disc, line, rounded


def tick() -> list[Shape]:
    return [*_form(), pen("M17 24l6 6 10-13", colours.GREEN, width=5)]


def cross() -> list[Shape]:
    """Draw a form with a cross on it, in a colour that does not scold."""
    return [*_form(), pen("M18 17l13 13M31 17l-13 13", colours.PLUM, width=5)]


def question_mark() -> list[Shape]:
    return [*_form(), pen("M19 17a5.5 5.5 0 1 1 8 5q-2.5 1.5-2.5 4M24.5 33h.1", colours.TEAL, width=4.5)]


def calendar_near() -> list[Shape]:
    """Draw six months, of which the first three are marked."""
    return _calendar(marked=20, others=30)


def calendar_later() -> list[Shape]:
    """Draw six months, of which the last three are marked."""
    return _calendar(marked=30, others=20)


def signed_paper() -> list[Shape]:
    """Draw a lender's letter with a signature and a seal."""
    return [
        area("M9 44V4h21l7 7v33z", colours.WHITE),
        area("M30 4v7h7z", colours.MIST),
        line("M14 11h10M14 17h18M14 22h18M14 27h12", colours.STONE, width=2),
        pen("M14 37q3-8 4-1t4-1 3 1 4-1", colours.PETROL, width=2),
        area("M31 34l-2 11 5-3 5 3-2-11z", colours.BRICK),
        disc(34, 32, radius=6, fill=colours.LAMP),
        disc(34, 32, radius=3, fill=colours.LAMP_BAR),
    ]


def scroll() -> list[Shape]:
    """Draw a sealed lease and an hourglass: a home for a number of years."""
    return [
        floor(),
        box(7, 8, width=20, height=32, fill=colours.GLOW),
        line("M11 16h12M11 21h12M11 26h7", colours.LAMP_BAR, width=2),
        pen("M6 8h22M6 38h22", colours.TAN, width=5),
        disc(23, 31, radius=4, fill=colours.BRICK),
        area("M33 22h10q0 6-4 9q4 3 4 9h-10q0-6 4-9q-4-3-4-9z", colours.WHITE),
        area("M34 26h8q-1 3-4 5q-3-2-4-5zM33 39q1-4 5-5q4 1 5 5z", colours.LAMP),
        pen("M32 21h12M32 39h12", colours.SLATE, width=3),
    ]


def _form() -> list[Shape]:
    return [
        rounded(8, 5, width=33, height=39, fill=colours.SLATE, radius=3),
        box(11, 9, width=27, height=32, fill=colours.WHITE),
        rounded(18, 3, width=13, height=6, fill=colours.LAMP, radius=2),
    ]


def _calendar(*, marked: int, others: int) -> list[Shape]:
    """Draw a calendar of two rows of months by their tops; one row is lit, with a line round it."""
    rows = ((others, colours.MIST), (marked, colours.LAMP))
    return [
        rounded(6, 8, width=36, height=34, fill=colours.WHITE, radius=3),
        area("M6 17v-6a3 3 0 0 1 3-3h30a3 3 0 0 1 3 3v6z", colours.PETROL),
        pen("M15 5v6M33 5v6", colours.INK, width=3),
        *(box(x, top, width=8, height=8, fill=fill) for top, fill in rows for x in (10, 20, 30)),
        pen(f"M8 {marked - 1}h32v10h-32z", colours.PLUM, width=2),
    ]
