"""The head of a page as display strings, and its image for social sites."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from broker.content.guides import GuideSubject
from broker.lending.immutable import Immutable

IMAGE_FOLDER = "/og"
"""URL path of the images, which are files of `assets/og/`: one for each family of pages and each subject of guides."""

IMAGE_WIDTH, IMAGE_HEIGHT = 1200, 630
"""Size in pixels, as social sites recommend."""

TEXTS, HOME, RATES, CALCULATORS, GUIDES = "texts", "home", "rates", "calculators", "guides"
TOWNS, LENDERS, DEALS, REVIEWS = "towns", "lenders", "deals", "reviews"

IMAGES = {
    HOME: ("A good mortgage. No broker fee.", "a street at dusk with one lit door"),
    RATES: ("The rate, and the fees.", "a half-round window with half of its panes lit"),
    CALCULATORS: ("Your sums, worked out.", "four door plates: plus, minus, times and equals"),
    GUIDES: ("Plain guides, real sums.", "three cards, each with a street on it"),
    TOWNS: ("Mortgage advice, street by street.", "a street of houses and shops above a tiled path"),
    LENDERS: ("Lenders, A to Z.", "the plates of ten lenders"),
    DEALS: ("Mortgage deals, side by side.", "five front doors in five colours"),
    REVIEWS: ("What clients say of us.", "an open front door"),
    TEXTS: ("Who we are, in plain words.", "the mark of the firm, a window over a gate"),
    "first-time-buyer": ("Your first front door.", "a green front door, ajar, with a bay tree"),
    "home-mover": ("Moving on, moving in.", "a blue front door with moving boxes"),
    "remortgaging": ("Stay put, or switch?", "a wine-red front door with a brass knocker"),
    "buy-to-let": ("Two doors, one rent test.", "two front doors side by side, with bells"),
    "protection-needs": ("Cover for rainy days.", "a blue-grey front door under a porch, with an umbrella"),
    "contractor-mortgage": ("A day rate is an income.", "a brick-red front door with a tool bag"),
    "self-employed": ("Your trade, your home.", "a purple front door with a trade sign"),
}
"""The words of each image, and what its drawing shows; those named after a service are for that service's pages."""

_SUBJECTS = {
    GuideSubject.BALANCE: ("Weigh it up, in pounds.", "a balance with a house in one pan and coins in the other"),
    GuideSubject.CALENDAR: ("Mark the right day.", "a calendar with a week marked on it"),
    GuideSubject.CASE: ("Your work, your loan.", "a briefcase"),
    GuideSubject.DOORS: ("Two names, one home.", "two front doors under one roof"),
    GuideSubject.FANLIGHT: ("How much is borrowed?", "a half-round window with seven of its ten panes lit"),
    GuideSubject.FEES: ("What it will cost.", "a house with coins on its roof, and a plus sign"),
    GuideSubject.FLATS: ("Ground rent and charges.", "a block of flats"),
    GuideSubject.GIFT: ("A gift for the deposit.", "a parcel with a bow, and a coin"),
    GuideSubject.KEY: ("Your own front door.", "a green front door, and a key with a bow"),
    GuideSubject.LEAF: ("Energy, and your loan.", "the bars of an energy rating, and a leaf"),
    GuideSubject.LEASE: ("Your lease, explained.", "a scroll with a seal, and an hourglass"),
    GuideSubject.LETTING: ("Buy to let, worked out.", "a house with two doors behind a board with a key on it"),
    GuideSubject.LIFEBUOY: ("Cannot pay? Get help.", "a lifebuoy"),
    GuideSubject.NEWBUILD: ("Buying a new build.", "a new house with scaffolding"),
    GuideSubject.NOTES: ("Borrow on your home.", "three banknotes"),
    GuideSubject.PAPERS: ("The papers, in order.", "a signed paper with a rosette"),
    GuideSubject.PERCENT: ("Rates and charges.", "a half-round window, lit all over, with the sign for per cent"),
    GuideSubject.SAVINGS: ("Saving for a deposit.", "a piggy bank with a coin over its slot"),
    GuideSubject.STEPS: ("Pay it off, step by step.", "stairs that lead down, with a coin on each"),
    GuideSubject.SURVEY: ("Look before you buy.", "a house under a magnifying glass"),
    GuideSubject.SWITCH: ("Stay, or switch?", "a house with two arrows round it"),
    GuideSubject.TICK: ("Ticked off, and ready.", "a tick on a clipboard"),
    GuideSubject.TOOLS: ("A contract, a mortgage.", "a toolbox"),
    GuideSubject.UMBRELLA: ("Cover for your home.", "an umbrella over a small house"),
    GuideSubject.VAN: ("On the move, loan and all.", "a removal van"),
}
IMAGES |= {f"guide-{subject}": words for subject, words in _SUBJECTS.items()}


def image_path(name: str) -> str:
    """Return the path of an image; of the home page's image for an unknown name, such as a new service."""
    return f"{IMAGE_FOLDER}/{name if name in IMAGES else HOME}.png"


def guide_image_path(subject: GuideSubject) -> str:
    return image_path(f"guide-{subject}")


def image_alt(picture_path: str, firm: str) -> str:
    """Return the alternative text of an image; the firm's name for an unknown one."""
    name = picture_path.removeprefix(f"{IMAGE_FOLDER}/").removesuffix(".png")
    if name not in IMAGES:
        return firm
    words, shows = IMAGES[name]
    return f"{firm}: {words} Drawing: {shows}."


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadView(Immutable):
    """The head of a page: `title` is for its window, `name` is the same without the firm's.

    `address` is its canonical one, `image` that of its picture for social sites.
    `published` and `modified` are dates such as `2026-03-04`, `data` are texts of JSON-LD.
    """

    title: str
    name: str
    description: str
    address: str
    image: str
    image_alt: str
    published: str = ""
    modified: str = ""
    data: tuple[str, ...] = ()


def json_ld(data: Mapping[str, Any]) -> str:
    """Return structured data as JSON that cannot close its script element."""
    return json.dumps(dict(data), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
