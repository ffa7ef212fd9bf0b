import asyncio
from pathlib import Path

import httpx

from tests.timeouts import ANSWER_TIMEOUT
from tools.dev.backend import error_page, error_text
from tools.develop import Front, digests
from tools.server import free_port


def raised(file: Path, source: str) -> BaseException:
    file.write_text(source)
    try:
        exec(compile(source, str(file), "exec"), {})
    except (NameError, SyntaxError) as error:
        return error
    raise AssertionError("nothing was raised")


def test_error_begins_with_file_and_line_and_is_shown_as_text(tmp_path: Path) -> None:
    error = raised(tmp_path / "page.py", "def draw():\n    return missing\n\ndraw()\n")
    assert error_text(error, tmp_path).splitlines() == [
        "page.py:2 in draw",
        "    return missing",
        "NameError: name 'missing' is not defined",
        "  from page.py:4 in <module>",
    ]
    assert error_text(raised(tmp_path / "page.py", "one = 1\ntwo = (\n"), tmp_path).startswith("page.py:2\n")
    assert "a &lt; b" in error_page("a < b")


def test_digests_change_with_contents_alone(tmp_path: Path) -> None:
    file = tmp_path / "page.py"
    file.write_text("one")
    before = digests([tmp_path])
    file.touch()
    (tmp_path / "chakra_color_mode_provider.js").write_text("generated")
    assert digests([tmp_path]) == before
    file.write_text("two")
    assert digests([tmp_path]) != before


def test_front_holds_requests_until_there_is_a_backend_or_an_error() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\npage")
        writer.close()

    async def answers() -> list[str]:
        front, port = Front(), free_port()
        backend = await asyncio.start_server(answer, "127.0.0.1", 0)
        listener = await front.listen("127.0.0.1", port)
        async with (
            backend,
            listener,
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=ANSWER_TIMEOUT) as client,
        ):
            waiting = asyncio.create_task(client.get("/"))
            await asyncio.sleep(0.05)
            assert not waiting.done()
            front.pass_to(backend.sockets[0].getsockname()[1])
            first = (await waiting).text
            front.show("broken")
            return [first, (await client.get("/")).text]

    assert asyncio.run(answers()) == ["page", "broken"]
