import json
import re
from datetime import date
from pathlib import Path

import pytest

from broker.content.errors import ContentError
from broker.content.files.json_files import read_facts
from broker.content.files.validated_record import Record, read_json
from broker.content.text.placeholders import (
    FigureError,
    cited_sources,
    latest_source,
    source_line,
    with_source_list,
    work_out_figures,
)
from broker.lending import property_tax
from tests.our_content import CONTENT, STORE
from tests.unit.rates.market.searching import BENCHMARKS

FACTS = read_facts(read_json(CONTENT / "facts.json", {}))
DOCUMENTS = {path.relative_to(CONTENT): path.read_text(encoding="utf-8") for path in sorted(CONTENT.rglob("*.md"))}
GUIDES = [path for path in DOCUMENTS if path.parts[0] == "guides"]

SHOWN = [
    *(("pounds", 4000, "£4,000"), ("pounds", 123.25, "£123.25")),
    *(("percent", 25, "25%"), ("percent", 2.75, "2.75%"), ("number", 12, "12"), ("number", 4.5, "4.5")),
    *(("day", "2025-04-01", "1 April 2025"), ("month", "2025-04", "April 2025"), ("text", "late 2028", "late 2028")),
]


def facts_with(**fact: object) -> dict[str, str]:
    sources = {"law": {"title": "An Act", "url": "https://law.example/", "as_at": "2026-11-21", "functions": ["sdlt"]}}
    whole = {"value": 1, "unit": "number", "says": "A limit", "source": "law"} | fact
    return read_facts(Record(source="facts.json", values={"sources": sources, "facts": {"limit": whole}}))


FAULTS: list[tuple[dict[str, object], str]] = [
    ({"unit": "shillings"}, "unknown unit 'shillings'"),
    ({"value": "many"}, "value must be a number from 0 up"),
    ({"unit": "day", "value": "1 April 2025"}, "value must be a date such as"),
    ({"unit": "month", "value": "April 2025"}, "value must be a month such as 2026-11"),
    ({"says": ""}, "missing says"),
    ({"source": ""}, "missing source"),
    ({"source": "hearsay"}, "unknown source 'hearsay'"),
    ({"note": "x"}, "unknown field note"),
]


def test_fact_is_shown_by_its_unit_and_a_faulty_one_refused() -> None:
    for unit, value, shown in SHOWN:
        assert facts_with(unit=unit, value=value)["fact.limit"] == shown
    for fact, fault in FAULTS:
        with pytest.raises(ContentError, match=re.escape(fault)):
            facts_with(**fact)


def test_only_a_fact_that_is_a_number_goes_into_a_sum() -> None:
    facts = facts_with(unit="pounds", value=4000) | {"fact.words": "late 2028"}
    assert work_out_figures("{{= fact.limit * 3 | pounds }}", facts) == "£12,000"
    for expression in ("fact.words + 1", "fact.nothing", "firm.limit", "fact", "fact.limit.real"):
        with pytest.raises(FigureError):
            work_out_figures(f"{{{{= {expression} | pounds }}}}", facts)


def test_sources_are_those_of_facts_and_sums_each_once() -> None:
    facts = facts_with()
    line = "As they stood on 21 November 2026:\n\n- [An Act](https://law.example/)"
    for text in ("{{ fact.limit }}", "{{= 2 * fact.limit | pounds }}", "{{= sdlt(1) | pounds }} {{ fact.limit }}"):
        assert with_source_list(text, facts)["sources"] == line
    assert "sources" not in with_source_list("fact.limit, sdlt(1), {{= payment(1, 2, 3) | pounds }}", facts)


def test_sources_are_in_the_order_of_their_titles_below_their_days() -> None:
    cited = [("B Act", "", "1 May 2026"), ("A guide", "https://a.example/", "1 May 2026"), ("C", "", "2 May 2026")]
    lines = [source_line(title, url, day=day) for title, url, day in cited]
    facts = {f"source.fact.{number}": line for number, line in enumerate(lines)}
    text = " ".join(f"{{{{ fact.{number} }}}}" for number in range(3))
    first, second = with_source_list(text, facts)["sources"].split("\n\nAs they stood on 2 May 2026:\n\n")
    assert first == "As they stood on 1 May 2026:\n\n- [A guide](https://a.example/)\n- B Act"
    assert second == "- C"
    assert latest_source(with_source_list(text, facts)["sources"]) == date(2026, 5, 2)
    assert latest_source("No list, as at 2 May 2026.") == date.min


def test_guide_is_as_new_as_the_latest_source_that_it_cites() -> None:
    guides = {guide.url: guide for guide in STORE.guides()}
    assert "updated: 2026-01" in DOCUMENTS[Path("guides/what-is-aprc.md")]
    assert guides["what-is-aprc"].updated == date(2026, 11, 21)
    dated = [(url, re.findall(r"As they stood on ([^:]+):", guide.html)) for url, guide in guides.items()]
    late = [url for url, days in dated if any(latest(day) > guides[url].updated for day in days)]
    assert (late, len([url for url, days in dated if days]) > 40) == ([], True)


def latest(day: str) -> date:
    return latest_source(f"As they stood on {day}:")


def test_every_fact_is_used_in_a_text_that_ends_with_its_sources() -> None:
    used = {name for text in DOCUMENTS.values() for name in cited_sources(text, FACTS)}
    assert {name for name in FACTS if name.startswith("source.fact.")} <= used
    assert {line for name, line in FACTS.items() if name.startswith("source.")} <= {FACTS[name] for name in used}
    end = "\n## Sources\n\n{{ sources }}\n\n{{ risk_warning }}\n"
    texts = {path.stem: DOCUMENTS[path] for path in GUIDES}
    assert [name for name, text in texts.items() if text.endswith(end) != bool(cited_sources(text, FACTS))] == []


def test_facts_of_rates_are_those_of_the_sample_market() -> None:
    facts = json.loads((CONTENT / "facts.json").read_text(encoding="utf-8"))["facts"]
    names = ("averages_month", "average_fix", "average_follow_on", "bank_rate", "bank_rate_since")
    market = (f"{BENCHMARKS.as_of:%Y-%m}", BENCHMARKS.fixed[2, 75], BENCHMARKS.reversion)
    bank = (BENCHMARKS.bank_rate, BENCHMARKS.bank_rate_since.isoformat())
    assert tuple(facts[name]["value"] for name in names) == (*market, *bank)


def test_facts_of_taxes_are_those_of_the_domain() -> None:
    facts = json.loads((CONTENT / "facts.json").read_text(encoding="utf-8"))["facts"]
    assert facts["sdlt_surcharge"]["value"] == property_tax.SDLT_ADDITIONAL
    assert facts["lbtt_supplement"]["value"] == property_tax.LBTT_ADDITIONAL
    assert facts["additional_from"]["value"] == property_tax.ADDITIONAL_FROM
    most = max(property_tax.lbtt(price) - property_tax.lbtt_first_time(price) for price in (150_000, 175_000, 900_000))
    assert facts["lbtt_first_time_most"]["value"] == most
