"""The staff area at the edge: access control, pages without scripts, and handlers of their forms."""

from starlette.types import ASGIApp

from broker.server.forms.posts import Post
from broker.server.response import Handler
from broker.server.staff.access import StaffAccess
from broker.server.staff.enquiry_export import EnquiryFiles, EnquiryProvider
from broker.server.staff.own_account import AccountPages
from broker.server.staff.sign_in import SignInPages
from broker.settings import Settings


class StaffArea:
    """The handlers of the staff area, by path, and the middleware that protects it."""

    def __init__(self, provider: EnquiryProvider, *, settings: Settings, firm: str) -> None:
        self._provider, self._settings, self._firm = provider, settings, firm
        sign_in = SignInPages(provider, settings=settings, firm=firm)
        account = AccountPages(provider, settings=settings, firm=firm)
        files = EnquiryFiles(provider, firm=firm)
        self.posts: dict[str, Post] = sign_in.posts() | account.posts() | files.posts()
        self.handlers: dict[str, Handler] = sign_in.handlers() | account.handlers()

    def protect(self, app: ASGIApp) -> ASGIApp:
        return StaffAccess(app, self._provider, settings=self._settings, firm=self._firm)
