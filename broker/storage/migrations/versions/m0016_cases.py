"""Cases: stages, next actions, outcomes and merges of enquiries, replies, undo, and who has a case open."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_MOMENT = sa.DateTime(timezone=True)


def _word(name: str, default: str, *, length: int = 40) -> sa.Column[Any]:
    return sa.Column(name, sa.String(length), nullable=False, server_default=default)


def _enquiry_columns() -> tuple[sa.Column[Any], ...]:
    return (
        _word("stage", "enquiry"),
        sa.Column("stage_since", _MOMENT),
        _word("waiting_for", "us"),
        sa.Column("waiting_note", sa.LargeBinary()),
        sa.Column("next_action", sa.LargeBinary()),
        sa.Column("next_due", _MOMENT),
        sa.Column("amount", sa.Integer()),
        _word("service", "other"),
        _word("source", "other"),
        _word("outcome", ""),
        _word("close_reason", ""),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("first_call_at", _MOMENT),
        sa.Column("deal_ends", sa.Date()),
        _word("phone_digest", "", length=64),
        _word("email_digest", "", length=64),
        sa.Column("needs", sa.LargeBinary()),
        sa.Column("merged_into", sa.Integer()),
    )


_INDEXED = ("state", "next_due", "phone_digest", "email_digest", "merged_into")
_NOTE_COLUMNS = (("kind", "note"), ("outcome", ""), ("mail", ""))

_SOURCES = {
    "questionnaire": ("/questionnaire/%",),
    "rates": ("/tools/rates%", "%/rates/"),
    "plans": ("/plan/%",),
    "guides": ("/tools/mortgage-guides/%", "/mortgage-guides/%", "%/guides/", "/tools/mortgage-faqs/%", "/glossary/%"),
    "towns": ("/mortgage-broker%",),
    "calculators": ("/tools/calculators/%",),
    "contact": ("/contact/%",),
}
"""Pages of each source, by the pattern of their paths."""

_SERVICES = {
    "first-home": ("/first-time-buyer%", "/plan/buying/%"),
    "moving": ("/home-mover%",),
    "remortgage": ("/remortgag%", "/plan/remortgaging/%"),
    "landlord": ("/buy-to-let%",),
}

_TEMPLATES = {
    "We tried to call": (
        "Dear {name},\n\nYou asked us for a call. We have tried to reach you, and would like to try again. When is a "
        "good time? Call us, or choose a time on our site.\n\n{adviser}"
    ),
    "Papers we need": "Dear {name},\n\nTo go on we need from you: {papers}.\n\n{adviser}",
    "Your appointment": "Dear {name},\n\nWe talk on {appointment}.\n\n{adviser}",
}
"""Replies to begin with."""


def upgrade() -> None:
    """Add the columns and tables; source and service follow from the page of an enquiry, the stage from its state."""
    # columns are added one by one: SQLite would copy the table, and take its notes and mail with the old one
    for column in _enquiry_columns():
        op.add_column("enquiries", column)
    for name in _INDEXED:
        op.create_index(f"ix_enquiries_{name}", "enquiries", [name])
    for column, pages in (("source", _SOURCES), ("service", _SERVICES)):
        for word, patterns in pages.items():
            like = " OR ".join(f"page LIKE '{pattern}'" for pattern in patterns)
            op.execute(f"UPDATE enquiries SET {column} = '{word}' WHERE {column} = 'other' AND ({like})")
    op.execute("UPDATE enquiries SET source = 'questionnaire' WHERE kind = 'questionnaire'")
    op.execute("UPDATE enquiries SET stage = 'advice' WHERE state = 'booked'")
    op.execute("UPDATE enquiries SET stage_since = COALESCE(changed_at, created)")
    for name, default in _NOTE_COLUMNS:
        op.add_column("enquiry_notes", _word(name, default))
    op.create_table(
        "desk_undo",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("batch", sa.String(40), nullable=False, index=True),
        sa.Column(
            "enquiry_id", sa.Integer(), sa.ForeignKey("enquiries.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("at", _MOMENT, nullable=False, index=True),
        sa.Column("what", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("before", sa.LargeBinary(), nullable=False),
    )
    templates = op.create_table(
        "reply_templates",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False, unique=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("changed_by", sa.String(80), nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
    )
    made = {"changed_by": "", "changed_at": datetime.now(UTC)}
    op.bulk_insert(templates, [{"name": name, "text": text, **made} for name, text in _TEMPLATES.items()])
    op.create_table(
        "open_cases",
        sa.Column(
            "enquiry_id",
            sa.Integer(),
            sa.ForeignKey("enquiries.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("who", sa.String(80), primary_key=True),
        sa.Column("until", _MOMENT, nullable=False, index=True),
    )


def downgrade() -> None:
    """Remove the tables and columns, with what is in them; a merged enquiry is one by itself again."""
    for table in ("open_cases", "reply_templates", "desk_undo"):
        op.drop_table(table)
    for name, _ in _NOTE_COLUMNS:
        op.drop_column("enquiry_notes", name)
    for name in _INDEXED:
        op.drop_index(f"ix_enquiries_{name}", "enquiries")
    for column in _enquiry_columns():
        op.drop_column("enquiries", column.name)
