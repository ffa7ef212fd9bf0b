"""Pages of the staff area that work without scripts: the sign-in, its second step, and one's own account.

They are drawn here and not exported, because each is different for whoever asks, and nobody keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import segno

from broker import routes
from broker.components.drawings.icons import ICON
from broker.components.drawings.mark import mark
from broker.web.serving.response import Answer

POLICY = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""No script at all, and nothing from elsewhere."""

HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field with its label: `autocomplete` tells password managers what it is, `hint` stands under the label."""

    name: str
    label: str
    autocomplete: str
    kind: str = "text"
    value: str = ""
    hint: str = ""
    problem: str = ""
    more: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form: where it posts to, its fields, the words of its button, and what goes with it unseen.

    `account` is the name that a password manager keeps a password of this form under.
    """

    action: str
    button: str
    fields: Sequence[Field] = ()
    hidden: Sequence[tuple[str, str]] = ()
    account: str = ""
    look: str = ""


def answer(html: str, *, status: int = 200, cookies: tuple[str, ...] = ()) -> Answer:
    """Return the answer with a page."""
    return Answer(status=status, headers=HEADERS, body=html.encode(), cookies=cookies)


def page(title: str, content: str, *, firm: str, is_wrong: bool = False, refresh: str = "") -> str:
    """Draw a page; `is_wrong` says so at the front of its title, `refresh` is the path to go on to at once."""
    short = firm.partition(" ")[0]
    again = f'<meta http-equiv="refresh" content="0;url={escape(refresh)}">' if refresh else ""
    return (
        '<!doctype html><html lang="en-GB"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">'
        f"{again}<title>{'Error: ' if is_wrong else ''}{escape(title)} | {escape(firm)}</title>"
        '<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/site.css"></head>'
        '<body class="staff"><a class="skip" href="#main">Skip to main content</a>'
        f'<header class="top"><div class="wrap between"><a class="brand" href="{routes.HOME}">{mark()}'
        f"<span>{escape(short)}<small>Staff</small></span></a></div></header>"
        f'<main id="main" class="wrap band-s stack loose narrow"><h1 class="as-h2">{escape(title)}</h1>'
        f'{content}</main><footer class="q-foot"><p class="wrap xs">What you do here is recorded.</p></footer>'
        "</body></html>"
    )


def form(drawn: Form) -> str:
    """Draw a form."""
    hidden = "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in drawn.hidden)
    if drawn.account:
        name = escape(drawn.account)
        hidden += f'<input type="text" name="username" value="{name}" autocomplete="username" hidden>'
    fields = "".join(map(_field, drawn.fields))
    return (
        f'<form method="post" action="{drawn.action}" class="stack">{hidden}{fields}'
        f'<button class="btn {drawn.look}" type="submit">{escape(drawn.button)}</button></form>'
    )


def panel(title: str, *content: str) -> str:
    """Draw a part of a page under its heading."""
    return f'<section class="panel stack"><h2 class="as-h3">{escape(title)}</h2>{"".join(content)}</section>'


def words(text: str) -> str:
    """Draw a paragraph."""
    return f"<p>{escape(text)}</p>"


def note(title: str, text: str = "", *, tone: str = "bad") -> str:
    """Draw a message at the top of a page: `bad` is announced at once, `good` politely."""
    role = "alert" if tone == "bad" else "status"
    return (
        f'<div class="note {tone}" role="{role}">{_icon("alert" if tone == "bad" else "check")}'
        f"<div><strong>{escape(title)}</strong>{escape(text)}</div></div>"
    )


def picture_of(address: str) -> str:
    """Draw an address as a QR code, black on white whatever is around it."""
    drawn = segno.make(address, error="m", micro=False).svg_inline(scale=4, border=4, light="#fff", svgclass=None)
    return f'<div role="img" aria-label="The same secret as a picture for your authenticator">{drawn}</div>'


def _field(field: Field) -> str:
    described = [f"{field.name}-{part}" for part, text in (("hint", field.hint), ("error", field.problem)) if text]
    about = f' aria-describedby="{" ".join(described)}"' if described else ""
    wrong = ' aria-invalid="true"' if field.problem else ""
    hint = f'<span class="hint" id="{field.name}-hint">{escape(field.hint)}</span>' if field.hint else ""
    problem = (
        f'<p class="err" id="{field.name}-error">{_icon("alert")}{escape(field.problem)}</p>' if field.problem else ""
    )
    return (
        f'<div class="stack tight-6"><label for="{field.name}">{escape(field.label)}</label>{hint}'
        f'<input class="input{" bad" if field.problem else ""}" id="{field.name}" name="{field.name}" '
        f'type="{field.kind}" value="{escape(field.value)}" autocomplete="{field.autocomplete}" required'
        f"{wrong}{about}{field.more}>{problem}</div>"
    )


def _icon(name: str) -> str:
    return f'<svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="{ICON[name]}"/></svg>'
