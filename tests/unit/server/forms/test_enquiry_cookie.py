from starlette.datastructures import Headers

from broker.server.forms.enquiry_forms import MAX_COOKIE_LENGTH, enquiry_cookie, enquiry_link


def test_cookie_is_for_one_page_and_no_script() -> None:
    assert enquiry_cookie("abc", secure=True) == (
        "thanks=abc; Max-Age=3600; Path=/thankyou/; HttpOnly; SameSite=Lax; Secure"
    )
    assert enquiry_cookie("", secure=False) == "thanks=; Max-Age=0; Path=/thankyou/; HttpOnly; SameSite=Lax"


def test_cookie_is_read_from_its_header() -> None:
    links = {"thanks=abc==": "abc==", "a=b; thanks=abc; c=d": "abc", f"thanks={'x' * (MAX_COOKIE_LENGTH + 1)}": ""}
    links |= dict.fromkeys(("nothanks=abc", "", "thanks"), "")
    assert {header: enquiry_link(Headers({"cookie": header})) for header in links} == links
