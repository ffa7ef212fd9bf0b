"""The forms of a watch: the one that starts it, those of the page behind its link, and the one-click address."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Protocol

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker import routes
from broker.calculators.calculator import Form
from broker.calculators.view import read_values, typed_fields
from broker.clock import utc_now
from broker.enquiries.contact_details import Problem
from broker.enquiries.enquiry import HIDDEN
from broker.lenders.directory import LenderDirectory
from broker.lending.arithmetic import Amount
from broker.rates.search_params import offered_lenders
from broker.server.forms.plan_answers import remortgage_plan_at
from broker.server.forms.posts import MessagePost, Post, Sender
from broker.server.paths import parameters_of
from broker.server.releases import LiveExport
from broker.server.rendered_pages import RenderedPages
from broker.server.response import Answer, Handler, attachment, plain_text
from broker.services import DatabaseClosedError
from broker.storage.errors import StorageError
from broker.watches.form_view import BEGIN, FIELDS, NEEDED, STEP, begun, watch_form, watch_form_values
from broker.watches.page_view import (
    ASK,
    CHANGE,
    CONFIRM,
    DONE,
    EXPORT,
    LINK,
    PAUSE,
    RESUME,
    SAVE,
    STOP,
    STOPPED,
    change_values,
    gone_values,
    plan_today,
    question_values,
    stopped_values,
    watch_values,
)
from broker.watches.service import (
    AWAY,
    NO_LINK,
    TOO_MANY_TRIES,
    WatchRefused,
    WatchService,
    WatchStarted,
    WatchSubmission,
)
from broker.watches.watch import TELEPHONE, StoredWatch, WatchState, plan_parameters
from broker.watches.watch import parameters_of as fields_of

STOP_TOKEN = "stop"
"""The parameter of the one-click address."""

NO_WATCH = WatchRefused.saying(NO_LINK)

_STATUSES = {AWAY: 503, TOO_MANY_TRIES: 429}

MAX_STOP_BYTES = 4_096
"""Bytes of a one-click post, which has one field."""

_REFERRER = {"referrer-policy": "same-origin"}
"""No other site gets the address of a page with a link. A stricter policy would hide the origin of its forms."""

log = logging.getLogger(__name__)


class WatchProvider(Protocol):
    @property
    def watches(self) -> WatchService: ...

    @property
    def lenders(self) -> LenderDirectory: ...


def watch_post(services: WatchProvider, live: LiveExport, *, is_sample: bool, sends_mail: bool) -> Post:
    """Return the handler of the form that starts a watch; the plan posts its figures to it for a first look.

    Where the site sends no mail, the answer says that the mail to confirm it waits.
    """
    pages = RenderedPages(live=live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        given = _fields(form)
        if form.get(STEP) == BEGIN:
            return pages.answer(
                "watch", _form_values(services, begun(given), is_sample=is_sample), headers=sender.headers
            )
        sent = WatchSubmission(given=given, page=routes.START_WATCH, address=sender.address)
        outcome = await services.watches.start(sent)
        if isinstance(outcome, WatchStarted):
            if sends_mail:
                return _see_other(routes.WATCH_SENT)
            return pages.answer("watch-waits", {}, headers=sender.headers)
        values = _form_values(services, given, outcome.problems, is_sample=is_sample)
        return pages.answer("watch", values, headers=sender.headers, status=_status(outcome))

    return Post(answer=answer)


def my_watch_handler(services: WatchProvider, live: LiveExport, *, is_sample: bool) -> Handler:
    """Return the handler of a mail's link, which shows its watch; None without one, for the exported page.

    It changes nothing: programs that look for harmful mail open its links.
    """
    watches = _MyWatch(services, live, is_sample=is_sample)

    async def answer(scope: Scope) -> Answer | None:
        given, headers = parameters_of(scope), Headers(scope=scope)
        link, done = given.get(LINK, ""), given.get(DONE, "")
        if link:
            return await watches.show(link, headers, done=done)
        return watches.page(stopped_values(), headers) if done == STOP else None

    return answer


def my_watch_post(services: WatchProvider, live: LiveExport, *, is_sample: bool) -> Post:
    """Return the handler of the buttons and of the form of a watch's page."""
    watches = _MyWatch(services, live, is_sample=is_sample)

    async def answer(form: FormData, sender: Sender) -> Answer:
        step, link = _text(form, STEP), _text(form, LINK)
        return await watches.take(step, link, fields=_fields(form), headers=sender.headers)

    return Post(answer=answer)


