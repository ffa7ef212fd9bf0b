"""Copy link, the system's own Share where the browser has one, and the page's result: as a PDF, or to an adviser."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker.components.client_scripts import expression, script_function
from broker.components.client_values import client_handler
from broker.components.elements import button, visually_hidden
from broker.components.jinja import Content, Text
from broker.documents.attachment import ATTACH, RESULT, adviser_address, result_parameter

_CAN_SHARE = expression(
    "canShare",
    hooks=("const [canShare, setCanShare] = useState(false)", "useEffect(() => setCanShare(!!navigator.share), [])"),
    react=("useState", "useEffect"),
).to(bool)
"""Whether the browser can share; false at first, as in the exported HTML."""

PDF_WORDS, ADVISER_WORDS = "Download as PDF", "Send this to an adviser"

TALK_WORDS = "Talk to an adviser at a time that suits you"
"""Words of the link to an adviser from a plan."""


def pdf_link(label: Content, address: Text, *, look: str) -> rx.Component:
    """Draw the link to a PDF of `label`: `server/js/head.js` gives it the query string of the page as it is pressed."""
    return _result_link(PDF_WORDS, label, href=address, look=look)


def adviser_link(
    label: Content, pdf: str, *, look: str, address: Text | None = None, words: str = ADVISER_WORDS
) -> rx.Component:
    """Draw the link to the contact page with the result of a PDF, by its path; it takes the query string as well."""
    href = adviser_address(pdf) if address is None else address
    taken = client_handler(script_function("share", "takeDraft").call(rx.Var("typed"), RESULT, ATTACH))
    return _result_link(words, label, href=href, look=look, parameter=result_parameter(pdf), onClick=taken)


def _result_link(
    words: str, label: Content, *, href: Text, look: str, parameter: str = "", **events: Any
) -> rx.Component:
    """Draw a link that takes the query string of the page, after a parameter of its own."""
    return A.create(
        words,
        visually_hidden(rx.fragment(": ", label)),
        href=href,
        rel="nofollow",
        class_name=look,
        custom_attrs={"data-result": parameter, **events},
    )


def copy_link(address: Text, *about: Content) -> rx.Component:
    """Draw the button that copies an address, with the place where it says so."""
    # Reflex hands a handler of clicks the mouse only; a plain one gets the event, with its button.
    copied = script_function("share", "copyLink").call(rx.Var("typed.currentTarget"), address)
    return rx.el.div(
        button("Copy link", *about, look="line s", custom_attrs={"onClick": client_handler(copied)}),
        rx.el.span(class_name="small", role="status"),
        class_name="row needs-script",
    )


def share_link(
    label: Content, address: Text = "", *, pdf: str = "", adviser_words: str = ADVISER_WORDS
) -> rx.Component:
    """Draw the buttons that copy and share a link to `label`; without an `address`, to the page as it is.

    `pdf` is the path of its PDF, where it has one; an adviser can then be sent it, by a link with `adviser_words`.
    """
    # Reflex hands a handler of clicks the mouse only; a plain one gets the event, with its button.
    copied = script_function("share", "copyLink").call(rx.Var("typed.currentTarget"), address)
    shared = script_function("share", "shareLink").call(address)
    spoken = visually_hidden(rx.fragment(": ", label))
    share = button("Share", spoken, look="line s", on_click=client_handler(shared))
    return rx.el.div(
        button("Copy link", spoken, look="line s", custom_attrs={"onClick": client_handler(copied)}),
        rx.cond(_CAN_SHARE, share),
        *([pdf_link(label, pdf, look="btn line s")] if pdf else []),
        *([adviser_link(label, pdf, look="btn line s", words=adviser_words)] if pdf else []),
        rx.el.span(class_name="small", role="status"),
        class_name="row share needs-script",
    )
