from broker.web.export.strip_markup import strip_markup

CHAKRA = '<style data-emotion="css 1">.css-1{margin:0}</style>'
GLOBAL = '<style data-emotion="css-global 1">:root{--a:1}</style>'


UNCHANGED = (
    *('<ul class=""><li>1</li></ul>', '<p> data-discover="true"</p>', "<script>'<a data-discover=\"true\">'</script>"),
    *("<style>a{}</style><style>a{}</style>", "One<!-- --> two", "<pre>a\n  b</pre>"),
    '<script type="application/ld+json">{\n\t"a": 1}</script>',
)
STRIPPED = {
    '<a class="btn" href="/" data-discover="true">Home</a>': '<a class="btn" href="/">Home</a>',
    f"<div>{CHAKRA}</div><div>{CHAKRA}</div>": f"<div>{CHAKRA}</div><div></div>",
    f"<div>{GLOBAL}{CHAKRA}</div>": f"<div>{CHAKRA}</div>",
    "<script>a(\n\t\tb,\n\n  c)</script>": "<script>a(\nb,\nc)</script>",
    **{html: html for html in UNCHANGED},
}


def test_nothing_goes_that_react_looks_for() -> None:
    assert {html: strip_markup(html) for html in STRIPPED} == STRIPPED
