"""Jinja2 for HTML outside React, with autoescaping: the templates of this package, and pages of the export."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from jinja2 import BaseLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined

from broker import routes
from broker.settings import ROOT

FOLDER = Path(__file__).with_name("templates")

MARK = (ROOT / "assets" / "art" / "mark.svg").read_text(encoding="utf-8").strip()
"""The site's logo as SVG."""


def _environment(loader: BaseLoader) -> Environment:
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)


def _of_sources(sources: Mapping[str, str]) -> Environment:
    env = _environment(DictLoader(sources))
    env.keep_trailing_newline = True
    return env


def _own_templates() -> Environment:
    env = _environment(FileSystemLoader(FOLDER))
    env.trim_blocks = env.lstrip_blocks = True
    env.globals["routes"] = routes
    return env


class Templates:
    """Templates by name, each compiled at its first use."""

    def __init__(self, sources: Mapping[str, str] | None = None) -> None:
        """Without `sources` by name, the templates are the files of `templates/`."""
        self._environment = _own_templates() if sources is None else _of_sources(sources)
        self._names = frozenset(self._environment.list_templates())

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def source(self, name: str) -> str:
        """Return the text of a template; raises `jinja2.TemplateNotFound`."""
        assert self._environment.loader
        return self._environment.loader.get_source(self._environment, name)[0]

    def render(self, name: str, values: Mapping[str, object]) -> str:
        """Return the HTML of a template, with `?` for a lone surrogate.

        Raises `jinja2.TemplateNotFound`, and `jinja2.UndefinedError` for a name that `values` lack.
        """
        html = self._environment.get_template(name).render(values)
        return html.encode("utf-8", "replace").decode()


OWN_TEMPLATES = Templates()
