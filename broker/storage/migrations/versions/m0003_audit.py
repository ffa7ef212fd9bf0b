"""The record of who did what among staff: it can be added to and read, and the database itself refuses all else."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_WORDS = "the audit record is only ever added to"

_SQLITE = (
    f"CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, '{_WORDS}'); END",
    f"CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, '{_WORDS}'); END",
    # REPLACE deletes without a trigger: a number that is there is not given again
    "CREATE TRIGGER audit_is_added_to BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id) "
    f"BEGIN SELECT RAISE(ABORT, '{_WORDS}'); END",
)
_POSTGRESQL = (
    "CREATE FUNCTION audit_refuses() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{_WORDS}' USING ERRCODE = 'restrict_violation'; END $$",
    "CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuses()",
    "CREATE TRIGGER audit_is_kept BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses()",
)


def upgrade() -> None:
    """Make the table, and what keeps it as it is."""
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(80), nullable=False, index=True),
        sa.Column("what", sa.String(40), nullable=False),
        sa.Column("about", sa.String(80), nullable=False, index=True),
        sa.Column("detail", sa.String(400), nullable=False),
    )
    for statement in _SQLITE if op.get_bind().dialect.name == "sqlite" else _POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    """Remove the table, with the record that is in it."""
    op.drop_table("audit")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION audit_refuses()")
