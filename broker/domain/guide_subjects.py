"""What the picture on a guide's card shows."""

from enum import StrEnum

from broker.domain.guides import GuideCategory


class GuideSubject(StrEnum):
    """The subject of a guide's picture; `assets/art/guides/` has a drawing of each."""

    BALANCE = "balance"
    CALENDAR = "calendar"
    CASE = "case"
    DOORS = "doors"
    FANLIGHT = "fanlight"
    FEES = "fees"
    FLATS = "flats"
    GIFT = "gift"
    KEY = "key"
    LEAF = "leaf"
    LEASE = "lease"
    LETTING = "letting"
    LIFEBUOY = "lifebuoy"
    NEWBUILD = "newbuild"
    NOTES = "notes"
    PAPERS = "papers"
    PERCENT = "percent"
    SAVINGS = "savings"
    STEPS = "steps"
    SURVEY = "survey"
    SWITCH = "switch"
    TICK = "tick"
    TOOLS = "tools"
    UMBRELLA = "umbrella"
    VAN = "van"


USUAL_SUBJECTS = {
    GuideCategory.PROPERTY: GuideSubject.VAN,
    GuideCategory.FIRST_TIME_BUYER: GuideSubject.KEY,
    GuideCategory.REMORTGAGING: GuideSubject.SWITCH,
    GuideCategory.MORTGAGING: GuideSubject.FANLIGHT,
}
"""Subject of a guide that names none, by its main category."""
