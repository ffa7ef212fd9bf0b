"""What a visitor reads in place of a page that failed in the browser."""

import reflex as rx
from reflex_components_core.base.error_boundary import ErrorBoundary

from broker import routes
from broker.components.elements import drawing, icon, plain_link, telephone_link
from broker.content.models.site import Site


def error_boundary(site: Site) -> rx.Component:
    """Return the boundary around every page, in place of Reflex's own, which shows the error and where it was."""
    return ErrorBoundary.create(fallback_render=rx.Var.create(last_resort(site)))


def last_resort(site: Site) -> rx.Component:
    """Draw the header, a sentence, the telephone and ways on: plain links, as each page must be loaded again."""
    name, _, rest = site.name.partition(" ")
    mark = drawing("mark", width=36, height=40, class_name="mark", lazy=False)
    number = telephone_link(icon("phone"), rx.el.span(site.phone), number=site.tel, class_name="tel")
    return rx.el.div(
        rx.el.header(
            rx.el.div(
                plain_link(mark, rx.el.span(name, rx.el.small(rest)), href=routes.HOME, class_name="brand"),
                number,
                class_name="wrap",
            ),
            class_name="top",
        ),
        rx.el.main(
            rx.el.div(
                rx.el.h1("Sorry, this page has stopped working", tab_index=-1),
                rx.el.p(
                    "Please open it again. If it stops again, call us on ",
                    telephone_link(site.phone, number=site.tel),
                    " and we'll help you by telephone.",
                    class_name="lead",
                ),
                rx.el.div(
                    plain_link("Open this page again", href=rx.Var("window.location.href").to(str), class_name="btn"),
                    plain_link("Go to the home page", href=routes.HOME, class_name="btn line"),
                    class_name="row",
                ),
                class_name="wrap band-s stack",
                role="alert",
            ),
            id="main",
            class_name="page",
        ),
        class_name="site",
        # Back and Forward load their page: React shows this one until the document is loaded again. Reflex would run an
        # on_mount with the boundary, on every page; React calls a ref where this is drawn.
        custom_attrs={"ref": rx.Var("() => addEventListener('popstate', () => location.reload())")},
    )
