"""Alembic's environment, on the connection that `migrate` has opened."""

from __future__ import annotations

from alembic import context

from broker.storage.tables import NumberedRow

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=NumberedRow.metadata,
    render_as_batch=True,  # SQLite changes a table by copying it
)
context.run_migrations()
