"""Stop words, plural endings and synonyms of the site search."""

_SMALL = (
    "a about am an and any are as at be been by can could do does for from get had has have how i if in into is it its"
    " me my no not of on or our should so than that the their them then there these they this to was we were what when"
    " where which who why will with would you your"
)

STOP_WORDS = frozenset(_SMALL.split())
"""Words that are too common to search for."""

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
"""Plural endings and their replacements; the first match is used, and the first three leave a singular unchanged."""

MIN_PLURAL_LENGTH = 4
"""Letters from which a word may be a plural: `gas` is not the plural of `ga`."""

MIN_PART_LENGTH, MIN_SLIP_LENGTH = 3, 5
"""Letters from which a word may be part of a joined one, and from which it may be misspelt by a letter."""

SYNONYMS: dict[str, str] = {
    "agreement in principle": "AIP DIP MIP decision promise certificate",
    "adviser": "advisor IFA",
    "annual percentage rate of charge": "APRC APR",
    "arrears": "missed behind",
    "bad credit": "adverse poor CCJ default IVA bankrupt",
    "buy to let": "BTL landlord rental",
    "completion": "complete",
    "conveyancing": "conveyancer solicitor legal",
    "conveyancer": "solicitor",
    "credit score": "rating history report Experian Equifax TransUnion bad adverse CCJ default",
    "early repayment charge": "ERC penalty exit",
    "energy performance certificate": "EPC",
    "EPC": "energy",
    "equity release": "lifetime home reversion later life",
    "first time buyer": "FTB",
    "gifted deposit": "gift parents family bank mum dad",
    "guarantor": "guarantee springboard JBSP",
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
    "offset": "linked savings",
    "overpaying": "overpay overpayment early",
    "overpayment": "overpay overpaying early",
    "porting": "port move",
    "product transfer": "switch PT",
    "property tax": "stamp duty SDLT LBTT LTT",
    "remortgage": "refinance remortgaging switch",
    "remortgaging": "refinance remortgage switch",
    "retirement interest only": "RIO older pensioner",
    "self employed": "sole trader freelance SA302",
    "self assessment": "SA302",
    "shared ownership": "part buy rent staircase",
    "stamp duty": "SDLT LBTT LTT tax",
    "standard variable rate": "SVR",
    "survey": "surveyor valuation RICS",
    "true cost": "total",
}
"""Words that visitors type for a term of the site. A page with the term is found by each of the words.

Terms are matched without stop words, plurals as singulars.
"""
