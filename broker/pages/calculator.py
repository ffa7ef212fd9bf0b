"""The browser values of a calculator, and what changes, keeps and offers them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from types import MappingProxyType

import reflex as rx
from reflex.vars import VarData

from broker import routes
from broker.calculators.calculator import (
    INDICATIVE,
    Calculator,
    Choice,
    Field,
    Form,
    box_text,
    input_problem,
    number_of,
    value_text,
)
from broker.calculators.figures import calculator_figures
from broker.calculators.view import (
    CLOSED_TABLE_YEARS,
    FIXED_FIELDS,
    CalculatorView,
    FieldView,
    answer_view,
    calculator_view,
    field_view,
    view_of,
)
from broker.components.calculator import (
    Panel,
    answer_id,
    answer_line,
    error_summary,
    panel_form,
    panel_heading,
    panel_plate,
    panel_tiles,
    panel_working,
)
from broker.components.client_scripts import (
    component_on_demand,
    effect,
    expression,
    refs,
    script_function,
    shared_component,
    var_data,
    when_near,
)
from broker.components.client_values import (
    MOVED,
    TYPED,
    BrowserValues,
    client_handler,
    client_state_key,
    memoized_section,
)
from broker.components.form_scripts import error_title
from broker.components.forms.fields import Slider
from broker.components.forms.figures import figures_line, offered_to, uses_figures
from broker.components.jinja import Value, foreach
from broker.content.page_parts import LinkView
from broker.jinja_places import Placeholder, as_template
from broker.lending.arithmetic import choose

OWN_LOOK = "panels calc"
"""The classes of a calculator on its own page, which the export finds it by (`server.export.templates`)."""

_READY, _EVERY_YEAR = "ready", "everyYear"
"""The browser values that are true once the calculator has its sliders, and once its table has been opened."""


class FormValues:
    """The browser values of a form: each field's number, the text in its box and its error."""

    def __init__(self, form: Form, scope: str, *, path: str = "") -> None:
        """`path` is the page of the form alone, whose address has its values."""
        texts = {_text(field): box_text(field, field.default) for field in form.fields}
        defaults = {**form.defaults(), **texts, **{_problem(field): "" for field in form.fields}}
        name = f"{scope}_{form.slug}".replace("-", "_").strip("_")
        self.path = path
        self.fields = rx.Var(f"fields_{name}")
        self.start = json.dumps(defaults)
        self.form = form
        self.values = BrowserValues(name, defaults, before=self._before(name))
        self.seen = BrowserValues(f"{name}_seen", {_READY: False, _EVERY_YEAR: False})
        self.prefix = name.replace("_", "-")

    def _before(self, name: str) -> VarData | None:
        """Return hooks that run first: they name the functions of the fields, and read the values in the address."""
        functions = ", ".join(f"{json.dumps(field.name)}: {_functions(field)!s}" for field in self.form.fields)
        hooks = [f"const {self.fields!s} = {{{functions}}}"]
        used = [_functions(field) for field in self.form.fields]
        if self.path:
            key, options = client_state_key(name), json.dumps(_options(self.form))
            taken = script_function("calculator_address", "takeAddress").call(
                refs(), key, self.path, rx.Var(self.start), self.fields, rx.Var(options)
            )
            hooks.append(f"useState(() => {taken!s})")
            used.append(taken)
        return var_data(*used, hooks=hooks, react=("useState",))

    def mount(self, heading_id: str = "") -> rx.Var:
        """Return the mount handler, which makes the sliders once the calculator's heading is near the viewport.

        Sliders are slow to make, and most calculators are far below the fold.
        """
        return client_handler(when_near(heading_id or self.heading_id, self.seen.put({_READY: True})))

    @property
    def heading_id(self) -> str:
        return f"{self.prefix}-title"

    def address_effect(self) -> VarData | None:
        """Return the effects on the calculator's own page: its address follows the values, its title says an error."""
        if not self.path:
            return None
        names, values = json.dumps(list(self.form.defaults())), self.values.state.value
        followed = script_function("calculator_address", "followValues").call(
            self.path, rx.Var(names), rx.Var(self.start), values, offered_to(self.prefix)
        )
        title = error_title(reduce(or_, (field.is_wrong for field in self.fields_view())))
        return var_data(effect(f"{{ {followed!s} }}", followed, after=(values,)), title)

    def figures(self, worked: Mapping[str, Value] = MappingProxyType({})) -> list[rx.Component]:
        """Draw the line of the visitor's figures, with what keeps and offers them; nothing where no field has one.

        `worked` has figures that follow from the calculator's.
        """
        names = calculator_figures(self.form.slug)
        if not names:
            return []
        form = {"key": self.prefix, "names": names, "fields": self.fields, "defaults": rx.Var(self.start)}
        form |= {"options": _options(self.form)} if self.form.choices else {}
        form |= {"path": self.path} if self.path else {}
        return [figures_line(uses_figures(form, self.values, worked=worked))]

    @property
    def numbers(self) -> dict[str, rx.Var]:
        return {name: self.values[name] for name in self.form.defaults()}

    def fields_view(self) -> tuple[FieldView, ...]:
        return tuple(
            field_view(field, text=self.values[_text(field)], problem=self.values[_problem(field)], values=self.numbers)
            for field in self.form.fields
        )

    def slider(self, field: Field) -> Slider:
        number = self.values[field.name]
        return Slider(
            number=number,
            spoken=value_text(field, number),
            on_slide=client_handler(self._filled(field, MOVED)),
            is_ready=self.seen[_READY],
        )

    def fill(self, name: str, number: Value) -> rx.Var:
        field = next(field for field in self.form.fields if field.name == name)
        return client_handler(self._filled(field, number))

    def _filled(self, field: Field, number: Value) -> rx.Var:
        return self.values.put({field.name: number, _text(field): box_text(field, number), _problem(field): ""})

    def type_in(self, field: Field) -> rx.Var:
        """Return the change handler of the box: store the text as typed, its error, and the number if it is valid."""
        return client_handler(self._read(field, TYPED, is_tidy=False))

    def leave(self, field: Field) -> rx.Var:
        return client_handler(self._read(field, self.values[_text(field)], is_tidy=True))

    def _read(self, field: Field, text: rx.Var, *, is_tidy: bool) -> rx.Var:
        values = self.values.state.value
        read = script_function("numbers", "readField")
        return self.values.merge(values, read.call(self.fields, values, field.name, text, is_tidy))

    def pick(self, name: str) -> rx.Var:
        return client_handler(self.values.put({name: TYPED}))

    def chosen(self, choice: Choice) -> rx.Var:
        return self.values[choice.name]

    def submit(self) -> rx.Var:
        """Return the submit handler, which stays on the page and formats the fields, unless a button posts them."""
        values = self.values.state.value
        tidied = script_function("numbers", "tidyFields").call(self.fields, values)
        changed = self.values.merge(values, tidied)
        posts = 'typed.nativeEvent.submitter?.formMethod === "post"'
        return client_handler(expression(f"{posts} || (typed.preventDefault(), {changed!s})", changed))

    def open_table(self) -> rx.Var:
        return client_handler(self.seen.put({_EVERY_YEAR: True}))


