"""Made-up clients: names that nobody has, telephone numbers that are never given out, and what they ask for."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from random import Random
from string import ascii_uppercase

from broker.clock import UK
from broker.enquiries.working_time import WorkingWeek

WEEKS = 13
"""Weeks over which clients enquire, up to today."""

CLIENTS = 60

_NAMES = (
    *("Example", "Sample", "Invented", "Specimen", "Demo", "Whatsit", "Fictional", "Anybody", "Blank", "Mockford"),
    *("Notreal", "Dummy", "Testerton", "Imagined", "Stand-In", "Placeholder"),
)
_LONG_NAME = "M. Placeholder-Withaverylongname-Andmore"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """What clients ask for: the page that they come from, and messages; `loan` is the least and the most, in pounds."""

    page: str
    came_from: tuple[str, ...]
    messages: tuple[str, ...]
    loan: tuple[int, int]


_RATES, _PLAN, _GUIDES, _TOWNS = "/tools/rates/", "/plan/", "/tools/mortgage-guides/", "/mortgage-broker-near-me/"
_WISHES = (
    _Wish(
        page="/contact/",
        came_from=(_RATES, "/plan/remortgaging/", _GUIDES, "/remortgage/", "/remortgage/rates/"),
        messages=(
            "My deal ends in spring. Is it better to stay with my lender or to switch?",
            "We want to borrow a little more for a kitchen. Can that go into a new deal?",
            "I was offered a new deal by my lender and do not know whether it is a good one.",
            "Can I leave my deal early? There is a charge of two percent.",
        ),
        loan=(90_000, 420_000),
    ),
    _Wish(
        page="/contact/",
        came_from=(_RATES, "/plan/buying/", _TOWNS, "/first-time-buyer/", "/first-time-buyer/rates/", _GUIDES),
        messages=(
            "We have saved ten percent and have seen a flat. What can we borrow?",
            "I am self-employed for two years. Does anybody lend to me?",
            "My parents want to help with the deposit. How does that work?",
            "How long does an agreement in principle take, and does it leave a mark on my file?",
        ),
        loan=(110_000, 380_000),
    ),
    _Wish(
        page="/contact/",
        came_from=(_RATES, _TOWNS, "/home-mover/", "/home-mover/rates/"),
        messages=(
            "We are selling and buying at once. Can we take our deal with us?",
            "Our offer was accepted yesterday. What do we do first?",
        ),
        loan=(180_000, 520_000),
    ),
    _Wish(
        page="/contact/",
        came_from=("/buy-to-let/", _RATES, "/tools/calculators/buy-to-let/"),
        messages=(
            "Three flats, two of the deals end this year.",
            "I would like to let my first flat and buy another. Is that possible?",
        ),
        loan=(80_000, 360_000),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client and the enquiry that they send; `loan` is in pounds, `luck` from 0 to 1 is how far the case goes."""

    number: int
    name: str
    telephone: str
    email: str
    page: str
    came_from: str
    message: str
    when: str
    loan: int
    received: datetime
    luck: float

    @property
    def form(self) -> dict[str, object]:
        """Return the fields of their form."""
        given: dict[str, object] = {"name": self.name, "telephone": self.telephone, "email": self.email}
        return given | {"when": self.when, "message": self.message, "privacy": "on"}


def clients(random: Random, now: datetime, week: WorkingWeek) -> tuple[Client, ...]:
    """Return the clients in the order in which they enquire: more in later weeks, and the last three in an hour."""
    times = sorted(_times(random, now, week))
    return tuple(_client(random, number, received) for number, received in enumerate(times))


def telephone(number: int) -> str:
    """Return a number of those that Ofcom keeps for drama: `07700 900000` to `07700 900999`."""
    return f"07700 {900_000 + number}"


def _times(random: Random, now: datetime, week: WorkingWeek) -> Iterator[datetime]:
    yield from (now - timedelta(minutes=minutes) for minutes in (12, 34, 56))
    made = 3
    while made < CLIENTS:
        # the square root has more of them near to now
        days = int(WEEKS * 7 * (1 - random.random() ** 0.6))
        day = (now - timedelta(days=days)).astimezone(UK).date()
        hours = week.open_hours(day)
        if hours is None and random.random() < 0.8:
            continue
        at = datetime.combine(day, time(8), tzinfo=UK) + timedelta(minutes=random.randrange(12 * 60))
        if at < now - timedelta(hours=1):
            made += 1
            yield at


def _client(random: Random, number: int, received: datetime) -> Client:
    name = f"{ascii_uppercase[number * 7 % 26]}. {_NAMES[number % len(_NAMES)]}"
    wish = _WISHES[random.choices(range(len(_WISHES)), (5, 4, 3, 2))[0]]
    least, most = wish.loan
    return Client(
        number=number,
        name=_LONG_NAME if number == 40 else name,
        telephone=telephone(100 + number),
        email=f"{name.replace('. ', '.').lower()}@example.com" if random.random() < 0.9 else "",
        page=wish.page,
        came_from=random.choice(wish.came_from),
        message=random.choice(wish.messages),
        when=random.choice(("any", "any", "morning", "afternoon")),
        loan=random.randrange(least, most, 250),
        received=received,
        luck=random.random(),
    )
