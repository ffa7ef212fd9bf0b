"""Each quirk of the backend, Q1 to Q24 of the facts on feeds."""

import json
from typing import Any

import pytest

from broker.rates.feed.errors import FeedParseError
from broker.rates.feed.products import ParsedProducts
from broker.rates.feed.response_tree import Tree, as_list, text_of
from broker.rates.product import RateProduct
from tests.unit.rates.feed.answers import GOOD, answer, body, row, schemes, without, xml
from tests.unit.rates.feed.recorded import RATES, read_as

OTHER = row(LenderName="Dunmore", Note="Another")
WARNING = b'<br />\n<b>Warning</b>:  Undefined key "a" in <b>/var/routes.php</b> on line <b>9</b><br />\n'
PLAIN_WARNING = b"\nWarning: Undefined key in /var/routes.php on line 9\nPHP Notice: b in c on line 10\n"


def read(content: bytes) -> ParsedProducts:
    return read_as(RATES, 200, body=content)


def prefixed(prefix: str, tree: Any) -> Any:
    if isinstance(tree, dict):
        return {prefix + name: prefixed(prefix, value) for name, value in tree.items()}
    return [prefixed(prefix, value) for value in tree] if isinstance(tree, list) else tree


def wrapped(key: str, fields: dict[str, Any]) -> dict[str, Any]:
    return {name: {key: value} for name, value in fields.items()}


GLUED = prefixed("a", GOOD)

SAME: dict[str, bytes] = {
    "Q2 one row is an object": body(answer(GOOD)),
    "Q5 figures with pounds, commas, percent and spaces": body(
        answer(row(TotalFees=" £999.00 ", LTV="60%", LoanAmount="100,000.0000", NYearCostIncFeesExERC="13,920.12"))
    ),
    "Q5 numbers as JSON": body(answer(row(TotalFees=999, LTV=60.0, InitialRate=4.19, LenderID=103, Term=25))),
    "Q9 attributes beside children": body(answer({"@attributes": {"i:type": "x"}, **GOOD})),
    "Q10 a comment": body(schemes({"comment": {}, "MBPublicSchemeSummaryEX": {"comment": {}, **GOOD}})),
    "Q11 prefixes kept": body(prefixed("a:", answer(GOOD))),
    "Q11 prefixes glued, envelope and all": body(
        {"sEnvelope": {"sBody": {"GetSchemesExResponse": {"objSchemes": {"aMBPublicSchemeSummaryEX": GLUED}}}}}
    ),
    "Q11 another prefix": body({"ns1:Envelope": prefixed("ns1:", answer(GOOD))}),
    "Q12 attributes with eaten names": body(schemes({"@attributes": {"xmlna": "x"}, "MBPublicSchemeSummaryEX": GOOD})),
    "Q15 JSON in JSON": body(json.dumps(answer(GOOD))),
    "Q15 XML in JSON": body(xml({**GOOD, "Notes": "", "RateDescription": ""}).decode()),
    "Q16 warnings first": WARNING + WARNING + body(answer(GOOD)),
    "Q16 warnings first, without markup": PLAIN_WARNING + body(answer(GOOD)),
    "Q16 a byte order mark": b"\xef\xbb\xbf" + body(answer(GOOD)),
    "Q16 a byte order mark after a warning": WARNING + b"\xef\xbb\xbf" + body(answer(GOOD)),
    "Q17 gaps in the keys": body(answer({"0": GOOD, "2": without("LenderName")})),
    "Q19 a float with all its digits": body(answer(row(InitialRate="4.1900000000000004"))).replace(
        b'"4.1900000000000004"', b"4.1900000000000004"
    ),
    "Q20 slashes and letters escaped": body(answer(GOOD)).replace(b"/", b"\\/").replace(b"Free", b"\\u0046ree"),
    "Q21 xml2js": body({"s:Envelope": prefixed("s:", answer([{name: [value] for name, value in GOOD.items()}]))}),
    "Q21 xml2js, lists all the way": body(
        {"Body": [{"GetSchemesExResponse": [{"objSchemes": [{"MBPublicSchemeSummaryEX": [GOOD]}]}]}]}
    ),
    "Q22 typed numbers and empty texts": body(
        answer(row(LenderID=103, InitialRateControlPeriod=24, LoanAmount=1e5, TotalFees=999, APRC=6.06))
    ),
    "Q23 _text": body(answer(wrapped("_text", GOOD))),
    "Q23 #text": body(answer(wrapped("#text", GOOD))),
    "Q23 $t": body(answer(wrapped("$t", GOOD))),
    "Q23 _": body(answer({name: {"_": value, "$": {"i:type": "x"}} for name, value in GOOD.items()})),
    "Q23 @value": body(answer(wrapped("@value", GOOD))),
    "Q23 @cdata": body(answer(wrapped("@cdata", GOOD))),
    "the service's own XML": xml({name: value.replace("<", "&lt;") for name, value in GOOD.items()}),
    "the service's own XML, in CDATA": xml({name: f"<![CDATA[{value}]]>" for name, value in GOOD.items()}),
}


