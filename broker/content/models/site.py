"""The firm: who it is, how to reach it, and the sentences that the law or the regulator asks for (decision 18)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from broker.content.models.pictures import Picture
from broker.content.models.telephone import e164


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningHours:
    """When the telephone is answered: the days and the hours, in words."""

    days: str
    hours: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Social:
    """Addresses of the firm elsewhere; an empty one is not shown."""

    facebook: str = ""
    instagram: str = ""
    whatsapp: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCount:
    """How many reviews a review site shows: `site` is its key, `label` its name, `url` where they are.

    `logo` and `stars` are its pictures, where the content has them.
    """

    site: str
    label: str
    count: int
    url: str = ""
    logo: Picture | None = None
    stars: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTotals:
    """The counts of all review sites and the rating, as read on one date (decision 16).

    `link_title` is what the link to all reviews says, empty for the usual words; `shown` is how many reviews a slider
    shows, 0 for the usual number; `author_photo` stands beside them.
    """

    counts: tuple[ReviewCount, ...]
    rating: float
    out_of: float
    read_on: date
    sample: bool
    link_title: str = ""
    shown: int = 0
    author_photo: Picture | None = None

    @property
    def total(self) -> int:
        """Return the reviews of all sites together."""
        return sum(entry.count for entry in self.counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentWords:
    """What somebody who sends a form is asked to allow, word for word; a record of consent names the `version`.

    Other words need another version. `email`, `telephone` and `text` are the ways that marketing may take.
    """

    version: str
    privacy: str
    marketing: str
    email: str
    telephone: str
    text: str
    use: str
    """What becomes of the details, beside the link to the privacy notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Everything about the firm that more than one page says; each sentence is editable content."""

    name: str
    strapline: str
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
    """Pictures at the foot of every page: the firm's own, a review site's, a partner's."""

    @property
    def tel(self) -> str:
        """Return the telephone number in E.164 form, for `tel:` links."""
        return e164(self.phone)

    @property
    def frn_shown(self) -> str:
        """Return the firm reference number as pages show it, marked where the firm is a sample."""
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
