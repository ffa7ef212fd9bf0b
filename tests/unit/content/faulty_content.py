"""The content with one fault in one file, and the error that names it; the other files are read once a session."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from broker.content.errors import ContentError
from broker.content.files import content_reader
from broker.content.files.consistency import find_faults
from broker.content.files.content_reader import read_content, read_front_page, read_menus
from broker.content.files.guide_documents import read_guide, read_town
from broker.content.files.lender_documents import read_lender_text
from broker.content.files.site_reader import read_reviews, read_site
from broker.content.files.validated_record import Record, read_document, read_json
from broker.content.text.facts import read_facts
from tests.our_content import CONTENT

CORRECT = read_content(CONTENT)
READERS: Mapping[str, Callable[[Record, str], Any]] = {
    "services": content_reader.read_service,
    "front_pages": read_front_page,
    "pages": content_reader.read_page,
    "deals": content_reader.read_deal_page,
    "guides": read_guide,
    "towns": read_town,
    "lenders": read_lender_text,
    "faqs": content_reader.read_faq_document,
}
JSON_READERS: Mapping[str, Callable[[Record], Any]] = {
    "site.json": read_site,
    "menus.json": read_menus,
    "reviews.json": read_reviews,
    "facts.json": read_facts,
}


def first_fault(folder: Path, file: str, *, old: str, new: str) -> str:
    """Return the first fault after one change to a file, which it must name; `folder` is written to."""
    text = (CONTENT / file).read_text(encoding="utf-8")
    assert old in text, (file, old)
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    fault = next(_json_faults(path) if path.suffix == ".json" else _document_faults(path))
    assert Path(fault.source.split(",")[0]) == path, fault
    return fault.fault


def _json_faults(path: Path) -> Iterator[ContentError]:
    faults: list[ContentError] = []
    try:
        JSON_READERS[path.name](read_json(path, CORRECT.placeholders, found=faults))
    except ContentError as error:
        faults.append(error)
    return iter(faults)


def _document_faults(path: Path) -> Iterator[ContentError]:
    kind, original = path.parent.name.replace("-", "_"), CONTENT / path.parent.name / path.name
    faults: list[ContentError] = []
    entries = {(path if key == original else key): entry for key, entry in getattr(CORRECT, kind).items()}
    try:
        entries[path] = READERS[kind](*read_document(path, CORRECT.placeholders, found=faults))
    except ContentError as error:
        faults.append(error)
        del entries[path]
    faulty = frozenset({path} if faults else ())
    return find_faults(replace(CORRECT, **{kind: entries}, faults=tuple(faults), faulty=faulty))