def test_one_product_is_read_however_it_is_wrapped() -> None:
    expected = one(GOOD), one(row(Notes="", RateDescription=""))
    found = {name: read(content).products for name, content in SAME.items()}
    assert [name for name, products in found.items() if len(products) != 1 or products[0] not in expected] == []
    without_notes = [name for name, (product,) in found.items() if not product.notes]
    assert without_notes == ["Q15 XML in JSON"]


def one(fields: dict[str, Any]) -> RateProduct:
    (product,) = read(body(answer([fields]))).products
    return product


COUNTED: dict[str, tuple[bytes, tuple[int, int, int]]] = {
    "Q1 two rows are a list": (body(answer([GOOD, OTHER])), (2, 0, 0)),
    "Q3 no row is an object": (body(schemes({})), (0, 0, 0)),
    "Q3 no row is a list": (body(schemes([])), (0, 0, 0)),
    "Q3 no row is a text": (body(schemes("")), (0, 0, 0)),
    "Q4 nil with its attribute": (body(schemes({"@attributes": {"nil": "true"}})), (0, 0, 0)),
    "Q13 null": (b"null", (0, 0, 0)),
    "Q14 nothing at all": (b"", (0, 0, 0)),
    "Q14 an empty text": (b'""', (0, 0, 0)),
    "an empty object": (b"{}", (0, 0, 0)),
    "an empty list": (b"[]", (0, 0, 0)),
    "an empty Body": (b'{"Body":{}}', (0, 0, 0)),
    "Q17 rows straight under objSchemes": (body(schemes({"0": GOOD, "3": OTHER})), (2, 0, 0)),
    "no fee, and fees of nothing": (
        body(answer([GOOD, row(TotalFees="0"), row(TotalFees="0.00", Note="b")])),
        (1, 2, 0),
    ),
    "fees that cannot be read": (body(answer([GOOD, row(TotalFees={}), row(TotalFees="-250.00")])), (1, 0, 2)),
    "rows that lack what a card needs": (
        body(
            answer([GOOD, *(without(name) for name in ("LenderName", "InitialRate", "APRC", "LenderID", "TotalFees"))])
        ),
        (1, 0, 5),
    ),
    "figures that make no sense": (
        body(answer([row(InitialRate=value) for value in ("NaN", "inf", "-1", "0", "99", "1e9", "4,19x")])),
        (0, 0, 7),
    ),
    "the same product twice": (body(answer([GOOD, dict(GOOD)])), (1, 0, 1)),
    "a product transfer": (body(answer([GOOD, row(LenderID="934")])), (1, 0, 1)),
    "rows that are no objects": (body(answer([GOOD, "x", 7, None, [], {}])), (1, 0, 0)),
}


def test_rows_are_counted() -> None:
    found = {name: read(content) for name, (content, _) in COUNTED.items()}
    counts = {name: (len(each.products), each.fee_free, each.dropped) for name, each in found.items()}
    assert counts == {name: wanted for name, (_, wanted) in COUNTED.items()}


def test_false_is_a_failure_and_no_empty_list() -> None:
    for content in (b"false", WARNING + b"false"):  # Q13, Q16
        with pytest.raises(FeedParseError, match="get_rates: answered false"):
            read(content)


EMPTY: dict[str, Any] = {
    "Q4 an empty object": {},
    "Q4 an empty list": [],
    "Q4 a nil attribute": {"@attributes": {"i:nil": "true"}},
    "Q4 a space": " ",
    "Q6 CDATA lost": {},
    "null": None,
    "false": False,
}


def test_empty_texts_fall_back() -> None:
    for name, nothing in EMPTY.items():
        product = one(row(Note=nothing, Notes=nothing))
        assert (product.title, product.notes) == ("2-year fixed", ""), name
        assert one(row(Note=nothing, RateDescription=nothing)).title == "2-year fixed", name


