"""Every card drawing of the questionnaire by its name in an option's `img`."""

from collections.abc import Callable

from broker.components.drawings.questionnaire import homes, money, papers, people
from broker.components.drawings.questionnaire.colours import TILE
from broker.components.drawings.questionnaire.parts import SIDE
from broker.components.drawings.shapes import Shape, document, render, rounded

CARDS: dict[str, Callable[[], list[Shape]]] = {
    drawn.__name__.replace("_", "-"): drawn
    for drawn in (
        homes.flat,
        homes.for_sale,
        homes.garden_plot,
        homes.home,
        homes.house,
        homes.loop_house,
        homes.magnifier,
        homes.new_build,
        homes.old_house,
        homes.removal_van,
        homes.to_let,
        people.briefcase,
        people.first_key,
        people.key,
        people.shop,
        people.teddy_bear,
        people.toolbox,
        people.two_hats,
        money.banknotes,
        money.coins_on_house,
        money.level_path,
        money.piggy_bank,
        money.purse,
        money.stairs_down,
        papers.calendar_later,
        papers.calendar_near,
        papers.cross,
        papers.question_mark,
        papers.scroll,
        papers.signed_paper,
        papers.tick,
    )
}
"""Drawing function of each card; `first_key` draws `first-key`."""


def card(name: str) -> str:
    """Draw a card by its name, as decoration; raises KeyError for a name that is not in `CARDS`."""
    tile = rounded(0, 0, width=SIDE, height=SIDE, fill=TILE, radius=8)
    return document(render([tile, *CARDS[name]()]), box=f"0 0 {SIDE} {SIDE}", size=f"{SIDE}x{SIDE}")
