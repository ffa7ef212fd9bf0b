"""A process whose visitors all press at once: `python -m tests.integration.slot_presser DATABASE NAME COUNT SLOT...`.

It says `ready` when its services are open, and waits for a line before the presses. It writes a JSON list: for each
press what became of it, and how many seconds that took.
"""

import asyncio
import gc
import json
import random
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from broker.appointments.appointment import SLOT, Medium
from broker.enquiries.enquiry import EnquiryKind
from broker.enquiries.service import EnquiryReceipt
from broker.services import Services
from broker.settings import Settings
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import running, sent

GIVEN, TOLD, FAILED = "given", "told", "failed"


async def press(services: Services, who: str, slot: str) -> tuple[str, float]:
    form = replace(sent(EnquiryKind.CALLBACK, name=f"Visitor {who}", **{SLOT: slot}), address=f"network {who}")
    begun = perf_counter()
    answer = await services.enquiries.submit(form)
    seconds = perf_counter() - begun
    if isinstance(answer, EnquiryReceipt):
        return GIVEN, seconds
    is_told = [each.field for each in answer.problems] == [SLOT] and answer.next_free
    return TOLD if is_told else FAILED, seconds


async def press_all(database_url: str, name: str, count: str, *slots: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(state_dir=Path(folder), database_url=database_url, secret_keys=(KEY,))
        async with running(settings) as services:
            # a server that has run for a while: its connections are open, and what it does once is done
            await asyncio.gather(*(services.appointments.offered(20, Medium.TELEPHONE) for _ in range(8)))
            await press(services, f"{name} before", "")
            # after the deletion that each start begins with, which writes to the same tables
            await services.retention.delete_due()
            # as tools.web_server does
            gc.freeze()
            _write("ready")
            await asyncio.to_thread(sys.stdin.readline)
            wanted = [slots[each % len(slots)] for each in range(int(count))]
            # visitors come in no order: in the same one, each process would lose by one step to another
            random.Random(name).shuffle(wanted)
            presses = (press(services, f"{name} {each}", slot) for each, slot in enumerate(wanted))
            _write(json.dumps(await asyncio.gather(*presses)))


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(press_all(*sys.argv[1:]))
