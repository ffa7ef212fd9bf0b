"""A temporary Redis, reached by a Unix socket in its own directory, which a test may stop and start again."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from tests.timeouts import ANSWER_TIMEOUT

START_SECONDS = ANSWER_TIMEOUT


class RedisServer:
    """A running Redis; what it holds is lost when it is stopped."""

    def __init__(self, folder: Path) -> None:
        self.url = f"unix://{folder / 'redis.sock'}"
        self._folder = folder
        self._process = self._started()

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)

    def stop(self) -> None:
        """Stop it at once, as a power cut would."""
        self._process.kill()
        self._process.wait()

    def start(self) -> None:
        self._process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        program = shutil.which("redis-server")
        assert program, "Redis is missing: run `python -m tools.environment --tests`"
        options = ["--port", "0", "--unixsocket", str(self._folder / "redis.sock"), "--save", "", "--appendonly", "no"]
        process = subprocess.Popen([program, *options], cwd=self._folder, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with self.client() as client:
                    client.ping()
            except redis.ConnectionError:
                assert time.monotonic() < deadline, "Redis did not start"
                time.sleep(0.02)  # between attempts: Redis does not report when it accepts connections
            else:
                return process


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    folder = Path(tempfile.mkdtemp(prefix="redis"))
    server = RedisServer(folder)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)
