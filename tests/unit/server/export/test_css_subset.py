import pytest

from broker.components.jinja import class_if
from broker.jinja_places import CLOSE, OPEN, Placeholder
from broker.markup import parse_fragment, parse_page
from broker.server.export.css import Names, css_subset, names_of, read_sheet

PAGE = """<!DOCTYPE html><html lang="en-GB"><head><style data-from="/a.css">.styled{}</style></head>
<body><main id="main" style="--theme:var(--ftb)"><a class="btn full" href="/">Home</a><ul class="list"><li>1</li></ul>
<details><summary>More</summary><p>Text</p></details><script>"<table>"</script></main></body></html>"""

NAMES = names_of(parse_page(PAGE))

LONG = "clamp(1.125rem, 1.05rem + .35vw, 1.3125rem)"
"""A value that is longer than the use of a token."""


def subset(css: str, names: Names = NAMES) -> str:
    return css_subset(read_sheet(css), names)


def test_names_of_a_page_are_of_its_elements_not_of_its_scripts() -> None:
    elements = {"html", "head", "style", "body", "main", "a", "ul", "li", "details", "summary", "p", "script"}
    attributes = {"[lang]", "[data-from]", "[id]", "[style]", "[class]", "[href]"}
    assert elements | attributes | {"#main", ".btn", ".full", ".list", "--theme", "--ftb"} == NAMES


def test_classes_of_every_case_of_a_template_are_names() -> None:
    names = class_if(Placeholder("card.best"), "deal best", otherwise="plain")
    assert {".deal", ".best", ".plain"} <= names_of(parse_fragment(f'<p class="{names}"></p>'))
    bare = str(names).replace(OPEN, "").replace(CLOSE, "")
    assert {".deal", ".best", ".plain"} <= names_of(parse_fragment(f'<p class="{bare}"></p>'))


KEPT = (
    *("*", "html>body", "#main .btn.full", "a[href]:hover::after", "A", "ul[class]", "a:not(.gone,table)"),
    *(":is(.gone,.btn):where(a,table)", "main:has(>.btn)", "[open]>summary", "html[data-cookie-notice] a"),
    *(":focus-visible", "li:nth-child(2n)", "::selection", "@page"),
)
KEPT_WHOLE = (
    "@media print{.btn{margin:0}}",
    "@media (width>=40em){@supports (display:grid){.btn{margin:0}}}",
    "@layer reset{a{margin:0}}",
    '@font-face{font-family:A;src:url("/a.woff2")}',
    "@layer a,b;",
)
LEFT_OUT = (
    *(".gone", "#other", "table", "a[target]", ".btn.gone", ".btn .gone", "a:is(.gone,.lost)", "body:has(.gone)"),
    *("::placeholder", "::-webkit-datetime-edit"),
)
LEFT_OUT_WHOLE = ("@media print{.gone{margin:0}}", "@keyframes spin{to{rotate:1turn}}", ":root{--ink:#000}")


def test_only_rules_that_may_match_an_element_are_kept_unchanged() -> None:
    rules = (*(f"{selector}{{margin:0}}" for selector in KEPT), *KEPT_WHOLE)
    assert [css for css in rules if subset(css) != css] == []
    rules = (*(f"{selector}{{margin:0}}" for selector in LEFT_OUT), *LEFT_OUT_WHOLE)
    assert [css for css in rules if subset(css)] == []


def test_unused_selectors_and_repeated_declarations_are_left_out() -> None:
    assert subset(".gone,.btn,table,a{margin:0}") == ".btn,a{margin:0}"
    assert subset("a{-x:1;-x:1;x:1}") == "a{-x:1;x:1}"
    assert subset("a{x:1;x:2;x:1}p{margin:0;}") == "a{x:1;x:2;x:1}p{margin:0}"


def test_parts_of_fields_are_kept_where_a_field_is() -> None:
    css = "::placeholder{opacity:1}"
    assert subset(css, NAMES | {"input"}) == css


def test_tokens_are_kept_that_the_page_or_a_kept_rule_needs() -> None:
    tokens = f":root{{--ftb:#123;--deep:{LONG};--ink:var(--deep);--gone:{LONG}}}"
    rules = "a{color:var(--ink)}.gone{color:var(--gone)}"
    assert subset(tokens + rules) == f":root{{--ftb:#123;--deep:{LONG};--ink:var(--deep)}}a{{color:var(--ink)}}"


def test_of_a_token_with_one_value_the_value_is_written() -> None:
    css = ":root{--ink:#000;--gap:8px}a{color:var(--ink);margin:var(--gap) calc(var(--gap)*-1)}p{color:var(--ink)}"
    assert subset(css) == "a{color:#000;margin:8px calc(8px*-1)}p{color:#000}"
    assert subset(":root{--ftb:#123}a{color:var(--ftb)}") == ":root{--ftb:#123}a{color:#123}", "used by the page itself"


TOKENS = {
    "longer than its name": f":root{{--wide:{LONG}}}a{{width:var(--wide)}}",
    "other value in print": ":root{--fast:1s}@media print{:root{--fast:0s}}a{transition:var(--fast)}",
    "set again": ":root{--gap:8px}a{margin:var(--gap)}main{--gap:4px}",
    "another's": ":root{--theme:#000;--own:var(--theme)}a{color:var(--own)}main{--theme:#fff}",
    "with a fallback": ":root{--gap:8px}a{margin:var(--gap,4px)}",
    "touching a word": ":root{--gap:8px}a{margin:var(--gap)auto}",
}


@pytest.mark.parametrize("css", TOKENS.values(), ids=TOKENS)
def test_a_token_stays_a_token(css: str) -> None:
    assert subset(css) == css


def test_an_animation_is_kept_where_a_kept_rule_names_it() -> None:
    css = ".btn{animation:1s spin}@keyframes spin{to{rotate:1turn}}@keyframes pulse{50%{opacity:0}}"
    assert subset(css) == ".btn{animation:1s spin}@keyframes spin{to{rotate:1turn}}"


def test_order_and_layers_stay() -> None:
    css = "@layer reset{a{margin:0}}.gone{margin:1px}a{margin:2px}@media print{a{margin:3px}}p{margin:4px}"
    assert subset(css) == "@layer reset{a{margin:0}}a{margin:2px}@media print{a{margin:3px}}p{margin:4px}"
