"""Run the stand-in until Ctrl+C: `python -m tests.standin --port 8900 --delay 150 --switch ok`."""

import argparse
import asyncio
import signal
import sys

from tests.standin.server import listen
from tests.standin.setting import NAMES, OK, ROWS, Setting
from tests.standin.site import Site
from tests.standin.wire import HOST


def main() -> None:
    words = "\n".join(f"  {name:<18}{meaning}" for name, meaning in NAMES.items())
    parser = argparse.ArgumentParser(
        prog="python -m tests.standin",
        description=__doc__,
        epilog=f"switches:\n{words}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=8900, help="0 for any free one")
    parser.add_argument("--delay", type=int, default=150, help="milliseconds before every answer")
    parser.add_argument("--switch", choices=NAMES, default=OK, metavar="NAME", help="how to answer, see below")
    parser.add_argument("--rows", type=int, default=ROWS, help="the most rows of a search")
    parser.add_argument("--without-final", action="store_true", help="leave out follow-on rates and payments")
    given = parser.parse_args()
    setting = Setting(name=given.switch, delay=given.delay, rows=given.rows, final=not given.without_final)
    asyncio.run(_serve(setting, given.port))


async def _serve(setting: Setting, port: int) -> None:
    done = asyncio.Event()
    for ending in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(ending, done.set)
    try:
        await listen(Site(setting), port, done=done, heard=_say)
    except OSError as error:
        sys.exit(f"{HOST}:{port} cannot be listened on: {error.strerror}")


def _say(port: int) -> None:
    address = f"http://{HOST}:{port}"
    lines = [
        "The stand-in API listens. To see the site with it:",
        f"  BROKER_API_URL={address}/api make run",
        f"Switch it while it runs: curl -d 'name=fault' -d 'delay=0' {address}/_standin/switch",
        f"Publish a guide on it:   curl -d 'slug=bridging-loans' {address}/_standin/publish",
        f"What was asked of it:    curl {address}/_standin/asked",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
