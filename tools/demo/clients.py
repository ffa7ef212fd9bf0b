"""Made-up clients: names that nobody has, telephone numbers that are never given out, and what they ask for."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from random import Random
from string import ascii_uppercase

from broker import routes
from broker.clock import UK, uk_date
from broker.enquiries.working_time import WorkingWeek

WEEKS = 13
"""Weeks over which clients enquire, up to today."""

CLIENTS = 60

AGAIN = {48: 44, 55: 51}
"""Numbers of clients who enquire again, each with the number of the first time."""

_NAMES = (
    *("Example", "Sample", "Invented", "Specimen", "Demo", "Whatsit", "Fictional", "Anybody", "Blank", "Mockford"),
    *("Notreal", "Dummy", "Testerton", "Imagined", "Stand-In", "Placeholder"),
)
_LONG_NAME = "M. Placeholder-Withaverylongname-Andmore"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """What clients ask for: the page that they come from, and messages; `loan` is the least and the most, in pounds."""

    came_from: tuple[str, ...]
    messages: tuple[str, ...]
    loan: tuple[int, int]


_REMORTGAGES, _FIRST_HOMES, _MOVES, _LANDLORDS = (
    routes.deals(customer) for customer in ("remortgaging", "first-time-buyer", "home-mover", "buy-to-let")
)
"""Searches of rates."""

_WISHES = (
    _Wish(
        came_from=(*(_REMORTGAGES,) * 3, *(routes.REMORTGAGE_PLAN,) * 4, "/remortgaging/guides/", routes.CONTACT),
        messages=(
            "My deal ends in spring. Is it better to stay with my lender or to switch?",
            "We want to borrow a little more for a kitchen. Can that go into a new deal?",
            "I was offered a new deal by my lender and do not know whether it is a good one.",
            "Can I leave my deal early? There is a charge of two percent.",
        ),
        loan=(90_000, 420_000),
    ),
    _Wish(
        came_from=(*(_FIRST_HOMES,) * 3, *(routes.BUYING_PLAN,) * 2, "/first-time-buyer/guides/", routes.LOCAL),
        messages=(
            "We have saved ten percent and have seen a flat. What can we borrow?",
            "I am self-employed for two years. Does anybody lend to me?",
            "My parents want to help with the deposit. How does that work?",
            "How long does an agreement in principle take, and does it leave a mark on my file?",
        ),
        loan=(110_000, 380_000),
    ),
    _Wish(
        came_from=(*(_MOVES,) * 2, "/home-mover/guides/", "/home-mover/", routes.LOCAL),
        messages=(
            "We are selling and buying at once. Can we take our deal with us?",
            "Our offer was accepted yesterday. What do we do first?",
        ),
        loan=(180_000, 520_000),
    ),
    _Wish(
        came_from=(_LANDLORDS, routes.calculator("buy-to-let-borrowing"), "/buy-to-let/guides/"),
        messages=(
            "Three flats, two of the deals end this year.",
            "I would like to let my first flat and buy another. Is that possible?",
        ),
        loan=(80_000, 360_000),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client and the enquiry that they send.

    `loan` is in pounds, `luck` from 0 to 1 decides how the case goes, and `result` is the address of the PDF of a
    result that they attach, or empty. One who `is_caller` telephones instead of sending a form.
    """

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
    result: str = ""
    is_caller: bool = False

    @property
    def form(self) -> dict[str, object]:
        """Return the fields of their form."""
        given: dict[str, object] = {"name": self.name, "telephone": self.telephone, "email": self.email}
        return given | {"when": self.when, "message": self.message, "privacy": "on"}


def clients(random: Random, now: datetime, week: WorkingWeek) -> tuple[Client, ...]:
    """Return the clients in the order in which they enquire: more in later weeks, and the last three in an hour.

    Each of `AGAIN` has the name and the number of somebody who has enquired before.
    """
    times = sorted(_times(random, now, week))
    found = [_client(random, number, received) for number, received in enumerate(times)]
    for number, before in AGAIN.items():
        known = found[before]
        found[number] = replace(found[number], name=known.name, telephone=known.telephone, email=known.email)
    return tuple(found)


def _result(random: Random, came_from: str, loan: int, received: datetime) -> str:
    """Return the result of the plan or of the search that a client comes from, empty from another page."""
    value, term = loan * 8 // 5, random.randrange(12, 32)
    ends = received.date() + timedelta(days=random.randrange(40, 330))
    form: dict[str, object] = {"amount": loan, "price": value, "term": term}
    if came_from == routes.REMORTGAGE_PLAN:
        form = {"balance": loan, "value": value, "term": term, "rate": "1.89", "end": ends.isoformat()}
        form |= {"followOn": "7.99", "charge": "percent", "chargePercent": "1"}
    elif not came_from.endswith("/rates/"):
        return ""
    given = {name: str(value) for name, value in form.items()}
    return routes.with_query(came_from + routes.RESULT_PDF, given)


def telephone(number: int) -> str:
    """Return a number of those that Ofcom keeps for drama: `07700 900000` to `07700 900999`."""
    return f"07700 {900_000 + number}"


def _times(random: Random, now: datetime, week: WorkingWeek) -> Iterator[datetime]:
    yield from (now - timedelta(minutes=minutes) for minutes in (12, 34, 56))
    made = 3
    while made < CLIENTS:
        # the square root has more of them near to now
        days = int(WEEKS * 7 * (1 - random.random() ** 0.6))
        day = uk_date(now - timedelta(days=days))
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
    came_from, loan = random.choice(wish.came_from), random.randrange(least, most, 250)
    return Client(
        number=number,
        name=_LONG_NAME if number == 40 else name,
        telephone=telephone(100 + number),
        email=f"{name.replace('. ', '.').lower()}@example.com" if random.random() < 0.9 else "",
        page=routes.CONTACT,
        came_from=came_from,
        message=random.choice(wish.messages),
        when=random.choice(("any", "any", "morning", "afternoon")),
        loan=loan,
        received=received,
        result=_result(random, came_from, loan, received),
        is_caller=number % 8 == 5,
        luck=random.random(),
    )
