"""Read the feed's logos (call 10) in batches; sanitise each picture, name each failure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from broker.domain.staff.logos import CleanPicture
from broker.feeds.client import FeedClient
from broker.feeds.errors import FeedError
from broker.feeds.logos import Logo, LogoFault, Logos, fetch_logos
from broker.services.images import ImageWorker

BATCH = 20
"""Lenders whose logos are asked for at once, so that one bad answer does not cost the others theirs."""

MAX_LENDERS = 1_000
MAX_BYTES = 32 * 1024 * 1024
"""Lenders whose logos are asked for, and bytes of pictures that are taken in all: several times what a market has."""

NOT_THERE = "The feed has no logo for it."
OVER = "The logos before it took all the room there is."
DAMAGED = "What the feed sent is damaged or not complete."
FAULTS: Mapping[LogoFault, str] = {
    LogoFault.NO_DATA: NOT_THERE,
    LogoFault.BROKEN_BASE64: "What the feed sent cannot be decoded (broken base64).",
    LogoFault.OTHER_KIND: "What the feed sent is no PNG, JPEG or GIF.",
    LogoFault.TOO_LARGE: "What the feed sent is larger than 256 kB.",
    LogoFault.TOO_MANY_PIXELS: "What the feed sent is more than 2,000 pixels wide or high.",
    LogoFault.DAMAGED: DAMAGED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedLogos:
    """What the feed said of the logos of some lenders.

    `found` are pictures by lender id, `absent` the lenders of whom the feed says that it has no logo, `faults` a
    sentence by lender id for all without a picture. `strangers` are lenders nobody asked for. `problems` are the calls
    that failed: the logos of their lenders are as they were.
    """

    found: Mapping[int, CleanPicture]
    absent: frozenset[int]
    faults: Mapping[int, str]
    strangers: tuple[int, ...]
    problems: tuple[FeedError, ...]


async def feed_logos(client: FeedClient, lender_ids: Sequence[int], *, worker: ImageWorker) -> FeedLogos:
    """Return what a feed has for the first `MAX_LENDERS` of some lenders; a batch that fails is named."""
    found: dict[int, CleanPicture] = {}
    faults: dict[int, str] = {}
    absent, strangers, problems = set[int](), set[int](), list[FeedError]()
    ids = lender_ids[:MAX_LENDERS]
    for batch in (ids[start : start + BATCH] for start in range(0, len(ids), BATCH)):
        try:
            answer = await fetch_logos(client, batch)
        except FeedError as error:
            problems.append(error)
            faults |= dict.fromkeys(batch, f"The feed did not answer for it ({error}).")
            continue
        strangers |= {*answer.by_lender, *answer.faults} - set(batch)
        absent |= {one for one in batch if one not in answer.by_lender and _says_nothing(answer, one)}
        faults |= {one: FAULTS[answer.faults.get(one, LogoFault.NO_DATA)] for one in batch}
        for lender_id in batch:
            if logo := answer.by_lender.get(lender_id):
                faults |= await _take(worker, logo, found)
    faults = {lender_id: words for lender_id, words in faults.items() if lender_id not in found}
    return FeedLogos(
        found=found,
        absent=frozenset(absent),
        faults=faults,
        strangers=tuple(sorted(strangers)),
        problems=tuple(problems),
    )


async def _take(worker: ImageWorker, logo: Logo, found: dict[int, CleanPicture]) -> dict[int, str]:
    picture = await worker.clean(logo.data, str(logo.lender_id))
    if not isinstance(picture, CleanPicture):
        return {logo.lender_id: DAMAGED}
    if sum(len(one.png) for one in found.values()) + len(picture.png) > MAX_BYTES:
        return {logo.lender_id: OVER}
    found[logo.lender_id] = picture
    return {}


def _says_nothing(answer: Logos, lender_id: int) -> bool:
    """Tell whether an answer says of a lender that it has no logo: an empty entry, or none beside those of others.

    An answer with nothing in it is what a feed out of order gives, and costs nobody a logo.
    """
    holds_something = bool(answer.by_lender or answer.faults)
    return holds_something and answer.faults.get(lender_id, LogoFault.NO_DATA) is LogoFault.NO_DATA
