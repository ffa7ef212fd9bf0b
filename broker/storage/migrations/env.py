"""Alembic's environment, on the connection that `migrate` has opened."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

from broker.storage import tables
from broker.storage import tables as staff_tables

TABLES = SQLModel.metadata
"""The tables declared by the modules imported here."""

assert {
    tables.EnquiryRow,
    tables.JourneyRow,
    tables.MailRow,
    tables.SuppressedAddressRow,
    tables.WatchRow,
    tables.WatchCheckRow,
    tables.AuditRow,
    staff_tables.StaffRow,
    staff_tables.StaffSessionRow,
    staff_tables.RecoveryCodeRow,
    tables.LogoPictureRow,
    tables.LogoVersionRow,
    tables.LenderWindowRow,
}

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=TABLES,
    render_as_batch=True,  # SQLite changes a table by copying it
)
context.run_migrations()
