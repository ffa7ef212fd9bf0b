"""The calculators of this package, found by their modules, and those of a page (specification 2)."""

from importlib import import_module
from pkgutil import walk_packages

from broker import calculators
from broker.calculators.calculator import Calculator, Group

_SUPPORT = {
    f"{calculators.__name__}.{name}"
    for name in ("calculator", "figures", "published_figures", "published_figures_view", "registry", "view")
}
"""Modules without a calculator."""


class CalculatorError(ValueError):
    """A module of the package without a `CALCULATOR`, or a slug used twice."""


class UnknownCalculatorError(CalculatorError):
    """A page lists a calculator that does not exist."""


def discover() -> tuple[Calculator, ...]:
    """Return the `CALCULATOR` of every module of the package, by group, order and slug; raises CalculatorError."""
    modules = walk_packages(calculators.__path__, f"{calculators.__name__}.")
    names = sorted(module.name for module in modules if not module.ispkg and module.name not in _SUPPORT)
    found = [_calculator_of(name) for name in names]
    slugs = [calculator.slug for calculator in found]
    if twice := sorted({slug for slug in slugs if slugs.count(slug) > 1}):
        raise CalculatorError(f"two calculators have the slug {', '.join(twice)}")
    groups = list(Group)
    return tuple(sorted(found, key=lambda each: (groups.index(each.group), each.order, each.slug)))


def _calculator_of(name: str) -> Calculator:
    found = getattr(import_module(name), "CALCULATOR", None)
    if not isinstance(found, Calculator):
        raise CalculatorError(f"{name} has no CALCULATOR")
    return found


CALCULATORS = discover()

_LISTED_ONLY = "contractor"
"""The calculator that is hidden unless a page lists it (specification 2)."""


def active_calculators(slugs: tuple[str, ...]) -> tuple[Calculator, ...]:
    """Return the calculators of known `slugs` in their order; without slugs every one but `_LISTED_ONLY`."""
    known = {calculator.slug: calculator for calculator in CALCULATORS}
    return tuple(known[slug] for slug in slugs or known if slugs or slug != _LISTED_ONLY)


def calculators_of_page(slugs: tuple[str, ...], *, page: str = "") -> tuple[Calculator, ...]:
    """Return the calculators that a page lists, in the order of `CALCULATORS`, with the page's own defaults.

    Raises UnknownCalculatorError for a slug that no calculator has.
    """
    unknown = set(slugs) - {calculator.slug for calculator in CALCULATORS}
    if unknown:
        raise UnknownCalculatorError(f"{page or 'a page'} lists unknown calculators: {', '.join(sorted(unknown))}")
    return tuple(calculator.for_page(page) for calculator in CALCULATORS if calculator.slug in slugs)
