"""Subjects and versions of the templates of replies."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_SUBJECTS = {
    "We tried to call": "We tried to call you",
    "Papers we need": "Papers we need from you",
    "Your appointment": "Your appointment",
}
"""Subjects of those templates that are as they were given."""


def upgrade() -> None:
    op.add_column("reply_templates", sa.Column("subject", sa.String(80), nullable=False, server_default=""))
    op.add_column("reply_templates", sa.Column("version", sa.Integer(), nullable=False, server_default=sa.text("1")))
    for name, subject in _SUBJECTS.items():
        given = sa.text("UPDATE reply_templates SET subject = :subject WHERE name = :name AND changed_by = ''")
        op.execute(given.bindparams(subject=subject, name=name))


def downgrade() -> None:
    op.drop_column("reply_templates", "version")
    op.drop_column("reply_templates", "subject")
