"""The stand-in itself: which call a request is, how often each was asked, and the switch for all of them."""

import asyncio
import json
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from typing import Any

from tests.standin.calls import ROUTES, FaultError, asked
from tests.standin.forms import php_fields
from tests.standin.market import Market, market, schemes
from tests.standin.setting import NAMES, Published, Setting, UnknownSwitchError, asked_for, changed
from tests.standin.wire import Answer, Request
from tests.standin.writing import refused, unasked, written

Edit = Callable[[str, Any], Any]
"""Returns the good answer of a call, by its name, with changes."""

KEPT = 1_024
"""Answers kept as bytes, those used last."""

LOOK_SECONDS = 0.05
"""Time between looks at whether an answer that waits has another delay by now."""

_NO_ROUTE = {
    "code": "rest_no_route",
    "message": "No route was found matching the URL and request method.",
    "data": {"status": 404},
}


class Site:
    """Answers requests from the embedded market, as its setting or the request says."""

    def __init__(self, setting: Setting | None = None) -> None:
        self.setting = setting or Setting()
        self.asked: Counter[str] = Counter()
        self.waits: deque[float] = deque(maxlen=20_000)
        self._market: Market = market()
        self._kept: OrderedDict[tuple[Any, ...], Answer] = OrderedDict()
        self._edit: Edit = lambda _call, tree: tree

    def edit(self, edit: Edit) -> None:
        """Change the good answers from now on, as an editor does."""
        self._edit = edit
        self._kept.clear()

    async def answer(self, request: Request) -> Answer:
        """Return the answer to a request, its delay counted from now; a switch to another delay ends or prolongs it."""
        if request.target.startswith("/_standin/"):
            return self._own(request)
        route = ROUTES.get((request.method, request.target.rstrip("/")))
        if route is None:
            return _json(_NO_ROUTE, status=404)
        name, _answering = route
        self.asked[name] += 1
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            setting = asked_for(self.setting, request)
        except UnknownSwitchError as error:
            return _json({"code": "unknown_switch", "message": str(error)}, status=404)
        answer = self._prepared(request, setting)
        while (left := began + asked_for(self.setting, request).delay / 1_000 - clock()) > 0:
            await asyncio.sleep(min(left, LOOK_SECONDS))
        self.waits.append((clock() - began) * 1_000)
        return answer

    def _prepared(self, request: Request, setting: Setting) -> Answer:
        """Return an answer made before for the same request and switch, or a new one."""
        key = (request.method, request.target, request.query, request.body, replace(setting, delay=0))
        if key not in self._kept:
            self._kept[key] = self._made(request, setting)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def _made(self, request: Request, setting: Setting) -> Answer:
        call, answering = ROUTES[request.method, request.target.rstrip("/")]
        name = setting.named(call)
        if (answer := unasked(name)) is not None:
            return answer
        try:
            made = answering(asked(self._market, request, setting=setting))
            return made if isinstance(made, Answer) else written(name, self._edit(call, made))
        except FaultError as error:
            return refused(str(error), like=schemes([]))

    def _own(self, request: Request) -> Answer:
        """Answer what is no part of the API: the switch, and the counts."""
        given = php_fields(request.query) | php_fields(request.body.decode("utf-8", "replace"))
        texts = {name: value for name, value in given.items() if isinstance(value, str)}
        match request.method, request.target:
            case "POST", "/_standin/switch":
                try:
                    self.setting = changed(self.setting, texts)
                except UnknownSwitchError as error:
                    return _json({"problem": str(error)}, status=404)
                return _json(asdict(self.setting))
            case "POST", "/_standin/publish":
                known = {each.name for each in fields(Published)}
                guide = Published(**{"slug": "bridging-loans"} | {key: texts[key] for key in known & set(texts)})
                self.setting = replace(self.setting, published=(*self.setting.published, guide))
                return _json(asdict(guide))
            case "GET", "/_standin/switch":
                return _json({"setting": asdict(self.setting), "names": NAMES})
            case "GET", "/_standin/asked":
                return _json(dict(self.asked))
            case "GET", "/_standin/waits":
                return _json([round(wait, 1) for wait in self.waits])
            case "POST", "/_standin/forget":
                self.asked.clear()
                self.waits.clear()
                return _json({})
        return _json(_NO_ROUTE, status=404)


def _json(tree: Any, *, status: int = 200) -> Answer:
    return Answer(body=json.dumps(tree).encode("utf-8"), status=status)
