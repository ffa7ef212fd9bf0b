import pytest

from broker.web.export.resolve_suspense import resolve_suspense

CLOCK = '<script id="_R_">requestAnimationFrame(function(){$RT=performance.now()});</script>'
MOVER = "$RB=[];$RC=function(a,b){if(a<b)c=a};"
GAPS = tuple(f'<!--$?--><template id="B:{number}"></template><!--/$-->' for number in range(2))


def sent(number: int, content: str, *, mover: str = "") -> str:
    return f'<div hidden id="S:{number}">{content}</div><script>{mover}$RC("B:{number}","S:{number}")</script>'


ONE, TWO = "<script>one(1<2)</script>", "<script>two()</script>"
WHOLE = f"<p>Text</p>{GAPS[0]}{CLOCK}{sent(0, ONE + GAPS[1], mover=MOVER)}{sent(1, TWO)}</body>"


def test_streamed_content_moves_into_its_place() -> None:
    resolved = f"<p>Text</p><!--$-->{ONE}<!--$-->{TWO}<!--/$--><!--/$--></body>"
    assert resolve_suspense(WHOLE) == resolve_suspense(resolved) == resolved


@pytest.mark.parametrize(
    "page",
    [
        "<p>Nothing was sent</p>",
        WHOLE.replace(GAPS[1], ""),
        WHOLE.replace(sent(1, TWO), ""),
        WHOLE.replace(GAPS[0], GAPS[0] * 2),
        WHOLE.replace(TWO, "<div>Two</div>"),
    ],
    ids=["no gap", "no gap for what was sent", "nothing sent for a gap", "one gap twice", "another form"],
)
def test_a_page_of_another_form_stays_as_it_is(page: str) -> None:
    assert resolve_suspense(page) == page