class CalculatorValues(FormValues):
    """The browser values of a calculator, with its answer."""

    def __init__(self, calculator: Calculator, scope: str, *, path: str = "") -> None:
        super().__init__(calculator, scope, path=path)
        self.calculator = calculator

    def view(self, more: Mapping[str, Value] = MappingProxyType({})) -> CalculatorView:
        """Return what the calculator shows, as browser expressions; `more` has values that no field has."""
        values = {**self.numbers, **more}
        step = choose(self.seen[_EVERY_YEAR], lambda: 1, lambda: CLOSED_TABLE_YEARS)
        answer = answer_view(self.calculator.calculate(values), table_step=step)
        return view_of(self.calculator, values, fields=self.fields_view(), answer=answer)

    def panel(self, more: Mapping[str, Value] = MappingProxyType({})) -> Panel:
        return Panel(form=self.calculator, view=self.view(more), prefix=self.prefix, controls=self)


def _functions(field: Field) -> rx.Var:
    """Return a field's functions: from a text its error and its number, and from a number its text."""
    each = (input_problem(field, TYPED), number_of(field, TYPED), box_text(field, MOVED))
    return rx.Var.create([client_handler(one) for one in each])


def _options(form: Form) -> dict[str, list[str] | None]:
    """Return the values that each choice may have, and None for each checkbox."""
    choices = {choice.name: [value for value, _ in choice.options] for choice in form.choices}
    return {**choices, **dict.fromkeys(box.name for box in form.checkboxes)}


