"""Rows of enquiries that are one case: an enquiry, and those that are merged into it."""

from sqlalchemy import ColumnElement, delete, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.storage.tables import EnquiryRow


def in_case(id_: int) -> ColumnElement[bool]:
    """Return the condition of the enquiries of a case, by the id of the one that the others are merged into."""
    return or_(col(EnquiryRow.id) == id_, col(EnquiryRow.merged_into) == id_)


async def delete_merged(connection: AsyncConnection) -> int:
    """Delete the enquiries whose case is deleted, and return how many."""
    left = (col(EnquiryRow.merged_into).is_not(None), col(EnquiryRow.merged_into).not_in(select(col(EnquiryRow.id))))
    return (await connection.execute(delete(EnquiryRow).where(*left))).rowcount
