"""The browser and the system of a session in words, from the header User-Agent."""

MAX_AGENT = 600
"""Characters of a header that are read."""

UNKNOWN = "An unknown browser"

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""What a header contains, in the order in which it decides: others name Chrome and Safari too."""

_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def agent_words(user_agent: str) -> str:
    """Return the browser and the system: `Firefox on Linux`; `UNKNOWN` for a header that names neither."""
    known = user_agent[:MAX_AGENT]
    browser, system = (_first(known, each) for each in (_BROWSERS, _SYSTEMS))
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or UNKNOWN


def _first(text: str, names: tuple[tuple[str, str], ...]) -> str:
    return next((name for sign, name in names if sign in text), "")
