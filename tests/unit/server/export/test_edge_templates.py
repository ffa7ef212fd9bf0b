import json
from copy import deepcopy
from html import unescape

import pytest
from jinja2 import TemplateNotFound, UndefinedError
from markupsafe import escape

from broker.components.jinja import block_for, block_if
from broker.jinja_places import CLOSE, OPEN, Placeholder, attribute_if, code, markup_variable, variable
from broker.server.export.templates import as_template
from broker.server.templating import Templates

HOSTILE = (
    "{{ 7 * 7 }} {% for c in ().__class__.__base__.__subclasses__() %}{{ c }}{% endfor %} {# gone #} {{{ {%% {{name}} "
    "{% raw %} {"
)
"""Content that looks like Jinja2."""
TYPED = "</textarea><script>alert(1)</script>\"' onfocus=x {{ name }} {% if name %} &amp; \x00"


def rendered(page: str, path: str = "/edge-template-contact/", /, **values: object) -> str:
    return Templates({"page": as_template(page, path)}).render("page", values)


def attribute(name: str) -> str:
    ((written, value),) = attribute_if("checked", name).items()
    return f'{written}="{value}"'


def test_code_of_components_is_rendered() -> None:
    loop = f"{code('{% for item in items %}')}<li>{variable('item.name')}</li>{code('{% endfor %}')}"
    branch = f"{code('{% if name %}')}a{code('{% else %}')}b{code('{% endif %}')}"
    cases = [
        (f"<p>{variable('name')}</p>", {"name": "Ada"}, "<p>Ada</p>"),
        (f"<p>{deepcopy(Placeholder('name'))}</p>", {"name": "Ada"}, "<p>Ada</p>"),  # as Reflex copies a section
        (f"<p>{variable('name')}<!-- -->!</p>", {"name": "Ada"}, "<p>Ada!</p>"),
        (f'<a href="#{variable("a.b")}">', {"a": {"b": "x"}}, '<a href="#x">'),
        (markup_variable("html"), {"html": "<b>1</b>"}, "<b>1</b>"),
        (f'<input {attribute("on")} id="a">', {"on": True}, '<input checked="true" id="a">'),
        (f"<input {attribute('on')}>", {"on": ""}, "<input>"),
        (loop, {"items": [{"name": "a"}, {"name": "<"}]}, "<li>a</li><li>&lt;</li>"),
        (loop, {"items": ()}, ""),
        (branch, {"name": "x"}, "a"),
        (branch, {"name": ""}, "b"),
        ("no code\n", {}, "no code\n"),
    ]
    assert [(html, got) for html, values, wanted in cases if (got := rendered(html, **values)) != wanted] == []


CONTENT = (
    *(
        f"<p>{HOSTILE}</p>",
        f'<p title="{HOSTILE}">{{',
        "<style>@media print{{a{color:red}}@media x{#main{b:c}}</style>",
    ),
    f'<script type="application/ld+json">{json.dumps({"a": HOSTILE})}</script>',
)
FORGED = ("{{ 7 * 7 }}", "{{ name.__class__ }}", "{% include name %}", "{{ name|attr }}", "name", "")


def test_content_that_looks_like_a_template_stays_a_text() -> None:
    for html in CONTENT:
        assert rendered(html) == html
        assert rendered(f"{html}{variable('name')}", name="Ada") == f"{html}Ada"
    for forged in FORGED:
        assert rendered(f"<p>{OPEN}{forged}{CLOSE}</p>") == f"<p>{forged}</p>"
        assert rendered(f"<p>{OPEN}{forged}</p>{CLOSE}{OPEN}") == f"<p>{forged}</p>"


def test_value_is_never_read_as_code() -> None:
    html = f'<input value="{variable("name")}"><textarea>{variable("name")}</textarea>'
    text = escape(TYPED)
    assert rendered(html, name=TYPED) == f'<input value="{text}"><textarea>{text}</textarea>'
    assert not set("<>\"'") & set(str(text))
    assert unescape(str(text).replace("\x00", "")) == TYPED.replace("\x00", "")
    assert rendered(f"<p>{variable('name')}</p>", name="a\ud83cb") == "<p>a?b</p>", "half a surrogate pair"


def test_missing_value_and_missing_template_raise() -> None:
    for html in (variable("name"), code("{% if name %}") + code("{% endif %}"), variable("form.name")):
        with pytest.raises(UndefinedError):
            rendered(html, form={})
    with pytest.raises(TemplateNotFound):
        Templates({}).render("page", {})


def test_blocks_are_drawn_around_their_content() -> None:
    drawn = str(block_if("a.b", block_for("x", "xs", "inner"), otherwise=("other",)).render())
    words = ["{% if a.b %}", "{% for x in xs %}", "inner", "{% endfor %}", "{% else %}", "other", "{% endif %}"]
    places = [drawn.index(word) for word in words]
    assert places == sorted(places)
