import pytest

from broker.markup import page_html, parse_page
from broker.server.export.finish import resolve_suspense

CLOCK = '<script id="_R_">requestAnimationFrame(function(){$RT=performance.now()});</script>'
MOVER = "$RB=[];$RC=function(a,b){if(a<b)c=a};"
GAPS = tuple(f'<!--$?--><template id="B:{number}"></template><!--/$-->' for number in range(2))


def sent(number: int, content: str, *, mover: str = "") -> str:
    return f'<div hidden id="S:{number}">{content}</div><script>{mover}$RC("B:{number}","S:{number}")</script>'


ONE, TWO = "<script>one(1<2)</script>", "<script>two()</script>"
WHOLE = f"<p>Text</p>{GAPS[0]}{CLOCK}{sent(0, ONE + GAPS[1], mover=MOVER)}{sent(1, TWO)}"


def written(body: str, *, resolved: bool = False) -> str:
    page = parse_page(f"<!DOCTYPE html><html><body>{body}</body></html>")
    if resolved:
        resolve_suspense(page)
    return page_html(page)


def test_streamed_content_moves_into_its_place() -> None:
    resolved = f"<p>Text</p><!--$-->{ONE}<!--$-->{TWO}<!--/$--><!--/$-->"
    assert written(WHOLE, resolved=True) == written(resolved, resolved=True) == written(resolved)
    divided = written(WHOLE.replace(TWO, "<div>Two</div>"), resolved=True)
    assert divided == written(resolved.replace(TWO, "<div>Two</div>"))


@pytest.mark.parametrize(
    "page",
    [
        "<p>Nothing was sent</p>",
        WHOLE.replace(GAPS[1], ""),
        WHOLE.replace(sent(1, TWO), ""),
        WHOLE.replace(GAPS[0], GAPS[0] * 2),
        WHOLE.replace('$RC("B:1"', 'other("B:1"'),
    ],
    ids=["no gap", "no gap for what was sent", "nothing sent for a gap", "one gap twice", "another script"],
)
def test_a_page_of_another_form_stays_as_it_is(page: str) -> None:
    assert written(page, resolved=True) == written(page)
