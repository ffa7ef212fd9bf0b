"""The rules of who may import whom, read from the source of a module, imports inside functions included."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.project import Project

ROOT = Project().root

ALLOWED = {
    "tracing": ("trace_export",),  # inside a function, where a setting names a collector
    "trace_export": ("tracing", "settings"),
    "log_format": ("tracing",),
    "setting_types": ("log_format",),
    "settings": ("setting_types",),
    "routes": (),
    "image_header": (),  # what feeds, content and services check pictures with; not domain, since it is not pure Python
    "image_decoding": ("image_header",),
    "domain": (),
    "market": ("domain", "settings"),
    "feeds": ("domain", "settings", "image_header", "tracing"),
    "content": (
        "domain",
        "settings",
        "routes",
        "image_header",
        "image_decoding",
        "components.drawings",
    ),  # routes: the addresses that a text may link to; drawings: what a text draws among its words
    "storage": ("domain", "settings"),
    "services": (
        *("domain", "market", "feeds", "content", "storage", "settings", "image_header", "image_decoding"),
        "tracing",
    ),
    "presenters": ("domain", "content.models", "routes"),
    "components": ("presenters", "domain", "routes"),  # domain: values to draw, and formulas that run in the browser
    "state": ("services", "presenters", "domain", "content.models", "routes"),
    "sections": ("components", "state", "presenters", "domain", "content.models", "routes"),
    "pages": ("sections", "components", "presenters", "domain", "content.models", "content.store", "routes", "state"),
    # presenters and domain: the edge answers with files of its own (a list as CSV), in the words that pages use;
    # drawings: the edge draws those of the content and of lenders, for which the project has no files
    "web": ("routes", "settings", "log_format", "tracing", "services", "presenters", "domain", "components.drawings"),
}
"""What each layer may import of the rest."""

COMPOSITION = (
    *("broker", "build_inputs", "content_drawings", "guide_pages", "lender_pages", "list_pages", "page_history"),
    *("runtime", "staff", "keys", "backup"),
)
"""The composition root, which may import everything: `broker.broker`, what pages are built from, the services over the
database; and those of the commands for accounts of staff, for keys and for backups."""

FEATURES = {
    "calculators": ("sections.calculator", "sections.remortgage_plan"),
    "rates": ("storage.rates_archive", "storage.rates_serialisation"),
    "questionnaire": (
        *("services.journeys", "services.questionnaire_flows", "presenters.questionnaire", "presenters.question_page"),
        *("state.questionnaire", "state.saved_answers"),
    ),
    "enquiries": (
        *("presenters.enquiry_summary", "presenters.enquiry_form", "presenters.your_enquiry"),
        "sections.enquiry_form",
    ),
    "articles": (
        *("domain.guides", "services.faqs"),
        *("presenters.guides", "presenters.reviews", "presenters.guide_page", "presenters.guide_lists"),
        *("sections.guide_list", "sections.reviews"),
    ),
    "search": (
        *("domain.site_search", "domain.search_words", "presenters.search_index_file", "presenters.site_search"),
        *("components.site_search", "sections.site_search"),
    ),
    "site": ("presenters.menus", "presenters.site_map", "presenters.social_images", "presenters.structured_data"),
    "staff": (),
}
"""Every feature, with its modules that stand alone in a layer where it has too few for a package of its own. A plan
joins calculators and rates, so its section is of neither."""

SEPARATE = ("services", "state", "sections")
"""The layers in which features do not import each other. Below them values and rows are shared, above them pages and
the edge put features together."""

FRAME = "site"
"""The feature that draws what stands round every page: sections of all others may use its sections."""

OWNERS = {
    "reflex": ("components", "sections", "state", "pages", "web", "broker", "trace_export"),  # its events are traced
    "reflex_chakra": ("components.chakra",),
    "opentelemetry": ("trace_export",),
    "httpx": ("feeds", "content.wordpress"),
    "lxml": ("feeds",),
    "nh3": ("feeds", "content"),
    "sqlmodel": ("storage",),
    "sqlalchemy": ("storage",),
    "alembic": ("storage",),
    "msgspec": ("storage", "content"),
    "cryptography": ("storage",),
    "limits": ("storage.shared_limits",),
    "redis": ("storage",),
    "aiosmtplib": ("services",),
    "typst": ("services.pdf_process",),
    "argon2": ("services.staff.password_hashing",),
    "segno": ("web.staff.pages",),
    "tinycss2": ("web",),
    "brotli": ("web.export",),
    "jinja2": ("web",),
    "markupsafe": ("web", "content", "feeds", "market"),
    "numpy": ("market",),
    "pyotp": ("services.staff.one_time_codes",),
    "pydantic": ("settings", "setting_types", "storage"),
    "pydantic_settings": ("settings", "setting_types"),
    "PIL": ("services.images", "content.wordpress.image_copies", "image_header", "image_decoding"),
}
"""The parts that may import a package from elsewhere."""

ENVIRONMENT = {"environ", "environb", "getenv", "putenv"}
DYNAMIC = {"__import__", "import_module"}
REGISTRIES = ("broker.pages", "broker.domain.calculators.registry")
"""Modules that import the rest of their package by computed names: a page or a calculator is added as one module."""


def complaints(module: str, source: str) -> list[str]:
    """Return a readable line for each rule that a module's source breaks."""
    tree = ast.parse(source)
    found = [
        *_imports(module, tree),
        *_across_features(module, tree),
        *_environment(module, tree),
        *_state_in_pages(module, tree),
        *(() if module in REGISTRIES else _dynamic(tree)),
    ]
    return [f"{module}:{line} {problem}" for line, problem in sorted(found)]


