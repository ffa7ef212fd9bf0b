import pytest

from broker.web.export.strip_markup import strip_markup

CHAKRA = '<style data-emotion="css 1">.css-1{margin:0}</style>'
GLOBAL = '<style data-emotion="css-global 1">:root{--a:1}</style>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a class="btn" href="/" data-discover="true">Home</a>', '<a class="btn" href="/">Home</a>'),
        ('<ul class=""><li>1</li></ul>', '<ul class=""><li>1</li></ul>'),
        ('<p> data-discover="true"</p>', '<p> data-discover="true"</p>'),
        ("""<script>'<a data-discover="true">'</script>""", """<script>'<a data-discover="true">'</script>"""),
        (f"<div>{CHAKRA}</div><div>{CHAKRA}</div>", f"<div>{CHAKRA}</div><div></div>"),
        (f"<div>{GLOBAL}{CHAKRA}</div>", f"<div>{CHAKRA}</div>"),
        ("<style>a{}</style><style>a{}</style>", "<style>a{}</style><style>a{}</style>"),
        ("One<!-- --> two", "One<!-- --> two"),
        ("<script>a(\n\t\tb,\n\n  c)</script>", "<script>a(\nb,\nc)</script>"),
        (
            '<script type="application/ld+json">{\n\t"a": 1}</script>',
            '<script type="application/ld+json">{\n\t"a": 1}</script>',
        ),
        ("<pre>a\n  b</pre>", "<pre>a\n  b</pre>"),
    ],
)
def test_nothing_goes_that_react_looks_for(html: str, expected: str) -> None:
    assert strip_markup(html) == expected
