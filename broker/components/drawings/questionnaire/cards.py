"""Every card drawing of the questionnaire by its name in an option's `img`."""

from collections.abc import Callable

from broker.components.drawings.questionnaire import homes, money, papers, people
from broker.components.drawings.questionnaire.colours import TILE
from broker.components.drawings.questionnaire.parts import SIDE
from broker.components.drawings.shapes import Shape, document, render, rounded

CARDS: dict[str, Callable[[], list[Shape]]] = {
    name.replace("_", "-"): drawn
    for module in (homes, people, money, papers)
    for name, drawn in vars(module).items()
    if getattr(drawn, "__module__", "") == module.__name__ and not name.startswith("_")
}
"""Every public function of the modules of drawings; `first_key` draws `first-key`."""


def card(name: str) -> str:
    """Draw a card by its name, as decoration; raises KeyError for a name that is not in `CARDS`."""
    tile = rounded(0, 0, width=SIDE, height=SIDE, fill=TILE, radius=8)
    return document(render([tile, *CARDS[name]()]), box=f"0 0 {SIDE} {SIDE}", size=f"{SIDE}x{SIDE}")
