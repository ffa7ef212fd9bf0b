"""The staff area at the edge, put together: its door, its pages without scripts, and what answers their forms."""

from __future__ import annotations

from starlette.types import ASGIApp

from broker.settings import Settings
from broker.web.forms.posts import Post
from broker.web.serving.response import Handler
from broker.web.staff.access import StaffAccess
from broker.web.staff.enquiry_export import DeskStaffed, EnquiryFiles
from broker.web.staff.own_account import AccountPages
from broker.web.staff.sign_in import SignInPages


class StaffArea:
    """What the edge of a site needs to have a staff area: `around` goes around it, the others into it."""

    def __init__(self, staffed: DeskStaffed, *, settings: Settings, firm: str) -> None:
        """Keep what knows who is signed in, and the name of the firm."""
        self._staffed, self._settings, self._firm = staffed, settings, firm
        sign_in = SignInPages(staffed, settings=settings, firm=firm)
        account = AccountPages(staffed, settings=settings, firm=firm)
        files = EnquiryFiles(staffed, firm=firm)
        self.posts: dict[str, Post] = sign_in.posts() | account.posts() | files.posts()
        self.handlers: dict[str, Handler] = sign_in.handlers() | account.handlers()

    def around(self, app: ASGIApp) -> ASGIApp:
        """Return the edge behind the door."""
        return StaffAccess(app, self._staffed, settings=self._settings, firm=self._firm)
