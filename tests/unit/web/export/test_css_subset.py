import pytest

from broker.web.export.css_subset import css_subset, names_of, read_sheet
from broker.web.export.stylesheet import Names

PAGE = """<!DOCTYPE html><html lang="en-GB"><head><style data-from="/a.css">.styled{}</style></head>
<body><main id="main" style="--theme:var(--ftb)"><a class="btn full" href="/">Home</a><ul class="list"><li>1</li></ul>
<details><summary>More</summary><p>Text</p></details><script>"<table>"</script></main></body></html>"""

NAMES = names_of(PAGE)

LONG = "clamp(1.125rem, 1.05rem + .35vw, 1.3125rem)"
"""A value that is longer than the use of a token."""


def kept(css: str, names: Names = NAMES) -> str:
    return css_subset(read_sheet(css), names)


def test_names_of_a_page_are_of_its_elements_not_of_its_scripts() -> None:
    elements = {"html", "head", "style", "body", "main", "a", "ul", "li", "details", "summary", "p", "script"}
    attributes = {"[lang]", "[data-from]", "[id]", "[style]", "[class]", "[href]"}
    assert elements | attributes | {"#main", ".btn", ".full", ".list", "--theme", "--ftb"} == NAMES


@pytest.mark.parametrize(
    "css",
    [
        "*{margin:0}",
        "html>body{margin:0}",
        "#main .btn.full{margin:0}",
        "a[href]:hover::after{margin:0}",
        "A{margin:0}",
        "ul[class]{margin:0}",
        "a:not(.gone,table){margin:0}",
        ":is(.gone,.btn):where(a,table){margin:0}",
        "main:has(>.btn){margin:0}",
        "[open]>summary{margin:0}",
        "html[data-cookie-notice] a{margin:0}",
        ":focus-visible{margin:0}",
        "li:nth-child(2n){margin:0}",
        "::selection{margin:0}",
        "@media print{.btn{margin:0}}",
        "@media (width>=40em){@supports (display:grid){.btn{margin:0}}}",
        "@layer reset{a{margin:0}}",
        '@font-face{font-family:A;src:url("/a.woff2")}',
        "@page{margin:0}",
        "@layer a,b;",
    ],
)
def test_a_rule_that_may_match_an_element_is_kept_unchanged(css: str) -> None:
    assert kept(css) == css


@pytest.mark.parametrize(
    "css",
    [
        ".gone{margin:0}",
        "#other{margin:0}",
        "table{margin:0}",
        "a[target]{margin:0}",
        ".btn.gone{margin:0}",
        ".btn .gone{margin:0}",
        "a:is(.gone,.lost){margin:0}",
        "body:has(.gone){margin:0}",
        "::placeholder{margin:0}",
        "::-webkit-datetime-edit{margin:0}",
        "@media print{.gone{margin:0}}",
        "@keyframes spin{to{rotate:1turn}}",
        ":root{--ink:#000}",
    ],
)
def test_a_rule_for_what_the_page_has_not_is_left_out(css: str) -> None:
    assert kept(css) == ""


def test_of_a_list_the_selectors_that_fit_are_kept() -> None:
    assert kept(".gone,.btn,table,a{margin:0}") == ".btn,a{margin:0}"


def test_declaration_written_twice_in_a_row_stands_once() -> None:
    assert kept("a{-x:1;-x:1;x:1}") == "a{-x:1;x:1}"
    assert kept("a{x:1;x:2;x:1}p{margin:0;}") == "a{x:1;x:2;x:1}p{margin:0}"


def test_parts_of_fields_are_kept_where_a_field_is() -> None:
    css = "::placeholder{opacity:1}"
    assert kept(css, NAMES | {"input"}) == css


def test_tokens_are_kept_that_the_page_or_a_kept_rule_needs() -> None:
    tokens = f":root{{--ftb:#123;--deep:{LONG};--ink:var(--deep);--gone:{LONG}}}"
    rules = "a{color:var(--ink)}.gone{color:var(--gone)}"
    assert kept(tokens + rules) == f":root{{--ftb:#123;--deep:{LONG};--ink:var(--deep)}}a{{color:var(--ink)}}"


def test_of_a_token_with_one_value_the_value_is_written() -> None:
    css = ":root{--ink:#000;--gap:8px}a{color:var(--ink);margin:var(--gap) calc(var(--gap)*-1)}p{color:var(--ink)}"
    assert kept(css) == "a{color:#000;margin:8px calc(8px*-1)}p{color:#000}"


@pytest.mark.parametrize(
    "css",
    [
        f":root{{--wide:{LONG}}}a{{width:var(--wide)}}",
        ":root{--fast:1s}@media print{:root{--fast:0s}}a{transition:var(--fast)}",
        ":root{--gap:8px}a{margin:var(--gap)}main{--gap:4px}",
        ":root{--theme:#000;--own:var(--theme)}a{color:var(--own)}main{--theme:#fff}",
        ":root{--gap:8px}a{margin:var(--gap,4px)}",
        ":root{--gap:8px}a{margin:var(--gap)auto}",
    ],
    ids=[
        "longer than its name",
        "other value in print",
        "set again",
        "another's",
        "with a fallback",
        "touching a word",
    ],
)
def test_a_token_stays_a_token(css: str) -> None:
    assert kept(css) == css


def test_a_token_that_a_page_asks_for_stays_there_for_it() -> None:
    assert kept(":root{--ftb:#123}a{color:var(--ftb)}") == ":root{--ftb:#123}a{color:#123}"


def test_an_animation_is_kept_where_a_kept_rule_names_it() -> None:
    css = ".btn{animation:1s spin}@keyframes spin{to{rotate:1turn}}@keyframes pulse{50%{opacity:0}}"
    assert kept(css) == ".btn{animation:1s spin}@keyframes spin{to{rotate:1turn}}"


def test_order_and_layers_stay() -> None:
    css = "@layer reset{a{margin:0}}.gone{margin:1px}a{margin:2px}@media print{a{margin:3px}}p{margin:4px}"
    assert kept(css) == "@layer reset{a{margin:0}}a{margin:2px}@media print{a{margin:3px}}p{margin:4px}"