def _imports(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for line, target in _targets(tree):
        if target.startswith("."):
            yield line, "imports by a relative name, which hides the direction"
        elif target.split(".")[0] == "broker":
            if not _may_import(module, target):
                yield line, f"imports {target}, which {layer(module)} may not"
        else:
            yield from ((line, problem) for problem in _foreign(module, target.split(".")[0]))


def _targets(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of everything imported, at any depth."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            prefix = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{prefix}.{alias.name}") for alias in node.names)


def layer(module: str) -> str:
    """Return the layer that a module belongs to: `domain` for broker.domain.money."""
    return module.split(".")[1] if "." in module else ""


def _may_import(module: str, target: str) -> bool:
    ours = layer(module)
    if ours in COMPOSITION:
        return True
    allowed = (*ALLOWED.get(ours, ()), ours)
    return any(_within(target, f"broker.{name}") for name in allowed)


def _feature(module: str) -> str:
    """Return the feature that a module (`broker.domain.rates.cost`) belongs to, nothing for one that all share."""
    parts = module.split(".")[1:]
    if len(parts) > 1 and parts[1] in FEATURES:
        return parts[1]
    return next((name for name, flat in FEATURES.items() if any(_within(".".join(parts), one) for one in flat)), "")


def _across_features(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """A feature uses another's domain, presenters and drawings, and nothing else of it."""
    ours = _feature(module)
    if not ours or layer(module) not in SEPARATE:
        return
    for line, target in _targets(tree):
        theirs = _feature(target) if target.startswith("broker.") and layer(target) in SEPARATE else ""
        is_frame = theirs == FRAME and layer(target) == layer(module) == "sections"
        if theirs not in ("", ours) and not is_frame:
            yield line, f"imports {target}, of the feature {theirs}; it belongs to {ours}"


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _foreign(module: str, package: str) -> Iterator[str]:
    family = "reflex" if package.startswith("reflex_") and package != "reflex_chakra" else package
    owners = OWNERS.get(family)
    if owners and not any(_within(module, f"broker.{owner}") for owner in owners):
        yield f"imports {package}, which only {' and '.join(owners)} may"
    elif layer(module) == "domain" and package not in sys.stdlib_module_names:
        yield f"imports {package}, though the domain uses the standard library only"


def _environment(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.expr | ast.stmt)
            and ENVIRONMENT & set(_names_of_os(node))
            and module != "broker.settings"
        ):
            yield node.lineno, "reads the environment, which only broker.settings may"


def _names_of_os(node: ast.AST) -> Iterator[str]:
    """Yield what a piece of code takes from the module `os`."""
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "os":
        yield node.attr
    elif isinstance(node, ast.ImportFrom) and node.module == "os":
        yield from (alias.name for alias in node.names)


def _state_in_pages(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Pages may name a state only as an `on_load` handler."""
    if layer(module) != "pages":
        return
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    states = {
        alias.asname or alias.name
        for node in imports
        if _within(node.module or "", "broker.state")
        for alias in node.names
    }
    keywords = (node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "on_load")
    fine = {id(inner) for keyword in keywords for inner in ast.walk(keyword.value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in states and id(node) not in fine:
            yield node.lineno, f"uses {node.id} otherwise than as an on_load handler"


def _dynamic(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node).split(".")[-1] in DYNAMIC:
            yield node.lineno, "imports by a computed name, which hides the direction"


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
