"""The firm: its names, contact details and regulatory sentences (decision 18)."""

import re
from dataclasses import dataclass
from datetime import date

from broker.content.models.pictures import Picture

_NOT_A_DIGIT = re.compile(r"\D")


def e164(phone: str) -> str:
    """Return a telephone number in E.164 form, `+44...` for one that begins with 0; empty for anything else.

    `020 7946 0123`, `+44 (0)20 7946 0123` and `0044 20 7946 0123` give `+442079460123`.
    """
    digits = _NOT_A_DIGIT.sub("", phone.replace("(0)", ""))
    number = "44" + digits[1:] if digits.startswith("0") and not digits.startswith("00") else digits.removeprefix("00")
    return f"+{number}" if 10 <= len(number) <= 15 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningHours:
    days: str
    hours: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Social:
    """URLs of the firm's social profiles; an empty one is not shown."""

    facebook: str = ""
    instagram: str = ""
    whatsapp: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCount:
    """Number of reviews on a review site: `site` is its key, `label` its name, `url` the reviews' address."""

    site: str
    label: str
    count: int
    url: str = ""
    logo: Picture | None = None
    stars: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTotals:
    """The counts of all review sites and the rating, as read on one date (decision 16).

    `rating` is the average of `rated` reviews, of all by default; None where no rating is known.
    `link_title` is the label of the link to all reviews, empty for the default; `shown` is the number of reviews in a
    slider, 0 for the default.
    """

    counts: tuple[ReviewCount, ...]
    rating: float | None
    out_of: float
    read_on: date
    sample: bool
    rated: int | None = None
    link_title: str = ""
    shown: int = 0
    author_photo: Picture | None = None

    @property
    def total(self) -> int:
        return sum(entry.count for entry in self.counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentWords:
    """Consent wording of forms. A consent record names the `version`: a changed wording needs a new one.

    `email`, `telephone` and `text` are the labels of the marketing channels.
    """

    version: str
    privacy: str
    marketing: str
    email: str
    telephone: str
    text: str
    use: str
    """How the details are used; shown with the link to the privacy notice."""

    @property
    def spoken(self) -> str:
        """The first sentence of `use`, which somebody who telephones is told; the second is about ticks of a form."""
        return f"{self.use.partition('. ')[0].removesuffix('.')}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    name: str
    company_description: str
    phone: str
    email: str
    address: tuple[str, ...]
    hours: tuple[OpeningHours, ...]
    frn: str
    company_number: str
    registered_in: str
    regulator: str
    register_url: str
    how_we_are_paid: str
    range_sentence: str
    risk_warning: str
    debt_warning: str
    buy_to_let_sentence: str
    indicative_sentence: str
    sample_sentence: str
    slogans: tuple[str, str, str]
    social: Social
    portal_url: str
    copyright: str
    reviews: ReviewTotals
    sample: bool
    consent: ConsentWords
    logos: tuple[Picture, ...] = ()
    """Pictures in the footer: the logos of the firm, a review site and a partner."""

    @property
    def tel(self) -> str:
        """Return the telephone number in E.164 form, for `tel:` links."""
        return e164(self.phone)

    @property
    def frn_shown(self) -> str:
        """Return the firm reference number as pages show it, marked for a sample firm."""
        return f"{self.frn} (sample)" if self.sample else self.frn

    @property
    def regulation(self) -> str:
        """Return the status disclosure (GEN 4 Annex 1R: the regulator's name in full)."""
        number = f"FRN {self.frn}, sample" if self.sample else f"FRN {self.frn}"
        return f"{self.name} is authorised and regulated by the {self.regulator} ({number})."

    @property
    def registration(self) -> str:
        """Return where the company is registered and its number."""
        number = f"{self.company_number} (sample)" if self.sample else self.company_number
        return f"{self.name} is registered in {self.registered_in}, company number {number}."
