"""The staff area at the edge: access control, pages without scripts, and handlers of their forms."""

from starlette.types import ASGIApp

from broker.settings import Settings
from broker.web.forms.posts import Post
from broker.web.serving.response import Handler
from broker.web.staff.access import StaffAccess
from broker.web.staff.enquiry_export import EnquiryFiles, EnquiryProvider
from broker.web.staff.own_account import AccountPages
from broker.web.staff.sign_in import SignInPages


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
