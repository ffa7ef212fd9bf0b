"""Which worker takes the next connection."""

import socket
from collections.abc import Iterator

import pytest

from tools.shared_listener import ABSENT, FORGET_SECONDS, GIVE_WAY_SECONDS, SharedListener


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def end_of(listening: socket.socket, held: list[int]) -> SharedListener:
    """Return the end of the first worker, which has ten connections."""
    return SharedListener(listening.dup().detach(), held=held, place=0, connections=lambda: 10)


@pytest.mark.parametrize(("others", "gives_way"), [([9], False), ([8], True), ([12, 3], True), ([ABSENT], False)])
def test_worker_with_more_connections_gives_way(
    listening: socket.socket, others: list[int], *, gives_way: bool
) -> None:
    with end_of(listening, [0, *others]) as own:
        assert own.gives_way(1_000.0) is gives_way


def test_worker_takes_what_the_others_leave(listening: socket.socket) -> None:
    with end_of(listening, [0, 1]) as own:
        began = 1_000.0
        assert own.gives_way(began)
        assert own.gives_way(began + GIVE_WAY_SECONDS / 2)
        assert not own.gives_way(began + 2 * GIVE_WAY_SECONDS)
        assert own.gives_way(began + 2 * FORGET_SECONDS)


def test_connection_waits_for_its_worker(listening: socket.socket) -> None:
    held = [0, 1]
    with end_of(listening, held) as own, socket.create_connection(listening.getsockname()):
        with pytest.raises(BlockingIOError):
            own.accept()
        held[1] = 10
        accepted, _ = own.accept()
        accepted.close()


def test_worker_is_counted_once_it_listens(listening: socket.socket) -> None:
    held = [ABSENT, 3]
    with end_of(listening, held) as own:
        own.listen(1)
    assert held == [10, 3]
