"""The inputs of a calculator or a plan in a document: what it counts, figure by figure, and the address of the same."""

from collections.abc import Iterator, Mapping

from broker.calculators.calculator import LEFT_OUT, Calculator, Choice, Field, Unit
from broker.calculators.inputs import box_text, value_text
from broker.calculators.view import TICKED
from broker.lending.arithmetic import Amount

_INSTRUCTION = "0 "
"""How a hint begins that says how to fill in a field, which a document does not repeat."""


def form_figures(
    calculator: Calculator, values: Mapping[str, Amount], *, is_grouped: bool = True
) -> Iterator[tuple[str, str]]:
    """Yield the inputs that are used, in the order of the form: the fields of an option follow its choice.

    Names begin with the group of their choice where the form is grouped.
    """
    for field in calculator.fields:
        is_unused = (field.unless and values[field.unless]) or (field.hint == LEFT_OUT and not values[field.name])
        if not field.only_for and not is_unused:
            yield field_figure(field, values)
    for choice in calculator.choices:
        yield from choice_figures(calculator, choice, values=values, is_grouped=is_grouped)
    yield from ((box.label, "Yes" if values[box.name] else "No") for box in calculator.checkboxes)


def field_figure(field: Field, values: Mapping[str, Amount]) -> tuple[str, str]:
    """Return the name of a field and what is counted for it."""
    hint = "" if field.unit is Unit.DAY or field.hint.startswith(_INSTRUCTION) else field.hint
    name = field.label + (f" ({hint[0].lower()}{hint[1:]})" if hint else "")
    return name, str(value_text(field, values[field.name]))


def choice_figures(
    calculator: Calculator, choice: Choice, *, values: Mapping[str, Amount], is_grouped: bool
) -> Iterator[tuple[str, str]]:
    """Yield what is chosen, and the fields of that option."""
    value = str(values[choice.name])
    group = f"{choice.group}: " if is_grouped else ""
    label = f"{choice.label[0].lower()}{choice.label[1:]}" if is_grouped else choice.label
    yield f"{group}{label}", dict(choice.options)[value]
    for field in calculator.fields:
        if field.only_for == f"{choice.name}={value}":
            name, shown = field_figure(field, values)
            yield f"{group}{name}", shown


def form_parameters(calculator: Calculator, values: Mapping[str, Amount]) -> dict[str, str]:
    """Return the inputs that differ from the defaults, as parameters of the form's page."""
    fields = {
        field.name: str(box_text(field, values[field.name])).replace(",", "")
        for field in calculator.fields
        if values[field.name] != field.default
    }
    choices = {
        choice.name: str(values[choice.name]) for choice in calculator.choices if values[choice.name] != choice.default
    }
    return fields | choices | {box.name: TICKED for box in calculator.checkboxes if values[box.name]}
