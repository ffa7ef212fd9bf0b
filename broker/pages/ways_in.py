"""Forms that ask for the fields a plan needs most; the page of the plan answers them, without scripts too."""

from dataclasses import dataclass

import reflex as rx

from broker import routes
from broker.calculators.buying.rental_cover import CALCULATOR as RENTAL_COVER
from broker.calculators.calculator import Field, Form, Unit, box_text
from broker.components.elements import button, drawing, icon, inline_style
from broker.components.forms.fields import Box, day_field, labelled_box
from broker.components.forms.post_form import PostForm
from broker.content.page_parts import theme_style
from broker.content.store import ContentStore
from broker.plans.buying_plan import BUYING_PLAN
from broker.plans.remortgage_plan import remortgage_form


@dataclass(frozen=True, slots=True, kw_only=True)
class WayIn:
    """The fields of a plan that a page asks for.

    `service` is the slug of the one whose door and colours it has, `answer` the id of the answer on the plan's page,
    empty where that page begins with it.
    """

    plan: Form
    path: str
    service: str
    title: str
    lead: str
    fields: tuple[str, ...]
    answer: str = ""
    send: str = "See my plan"


TO_BUY = WayIn(
    plan=BUYING_PLAN,
    path=routes.BUYING_PLAN,
    service="first-time-buyer",
    title="See what you could buy",
    lead="A price, a deal and the cash it takes.",
    fields=("income", "income2", "savings"),
    answer="buying-plan-answer",
)

TO_REMORTGAGE = WayIn(
    plan=remortgage_form({}),
    path=routes.REMORTGAGE_PLAN,
    service="remortgaging",
    title="My deal is ending",
    lead="What you will pay next, and when to act.",
    fields=("balance", "rate", "end"),
)

TO_LET = WayIn(
    plan=RENTAL_COVER,
    path=routes.calculator(RENTAL_COVER.slug),
    service="buy-to-let",
    title=RENTAL_COVER.title,
    lead="The largest loan it supports, and today’s deals that it covers.",
    fields=("rent", "value", "loan"),
    answer="landlord-test-answer",
    send="Test it",
)


def way_in(way: WayIn, store: ContentStore, *, with_door: bool = True) -> rx.Component:
    fields = {field.name: field for field in way.plan.fields}
    title = f"{way.plan.slug}-way-in"
    service = next(each for each in store.services() if each.slug == way.service)
    return PostForm.create(
        rx.el.div(rx.el.h2(way.title, id=title), rx.el.p(way.lead, class_name="small mute")),
        rx.el.div(
            *(_entry(fields[name], way) for name in way.fields),
            button(way.send, icon("arrow"), kind="submit"),
            class_name="entries",
        ),
        *([drawing(f"door-{way.service}", width=150, height=200, class_name="door", lazy=False)] if with_door else []),
        method="get",
        action=f"{way.path}#{way.answer}" if way.answer else way.path,
        no_validate=True,
        class_name="way-in",
        aria_labelledby=title,
        custom_attrs=inline_style(theme_style(service.theme, store.look(way.service))),
    )


def _entry(field: Field, way: WayIn) -> rx.Component:
    box = Box(
        identity=f"{way.plan.slug}-way-{field.name}",
        name=field.name,
        value=box_text(field, field.default),
        problem="",
        prefix="£" if field.unit is Unit.POUNDS else "",
        suffix="%" if field.unit is Unit.PERCENT else "",
    )
    return day_field(field.label, box) if field.unit is Unit.DAY else labelled_box(field.label, box)
