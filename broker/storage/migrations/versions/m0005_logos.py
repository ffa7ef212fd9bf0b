"""Logos of lenders: their pictures, and the versions that each lender has had."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "logo_pictures",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("lender_id", sa.Integer(), nullable=False, index=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.Column("added", _MOMENT, nullable=False),
    )
    op.create_table(
        "logo_versions",
        sa.Column("lender_id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("source", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("picture", sa.String(40), sa.ForeignKey("logo_pictures.name"), index=True),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("file_name", sa.String(80), nullable=False),
    )


def downgrade() -> None:
    """Remove both tables, with the logos that are in them."""
    op.drop_table("logo_versions")
    op.drop_table("logo_pictures")
