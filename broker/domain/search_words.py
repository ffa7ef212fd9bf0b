"""What the search of this site knows of words: small ones, plurals, and what people call the things of the trade."""

from __future__ import annotations

_SMALL = (
    "a about am an and any are as at be been by can could do does for from get had has have how i if in into is it its"
    " me my no not of on or our should so than that the their them then there these they this to was we were what when"
    " where which who why will with would you your"
)

STOP_WORDS = frozenset(_SMALL.split())
"""Words that stand in so many questions that they tell none apart."""

PLURALS = (
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("xes", "x"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("sses", "ss"),
    ("ies", "y"),
    ("ie", "y"),
    ("s", ""),
)
"""Endings with what takes their place; the first that fits is used, and the first three keep a singular as it is."""

MIN_PLURAL_LENGTH = 4
"""Fewest letters of a word whose ending is looked at: `gas` is not the plural of `ga`."""

ALSO_CALLED: dict[str, str] = {
    "agreement in principle": "AIP DIP MIP decision promise certificate",
    "adviser": "advisor IFA",
    "annual percentage rate of charge": "APRC APR",
    "arrears": "missed behind",
    "buy to let": "BTL landlord rental",
    "completion": "complete",
    "conveyancing": "conveyancer solicitor legal",
    "conveyancer": "solicitor",
    "credit score": "rating history report Experian Equifax TransUnion bad adverse CCJ default",
    "early repayment charge": "ERC penalty exit",
    "energy performance certificate": "EPC",
    "EPC": "energy",
    "first time buyer": "FTB",
    "gifted deposit": "gift parents family bank mum dad",
    "help if you cannot pay": "arrears repossession repossess struggling hardship",
    "home mover": "moving house",
    "how we are paid": "commission procuration fee",
    "income protection": "IP sickness sick",
    "interest only": "IO",
    "joint mortgage": "couple partner JBSP",
    "let to buy": "LTB",
    "life insurance": "life assurance cover",
    "lifetime ISA": "LISA",
    "limited company": "SPV",
    "loan to value": "LTV",
    "moving home": "house mover",
    "new build": "NHBC developer",
    "overpaying": "overpay overpayment early",
    "overpayment": "overpay overpaying early",
    "porting": "port move",
    "product transfer": "switch PT",
    "property tax": "stamp duty SDLT LBTT LTT",
    "remortgage": "refinance remortgaging switch",
    "remortgaging": "refinance remortgage switch",
    "self employed": "sole trader freelance SA302",
    "self assessment": "SA302",
    "shared ownership": "part buy rent staircase",
    "stamp duty": "SDLT LBTT LTT tax",
    "standard variable rate": "SVR",
    "survey": "surveyor valuation RICS",
    "true cost": "total",
}
"""Other words that people type for what the site calls by its full name: a page that has the one is found by the other.

Every word may be typed by itself; the longer names are looked for with plurals and small words left out.
"""