class _MyWatch:
    """Answers with the page of a watch."""

    def __init__(self, services: WatchProvider, live: LiveExport, *, is_sample: bool) -> None:
        self._services, self._pages, self._is_sample = services, RenderedPages(live=live), is_sample

    def page(self, values: Mapping[str, object], headers: Headers, *, status: int = 200) -> Answer:
        found = self._pages.answer("my-watch", values, headers=headers, status=status)
        return replace(found, headers={**found.headers, **_REFERRER})

    async def show(self, link: str, headers: Headers, *, done: str = "") -> Answer:
        found = await self._services.watches.find(link)
        if isinstance(found, WatchRefused):
            return self._refused(found, headers)
        values = watch_values(
            found,
            link,
            form=_form(self._services),
            today=_today(),
            window=self._services.lenders.window(found.watch.lender_id or 0),
            done=done,
            is_sample=self._is_sample,
        )
        if found.state is not WatchState.UNCONFIRMED:
            plan = await remortgage_plan_at(plan_parameters(found.watch))
            values |= plan_today(plan.view, plan.deals, found.watch)
        return self.page(values, headers)

    async def take(self, step: str, link: str, *, fields: Mapping[str, object], headers: Headers) -> Answer:
        """Return the answer to a step of the page: a page, a file, or a redirect to the page of the watch."""
        watches = self._services.watches
        if step == EXPORT:
            return self._file(await watches.export(link), headers)
        if step == STOP:
            stopped = await watches.stop(link)
            if isinstance(stopped, WatchRefused) and _status(stopped) in _STATUSES.values():
                return self._refused(stopped, headers)  # one that is deleted already is stopped
            return _see_other(routes.with_query(routes.MY_WATCH, {DONE: STOP}))
        if step in (ASK, CHANGE):
            return self._ask(step, await watches.find(link), link, headers=headers)
        changes = {CONFIRM: watches.confirm, PAUSE: watches.pause, RESUME: watches.resume}
        if step == SAVE:
            outcome = await watches.change(link, fields)
        else:
            outcome = await changes.get(step, watches.find)(link)
        if isinstance(outcome, StoredWatch):
            done = {DONE: step} if step == SAVE or step in changes else {}
            return _see_other(routes.with_query(routes.MY_WATCH, {LINK: link, **done}))
        if step == SAVE and outcome.problems != NO_WATCH.problems:
            values = _form_values(self._services, fields, outcome.problems, is_sample=self._is_sample)
            return self.page(change_values(values, link), headers, status=_status(outcome))
        return self._refused(outcome, headers)

    def _ask(self, step: str, found: StoredWatch | WatchRefused, link: str, *, headers: Headers) -> Answer:
        if isinstance(found, WatchRefused):
            return self._refused(found, headers)
        if step == ASK:
            return self.page(question_values(found, link, form=_form(self._services), today=_today()), headers)
        values = _form_values(self._services, fields_of(found.watch) | _contact(found), is_sample=self._is_sample)
        return self.page(change_values(values, link), headers)

    def _refused(self, refused: WatchRefused, headers: Headers) -> Answer:
        reason = ". ".join(each.reason for each in refused.problems)
        status = _status(refused, otherwise=404)
        return self.page(gone_values(f"{reason}.", is_away=status != 404), headers, status=status)

    def _file(self, found: Mapping[str, object] | WatchRefused, headers: Headers) -> Answer:
        if isinstance(found, WatchRefused):
            return self._refused(found, headers)
        body = json.dumps(found, ensure_ascii=False, indent=2).encode()
        return attachment(body, "application/json", "my-watch.json")


def stop_handlers(services: WatchProvider, live: LiveExport) -> tuple[Handler, MessagePost]:
    """Return the handlers of the one-click address (RFC 8058): a page with a button, and the post that stops a watch.

    The post needs no cookie and no page of ours, and its answer is the same whether there was a watch.
    """
    pages = RenderedPages(live=live)

    def page(values: Mapping[str, object], headers: Headers) -> Answer:
        found = pages.answer("watch-stop", values, headers=headers)
        return replace(found, headers={**found.headers, **_REFERRER})

    async def ask(scope: Scope) -> Answer | None:
        token = parameters_of(scope).get(STOP_TOKEN, "")
        values = {"heading": "Stop your watch?", "is_stopped": False, "address": routes.watch_stop(token)}
        return page(values, Headers(scope=scope)) if token else None

    async def stop(_body: bytes, sender: Sender) -> Answer:
        try:
            await services.watches.unsubscribe(sender.parameters.get(STOP_TOKEN, ""))
        except (StorageError, DatabaseClosedError) as error:
            log.error("a watch could not be stopped: %s", error)
            return plain_text(503, "We could not stop it just now. Please try again in a minute.")
        return page({"heading": STOPPED, "is_stopped": True, "address": ""}, sender.headers)

    return ask, MessagePost(answer=stop, max_bytes=MAX_STOP_BYTES)


def _today() -> date:
    return utc_now().date()


def _form(services: WatchProvider) -> Form:
    return watch_form(offered_lenders("", services.lenders.lenders))


def _form_values(
    services: WatchProvider, given: Mapping[str, object], problems: Sequence[Problem] = (), *, is_sample: bool
) -> dict[str, object]:
    """Return the values of the form; figures that are whole and valid are folded."""
    form = _form(services)
    return watch_form_values(given, problems, form=form, values=_figures(form, given), is_sample=is_sample)


def _figures(form: Form, given: Mapping[str, object]) -> Mapping[str, Amount] | None:
    texts = {name: text for name, text in given.items() if isinstance(text, str)}
    if not all(texts.get(name, "").strip() for name in NEEDED):
        return None
    values = read_values(form, texts)
    is_wrong = any(each.problem for each in typed_fields(form, texts, values=values))
    return None if is_wrong else values


def _fields(form: FormData) -> dict[str, object]:
    """Return the texts of a posted form that a watch has fields for; a file is ignored."""
    return {name: text for name in (*FIELDS, HIDDEN) if isinstance(text := form.get(name), str)}


def _text(form: FormData, name: str) -> str:
    return text if isinstance(text := form.get(name), str) else ""


def _contact(stored: StoredWatch) -> dict[str, str]:
    return {TELEPHONE: stored.telephone}


def _see_other(location: str) -> Answer:
    return Answer(status=303, headers={"location": location})


def _status(refused: WatchRefused, *, otherwise: int = 422) -> int:
    return next((_STATUSES[each.reason] for each in refused.problems if each.reason in _STATUSES), otherwise)