def _text(field: Field) -> str:
    return field.name + "Text"


def _problem(field: Field) -> str:
    return field.name + "Problem"


def calculator_panel(
    calculator: Calculator,
    *,
    scope: str = "",
    heading: Callable[..., rx.Component] = rx.el.h3,
    own_title: str = "",
    is_brief: bool = False,
) -> rx.Component:
    """Draw a calculator as a panel; `scope` separates its values from those of the same calculator elsewhere.

    On its own page it has `own_title` in place of its title, and the address has its values. A brief one has its charts
    in the working.
    """
    return shared_component(_panel, calculator, scope, heading, own_title, is_brief)


def calculators_on_demand(
    slugs: Iterable[str] | rx.Var, links: Iterable[LinkView], *, calculators: Sequence[Calculator]
) -> list[rx.Component]:
    """Draw the calculators with these slugs, each in a script of its own; without scripts, `links` to them."""
    plain = rx.el.noscript(rx.el.ul(foreach(links, lambda link: rx.el.li(rx.el.a(link.label, href=link.href)))))
    if isinstance(slugs, Placeholder):
        return [plain]
    if not isinstance(slugs, rx.Var):
        return [plain, *(calculator_panel(each) for each in calculators if each.slug in slugs)]
    listed = slugs.to(list)
    panels = (
        rx.cond(listed.contains(each.slug), component_on_demand(_panel, each, "", rx.el.h3, "", False))
        for each in calculators
    )
    return [plain, *panels]


def _panel(
    calculator: Calculator, scope: str, heading: Callable[..., rx.Component], title: str, is_brief: bool
) -> rx.Component:
    values = CalculatorValues(calculator, scope, path=routes.calculator(calculator.slug) if title else "")
    return memoized_section(
        values.values.state,
        values.seen.state,
        *values.figures(),
        panel_content(values.panel(), heading, title=title, is_brief=is_brief),
        id=values.prefix,
        on_mount=values.mount(),
        class_name=OWN_LOOK if title else "panel calc",
        aria_labelledby=expression(json.dumps(values.heading_id), values.address_effect()).to(str),
    )


def calculator_template(calculator: Calculator, *, heading: Callable[..., rx.Component], title: str) -> rx.Component:
    """Draw the panel as a template: the edge fills it with a `calculator_view` of the name `panel`."""
    view = as_template(calculator_view(calculator, {}), "panel", fixed=FIXED_FIELDS)
    panel = Panel(form=calculator, view=view, prefix=calculator.slug)
    return rx.el.section(
        panel_content(panel, heading, title=title),
        id=panel.prefix,
        class_name=OWN_LOOK,
        aria_labelledby=f"{panel.prefix}-title",
    )


def panel_content(
    panel: Panel, heading: Callable[..., rx.Component], *, title: str, is_brief: bool = False
) -> rx.Component:
    """Draw a calculator's fields and its answer, side by side where there is room; with a `title` each is a panel."""
    look = "panel stack" if title else "stack"
    return rx.el.div(
        rx.el.div(
            answer_line(panel),
            panel_heading(panel, title, heading=heading),
            *([error_summary(panel)] if title else []),
            panel_form(panel, has_pdf=bool(title)),
            class_name=f"calc-fields {look}",
        ),
        rx.el.div(
            panel_plate(panel),
            *panel_tiles(panel),
            panel_working(panel, is_brief=is_brief),
            rx.el.p(INDICATIVE, class_name="xs mute"),
            id=answer_id(panel),
            class_name=f"calc-answer {look}",
        ),
        class_name="calc-parts",
    )


def quick_repayment(calculator: Calculator, *, title: str) -> rx.Component:
    """Draw the repayment calculator for a banner: fields and answer, without chart or working."""
    values = CalculatorValues(calculator, "quick")
    panel = values.panel()
    return memoized_section(
        values.values.state,
        values.seen.state,
        *values.figures(),
        rx.el.div(
            rx.el.h2(title, id="quick-title", class_name="as-h3"),
            rx.el.span("Repayment", class_name="tag plain"),
            class_name="row between",
        ),
        panel_form(panel, tight=True),
        panel_plate(panel),
        rx.el.p(INDICATIVE, class_name="xs mute"),
        on_mount=values.mount("quick-title"),
        class_name="panel stack",
        aria_labelledby="quick-title",
    )
