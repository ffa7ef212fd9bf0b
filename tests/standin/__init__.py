"""A stand-in for the broker's API: a real HTTP server on this machine only, answering from the embedded market.

It is no part of what is deployed. `python -m tests.standin` runs it for people, `running()` for tests.
"""

from tests.standin.server import Standin, running
from tests.standin.setting import NAMES, Published, Setting

__all__ = ["NAMES", "Published", "Setting", "Standin", "running"]
