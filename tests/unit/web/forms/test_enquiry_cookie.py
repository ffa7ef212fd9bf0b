"""The cookie that leads back to an enquiry."""

import pytest
from starlette.datastructures import Headers

from broker.web.forms.enquiry_cookie import MAX_LENGTH, enquiry_cookie, enquiry_link


def test_cookie_is_for_one_page_and_no_script() -> None:
    assert enquiry_cookie("abc", secure=True) == (
        "thanks=abc; Max-Age=3600; Path=/thankyou/; HttpOnly; SameSite=Lax; Secure"
    )
    assert enquiry_cookie("", secure=False) == "thanks=; Max-Age=0; Path=/thankyou/; HttpOnly; SameSite=Lax"


@pytest.mark.parametrize(
    ("header", "link"),
    [
        ("thanks=abc==", "abc=="),
        ("a=b; thanks=abc; c=d", "abc"),
        ("nothanks=abc", ""),
        ("", ""),
        ("thanks", ""),
        (f"thanks={'x' * (MAX_LENGTH + 1)}", ""),
    ],
)
def test_cookie_is_read_from_its_header(header: str, link: str) -> None:
    assert enquiry_link(Headers({"cookie": header})) == link