TEXTS: dict[str, tuple[str, str]] = {
    "Q7 escaped once": ("<b>none</b>", "<b>none</b>"),
    "Q7 escaped twice": ("&pound;250 cashback", "£250 cashback"),
    "Q12 prose with letters eaten": ("Fee none at  b", "Fee none at  b"),
    "a script": ("<p>a<script>alert(1)</script></p>", "<p>a</p>"),
    "a handler": ('<p onclick="x()">a</p>', "<p>a</p>"),
    "a link of script": ('<a href="javascript:x()">a</a>', '<a rel="noopener noreferrer">a</a>'),
    "a link without a scheme": ('<a href="//evil.example">a</a>', '<a rel="noopener noreferrer">a</a>'),
    "a picture": ('a<img src="https://evil.example/x.png">', "a"),
    "a good link": (
        '<a href="tel:02079460123">call</a>',
        '<a href="tel:02079460123" rel="noopener noreferrer">call</a>',
    ),
}


def test_html_is_sanitised() -> None:
    products = {name: one(row(Notes=html, RateDescription=html)) for name, (html, _) in TEXTS.items()}
    found = {name: (product.notes, product.description) for name, product in products.items()}
    assert found == {name: (clean, clean) for name, (_, clean) in TEXTS.items()}


NAMES: dict[str, tuple[str, str]] = {
    "an ampersand": ("Birch & Stone", "Birch & Stone"),
    "an ampersand, escaped": ("Birch &amp; Stone", "Birch & Stone"),
    "a tag": ("<b>Cedar</b> Bank", "Cedar Bank"),
    "a tag, escaped": ("&lt;script&gt;x&lt;/script&gt;Cedar", "Cedar"),
    "less than": ("APRC < the rest", "APRC < the rest"),
    "lines and marks": ("Cedar\n\u202eBank\x07", "Cedar Bank"),
    "half of a character": ("Cedar \ud800", "Cedar ?"),
    "very long": ("C" * 500, "C" * 79 + "…"),
}


def test_names_are_plain_text() -> None:
    found = {name: one(row(LenderName=sent)).lender_name for name, (sent, _) in NAMES.items()}
    assert found == {name: shown for name, (_, shown) in NAMES.items()}


REFUSED: dict[str, bytes] = {
    "Q13 an HTML page": b"<!DOCTYPE html><html><body>502 Bad Gateway</body></html>",
    "Q13 an HTML page without a doctype": b"<html><body>502</body></html>",
    "Q16 warnings, and nothing after them": WARNING,
    "half a body": body(answer(GOOD))[:200],
    "half an XML body": xml(GOOD)[:300],
    "words": b"Service unavailable",
    "a number": b"7",
    "true": b"true",
    "a text of words": b'"soon"',
    "bytes": bytes(range(256)),
    "no Body": b'{"foo":{"bar":"1"}}',
    "a list of something else": b"[1,2,3]",
    "deep brackets": b"[" * 100_000,
    "deep objects": b'{"a":' * 60 + b"1" + b"}" * 60,
    "deep elements": b"<a>" * 60 + b"</a>" * 60,
    "an entity": b'<!DOCTYPE a [<!ENTITY x "y">]><s:Envelope>&x;</s:Envelope>',
    "a file from outside": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "two answers": body(answer(GOOD)) * 2,
}


def test_unreadable_answer_is_refused() -> None:
    for name, content in REFUSED.items():
        with pytest.raises(FeedParseError):
            pytest.fail(f"{name} is read as {read(content)}")
    with pytest.raises(FeedParseError, match=r"^get_rates: an answer of too many values$"):
        read(b"[" + b"[]," * 300_001 + b"0]")


SCALARS: dict[str, tuple[Tree, str | None]] = {
    "Q8 mixed content comes as its text": ("tu", "tu"),
    "Q24 repeated elements give the first": (["1", "2"], "1"),
    "Q22 an id with zeros": ("000123", "000123"),
    "true is no text": (True, None),
}


def test_text_is_the_nodes_own_and_numeric_keys_come_in_order() -> None:
    assert {name: text_of(node) for name, (node, _) in SCALARS.items()} == {n: text for n, (_, text) in SCALARS.items()}

    assert as_list({"10": "c", "2": "b", "0": "a"}) == ["a", "b", "c"]
    assert as_list([]) == as_list({}) == as_list("") == []
