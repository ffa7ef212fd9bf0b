from urllib.parse import urlencode

from broker.routes import parameters_in as read


def test_first_value_of_each_name_is_read() -> None:
    assert read("") == read("&") == {}
    assert read("a=1&b=&a=2&c") == {"a": "1", "b": "", "c": ""}
    assert read("a=%ff&%C2%A3=x+y") == {"a": "\ufffd", "£": "x y"}


def test_what_is_read_of_a_long_query_is_bounded() -> None:
    assert list(read(urlencode({f"n{place}": "1" for place in range(60)}))) == [
        f"n{place}" for place in range(49, -1, -1)
    ]
    assert read("a=" + "+" * 16_000 + "x") == {"a": " " * 1_998}
