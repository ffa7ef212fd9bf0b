"""Telephone numbers as links dial them."""

import re

_NOT_A_DIGIT = re.compile(r"\D")


def e164(phone: str) -> str:
    """Return a telephone number in E.164 form, `+44...` for one that begins with 0; empty for anything else.

    `020 7946 0123`, `+44 (0)20 7946 0123` and `0044 20 7946 0123` give `+442079460123`.
    """
    digits = _NOT_A_DIGIT.sub("", phone.replace("(0)", ""))
    number = "44" + digits[1:] if digits.startswith("0") and not digits.startswith("00") else digits.removeprefix("00")
    return f"+{number}" if 10 <= len(number) <= 15 else ""
