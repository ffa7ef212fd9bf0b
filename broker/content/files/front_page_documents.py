"""Reader for the documents of front pages (`broker.content.models.front_pages`)."""

from broker.content.files import field_checks
from broker.content.files.validated_record import Record
from broker.content.models.front_pages import FRONT_PAGES, SECTIONS, FrontPage, SectionWords, Step
from broker.content.text.markdown import render_markdown


def read_front_page(record: Record, body: str) -> FrontPage:
    """Read a front page; its body, a text for the end of the page, is optional."""
    record.allow(*field_checks.META, "path", "points", "calculators", "sections")
    text = field_checks.read_body(record, body) if body.strip() else render_markdown("")
    path = record.text("path")
    if path and path not in FRONT_PAGES:
        record.refuse(f"unknown path {path!r}; known are {', '.join(FRONT_PAGES)}", None)
    return FrontPage(
        **field_checks.read_meta(record, body),
        path=path,
        html=text.html,
        headings=text.headings,
        points=record.texts("points"),
        calculators=field_checks.read_calculators(record),
        sections=_sections(record, SECTIONS.get(path, ())),
    )


def _sections(record: Record, names: tuple[str, ...]) -> dict[str, SectionWords]:
    """Return the sections of a page, which are all required."""
    if not names:
        if "sections" in record.values:
            record.refuse(f"sections are for {', '.join(SECTIONS)} alone", None)
        return {}
    sections = record.record("sections")
    sections.allow(*names)
    return {name: _section(sections.record(name)) for name in names}


def _section(record: Record) -> SectionWords:
    record.allow("heading", "lead", "steps")
    return SectionWords(
        heading=record.text("heading"),
        lead=record.optional("lead"),
        steps=tuple(_step(step) for step in record.records("steps")),
    )


def _step(record: Record) -> Step:
    record.allow("title", "text")
    return Step(title=record.text("title"), text=record.text("text"))
