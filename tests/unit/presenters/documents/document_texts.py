"""Every text of a document, and those of a view that a document is made from."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from broker.calculators.view import AnswerView
from broker.documents.document import Document


def texts_of(part: Any) -> Iterator[str]:
    """Yield the texts in a value, however deep, but for names of kinds and tones."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from texts_of(each)
    elif is_dataclass(part):
        for field in fields(part):
            if field.name not in {"kind", "tone", "path", "logo", "width"}:
                yield from texts_of(getattr(part, field.name))


def missing(document: Document, *shown: Any) -> list[str]:
    """Return the texts of what is shown that no text of a document has."""
    whole = "\n".join(texts_of(document))
    return [text for text in texts_of(shown) if text not in whole]


def shown_of(answer: AnswerView) -> tuple[Any, ...]:
    """Return what a page shows of an answer; a note without a title is none."""
    chart, table = answer.chart, answer.table
    return (
        *(answer.label, answer.figure, answer.per, answer.caption, answer.steps, answer.bars),
        *(((answer.note.title, answer.note.text),) if answer.note else ()),
        *((note.title, note.text) for note in answer.warnings if note.title),
        *((table.caption, table.heads, table.rows) if table else ()),
        *((chart.title, chart.start, chart.end, chart.heads) if chart else ()),
    )
