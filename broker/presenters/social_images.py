"""Open Graph images: names, text and alternative text.

Each family of pages has one. `tools.shared_pictures` draws them; `Page.picture` names one by `path`.
"""

from dataclasses import dataclass

FOLDER = "/og"
"""URL path of the images."""

WIDTH, HEIGHT = 1200, 630
"""Size of every image in pixels, as social sites recommend."""

TEXTS, HOME, RATES, CALCULATORS, GUIDES = "texts", "home", "rates", "calculators", "guides"
TOWNS, LENDERS, DEALS, REVIEWS = "towns", "lenders", "deals", "reviews"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPicture:
    """An image: two lines of text, a smaller line below, and the alternative text of the drawing."""

    first: str
    second: str
    under: str
    shows: str


PICTURES: dict[str, SharedPicture] = {
    HOME: SharedPicture(
        first="A good mortgage.", second="No broker fee.", under="", shows="a street at dusk with one lit door"
    ),
    RATES: SharedPicture(
        first="The rate,",
        second="and the fees.",
        under="Mortgage rates by true cost",
        shows="a half-round window with half of its panes lit",
    ),
    CALCULATORS: SharedPicture(
        first="Seven sums,",
        second="worked out.",
        under="Mortgage calculators",
        shows="four door plates: plus, minus, times and equals",
    ),
    GUIDES: SharedPicture(
        first="Plain guides,",
        second="real sums.",
        under="Mortgages, step by step",
        shows="three cards, each with a street on it",
    ),
    TOWNS: SharedPicture(
        first="Mortgage advice,",
        second="street by street.",
        under="",
        shows="a street of houses and shops above a tiled path",
    ),
    LENDERS: SharedPicture(
        first="Lenders,", second="A to Z.", under="Banks, societies, specialists", shows="the plates of ten lenders"
    ),
    DEALS: SharedPicture(
        first="Mortgage deals,", second="side by side.", under="", shows="five front doors in five colours"
    ),
    REVIEWS: SharedPicture(
        first="What clients",
        second="say of us.",
        under="And our rules for reviews",
        shows="a front door that stands open",
    ),
    TEXTS: SharedPicture(
        first="Who we are,",
        second="in plain words.",
        under="How we work, and how we are paid",
        shows="the mark of the firm, a window over a gate",
    ),
    "first-time-buyer": SharedPicture(
        first="Your first",
        second="front door.",
        under="First-time buyer mortgages",
        shows="a green front door, ajar, with a bay tree",
    ),
    "home-mover": SharedPicture(
        first="Moving on,",
        second="moving in.",
        under="Home mover mortgages",
        shows="a blue front door with moving boxes",
    ),
    "remortgaging": SharedPicture(
        first="Stay put,",
        second="or switch?",
        under="Remortgage advice",
        shows="a wine-red front door with a brass knocker",
    ),
    "buy-to-let": SharedPicture(
        first="Two doors,",
        second="one rent test.",
        under="Buy-to-let mortgages",
        shows="two front doors side by side, with bells",
    ),
    "protection-needs": SharedPicture(
        first="Cover for",
        second="rainy days.",
        under="Mortgage and income insurance",
        shows="a blue-grey front door under a porch, with an umbrella",
    ),
    "contractor-mortgage": SharedPicture(
        first="A day rate",
        second="is an income.",
        under="Contractor mortgages",
        shows="a brick-red front door with a tool bag",
    ),
    "self-employed": SharedPicture(
        first="Your trade,",
        second="your home.",
        under="Self-employed mortgages",
        shows="a purple front door with a trade sign",
    ),
}
"""Every image by name; images named after a service are for that service's pages."""


def path(name: str) -> str:
    """Return the path of an image; of the home page's image for an unknown name, such as a new service."""
    return f"{FOLDER}/{name if name in PICTURES else HOME}.png"


def described(picture_path: str, firm: str) -> str:
    """Return the alternative text of an image; the firm's name for an unknown one."""
    known = PICTURES.get(picture_path.removeprefix(f"{FOLDER}/").removesuffix(".png"))
    return f"{firm}: {known.first} {known.second} Drawing: {known.shows}." if known else firm
