"""Pictures that staff upload: one, or a zip file of many, sanitised or refused with a sentence."""

import asyncio
import re
import stat
import struct
import unicodedata
import warnings
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from types import MappingProxyType
from typing import TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from PIL import Image
from PIL.ImageFile import ImageFile

from broker.documents.document import shown_name
from broker.images import PILLOW_ERRORS, READERS, decoded, image_format, image_size
from broker.lenders.logos.logo import CleanPicture

MAX_BYTES = 2 * 1024 * 1024
MAX_SIDE, MAX_PIXELS = 5_000, 8_000_000
"""Limits of a file: bytes, pixels of the longer side, and pixels in all (32 MB decoded)."""

WIDTH, HEIGHT = 400, 200
"""Largest size of the result: it is shown at 100 to 190 pixels, on screens of up to three times the density."""

_Result = TypeVar("_Result")

MAX_ZIP_BYTES = 20 * 1024 * 1024
MAX_FILES = 500
MAX_UNPACKED = 64 * 1024 * 1024
MAX_RATIO = 200
"""Bounds: bytes of the zip file, its files, their bytes in all, and how many times its size it may unpack to."""

_MAX_NAMES = MAX_FILES * 512
"""Bytes of a zip file's directory: a longer one has too many files, or absurd names."""

_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_END_LENGTH, _END_64_LENGTH, _MAX_COMMENT_LENGTH = 22, 20, 65_536

_NAMED = re.compile(r"(?:lender-)?0*([1-9][0-9]{0,8})", re.IGNORECASE)
_PICTURE = re.compile(r"(.{1,200})\.(?:png|jpe?g|gif|webp)", re.IGNORECASE | re.DOTALL)
_BETWEEN = re.compile(r"[^a-z0-9]+")
_ASIDE = re.compile(r".*/|__MACOSX/.*|\.DS_Store|Thumbs\.db|desktop\.ini", re.DOTALL)
"""Folders, and files that operating systems add to zip files: ignored."""

_ENCRYPTED = 0x1
_FAULTY = (BadZipFile, OSError, EOFError, ValueError, LookupError, RuntimeError, struct.error, zlib.error)
"""What `zipfile` raises for a damaged file."""


class FileFault(StrEnum):
    """Reason for refusing a file."""

    EMPTY = "empty"
    TOO_LARGE = "too-large"
    OTHER_KIND = "other-kind"
    TOO_MANY_PIXELS = "too-many-pixels"
    DAMAGED = "damaged"
    NO_ZIP = "no-zip"
    DAMAGED_ZIP = "damaged-zip"
    ZIP_TOO_LARGE = "zip-too-large"
    TOO_MANY_FILES = "too-many-files"
    UNPACKS_TOO_LARGE = "unpacks-too-large"
    NAME = "name"
    IN_A_FOLDER = "in-a-folder"
    LINK = "link"
    ENCRYPTED = "encrypted"
    PACKING = "packing"
    ZIP_IN_ZIP = "zip-in-zip"
    TWICE = "twice"


_SENTENCES = {
    FileFault.EMPTY: "{name} is empty. Save it again, and send it again.",
    FileFault.TOO_LARGE: "{name} is larger than 2 MB. Save it smaller, and send it again.",
    FileFault.OTHER_KIND: "{name} is {more}. Send the logo as PNG, JPEG, GIF or WebP.",
    FileFault.TOO_MANY_PIXELS: "{name} is {more} pixels, more than can be taken. Send it at most 5,000 pixels "
    "wide or high, and 8 million pixels in all.",
    FileFault.DAMAGED: "{name} is damaged or not complete, and cannot be read. Save it again, and send it again.",
    FileFault.NO_ZIP: "{name} is not a zip file. Put the logos into one, each named by its lender’s number.",
    FileFault.DAMAGED_ZIP: "{name} is damaged or not complete, and cannot be unpacked. Make the zip file again.",
    FileFault.ZIP_TOO_LARGE: "{name} is larger than 20 MB. Send the logos in several zip files.",
    FileFault.TOO_MANY_FILES: "{name} holds {more} files, more than the 500 that can be taken at once. Nothing was "
    "stored. Send the logos in several zip files.",
    FileFault.UNPACKS_TOO_LARGE: "{name} unpacks to more than can be taken. Nothing was stored. Send the logos in "
    "several zip files, each picture no larger than 2 MB.",
    FileFault.NAME: "{name} is named by no lender’s number or name. Name it 42.png for lender 42, or give it to its "
    "lender in the list.",
    FileFault.IN_A_FOLDER: "{name} is in a folder of the zip file. Put the pictures themselves into it, not their "
    "folder.",
    FileFault.LINK: "{name} is a link to another file, not a picture. Put the picture itself into the zip file.",
    FileFault.ENCRYPTED: "{name} is locked with a password. Make the zip file without one.",
    FileFault.PACKING: "{name} is packed in a way that cannot be read here. Make an ordinary zip file.",
    FileFault.ZIP_IN_ZIP: "{name} is a zip file within a zip file. Put the pictures themselves into one zip file.",
    FileFault.TWICE: "{name} is not the only file for lender {more}. Leave one of them in the zip file.",
}

_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a zip file"),
    (b"PK\x05\x06", "an empty zip file"),
    (b"%PDF", "a PDF document"),
    (b"%!PS", "a PostScript drawing"),
    (b"BM", "a BMP picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"8BPS", "a Photoshop file"),
    (b"\x1f\x8b", "a packed file"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
)
_HEAD = 1_000
"""Bytes at the beginning of a file that its kind is read from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedFile:
    """A refused file: its safe name, the reason, and a sentence that names both and says what to do."""

    name: str
    fault: FileFault
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ZippedPicture:
    """An entry that may be a lender's logo; `name` is safe."""

    lender_id: int
    name: str
    read: Callable[[], CleanPicture | RefusedFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoZip:
    """A zip file's entries: those that may be logos, one for each lender, and those that are refused."""

    pictures: tuple[ZippedPicture, ...]
    refused: tuple[RefusedFile, ...]


class ImageWorker:
    """Sanitises pictures in a thread, one at a time to bound memory."""

    def __init__(self) -> None:
        self._free = asyncio.Lock()

    async def clean(self, data: bytes, name: str) -> CleanPicture | RefusedFile:
        return await self.run(lambda: clean_picture(data, name))

    async def run(self, work: Callable[[], _Result]) -> _Result:
        async with self._free:
            return await asyncio.to_thread(work)


def clean_picture(data: bytes, name: str) -> CleanPicture | RefusedFile:
    """Return a PNG of at most 400 x 200 pixels without metadata, or a refusal.

    The size in the file's header is checked before decoding. `name` is the sender's name of the file, for a refusal.
    """
    shown = shown_name(name)
    if len(data) > MAX_BYTES:
        return refused(shown, FileFault.TOO_LARGE)
    kind = image_format(data)
    if kind is None:
        return refused(shown, FileFault.EMPTY if not data.strip() else FileFault.OTHER_KIND, more=_kind_of(data))
    stated = image_size(data)
    if stated is None:
        return refused(shown, FileFault.DAMAGED)
    if not _fits(stated.width, stated.height):
        return refused(shown, FileFault.TOO_MANY_PIXELS, more=f"{stated.width:,} × {stated.height:,}")
    with warnings.catch_warnings():
        # Pillow warns of oddities in a file; only what it cannot read counts
        warnings.simplefilter("ignore")
        try:
            return _redraw(READERS[kind](BytesIO(data)))
        except PILLOW_ERRORS:
            return refused(shown, FileFault.DAMAGED)


def lender_named(file_name: str, names: Mapping[int, str] = MappingProxyType({})) -> int:
    """Return the lender that a file is named by, `101.png` or `atom-bank.png`; 0 for none, or for several.

    `names` are those of the lenders by number; without them the number alone counts.
    """
    found = _PICTURE.fullmatch(file_name)
    if not found:
        return 0
    if numbered := _NAMED.fullmatch(found[1]):
        return int(numbered[1])
    wanted = _words(found[1])
    same = [lender_id for lender_id, name in names.items() if wanted and _words(name) == wanted]
    return same[0] if len(same) == 1 else 0


def _words(text: str) -> str:
    """Return the letters and digits of a name, without accents: `Hinckley & Rugby` is `hinckley rugby`."""
    plain = unicodedata.normalize("NFKD", text.lower().replace("&", " and ")).encode("ascii", "ignore").decode()
    return " ".join(part for part in _BETWEEN.split(plain) if part and part != "and")


def open_zip(data: bytes, name: str, *, find: Callable[[str], int] = lender_named) -> LogoZip | RefusedFile:
    """Return the entries of a zip file of logos, or refuse it as a whole; `find` returns the lender of an entry's name.

    The directory is checked before anything is decompressed, each entry is decompressed up to the limit of a picture,
    and nothing is written to disk.
    """
    shown = shown_name(name)
    if len(data) > MAX_ZIP_BYTES:
        return refused(shown, FileFault.ZIP_TOO_LARGE)
    if not data.strip():
        return refused(shown, FileFault.EMPTY)
    if fault := _check_directory(data, shown):
        return fault
    try:
        archive = ZipFile(BytesIO(data))
    except _FAULTY:
        return refused(shown, FileFault.DAMAGED_ZIP)
    entries = [entry for entry in archive.infolist() if not _ASIDE.fullmatch(entry.orig_filename)]
    if len(entries) > MAX_FILES:
        return refused(shown, FileFault.TOO_MANY_FILES, more=f"{len(entries):,}")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MAX_UNPACKED or unpacked > max(len(data) * MAX_RATIO, MAX_BYTES):
        return refused(shown, FileFault.UNPACKS_TOO_LARGE)
    return _sort_entries(archive, entries, find)


def refused(name: str, fault: FileFault, *, more: str = "") -> RefusedFile:
    """Return the refusal of a file by its safe name; `more` is a detail for its sentence."""
    # the name is put in last: it may hold braces itself
    sentence = _SENTENCES[fault].replace("{more}", more).replace("{name}", name)
    return RefusedFile(name=name, fault=fault, sentence=sentence)


def _fits(width: int, height: int) -> bool:
    return max(width, height) <= MAX_SIDE and width * height <= MAX_PIXELS


def _redraw(image: ImageFile) -> CleanPicture:
    """Decode the first frame and encode it again; raises one of PILLOW_ERRORS."""
    with image:
        if not _fits(*image.size):
            raise ValueError("the picture is larger than it stated")
        picture = decoded(image, needed=(WIDTH * 2, WIDTH * 2))
    picture.thumbnail((WIDTH, HEIGHT), Image.Resampling.LANCZOS, reducing_gap=3.0)
    picture.info.clear()
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return CleanPicture.of(file.getvalue(), width=picture.width, height=picture.height)


def _kind_of(data: bytes) -> str:
    """Return the words for the kind of a file that is not read."""
    head = data[:_HEAD]
    if head[4:8] == b"ftyp":
        return "an AVIF or HEIC picture" if head[8:12] in (b"avif", b"avis", b"heic", b"heix", b"mif1") else "a film"
    if known := next((words for magic, words in _KINDS if head.startswith(magic)), ""):
        return known
    text = head.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").lstrip().lower()
    if b"<svg" in text:
        return "an SVG drawing"
    if text.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<script")):
        return "a web page"
    return "a text" if text.startswith(b"<") or (text.isascii() and b"\0" not in head) else "of an unknown kind"


def _check_directory(data: bytes, shown: str) -> RefusedFile | None:
    """Return why a zip file's directory must not be read, by the length that its end record states, or None."""
    place = _end_record(data)
    if place < 0:
        fault = FileFault.DAMAGED_ZIP if data.startswith(b"PK") else FileFault.NO_ZIP
        return refused(shown, fault)
    count = int.from_bytes(data[place + 10 : place + 12], "little")
    length = int.from_bytes(data[place + 12 : place + 16], "little")
    if data[max(0, place - _END_64_LENGTH) :].startswith(_END_64):
        # Zip64, for more than 65,535 files or 4 GB
        return refused(shown, FileFault.TOO_MANY_FILES, more="tens of thousands of")
    if length > _MAX_NAMES:
        return refused(shown, FileFault.TOO_MANY_FILES, more=f"{count:,}" if count > MAX_FILES else "too many")
    return None


def _end_record(data: bytes) -> int:
    """Return the offset of the end record, found as `zipfile` finds it; below 0 for none."""
    last = len(data) - _END_LENGTH
    if last >= 0 and data.startswith(_END, last) and data.endswith(b"\0\0"):
        return last
    return data.rfind(_END, max(0, last - _MAX_COMMENT_LENGTH))


def _sort_entries(archive: ZipFile, entries: list[ZipInfo], find: Callable[[str], int]) -> LogoZip:
    """Separate entries that may be logos from others, and from several of one lender."""
    found: dict[int, list[ZippedPicture]] = defaultdict(list)
    out: list[RefusedFile] = []
    for entry in entries:
        picture = _check_entry(archive, entry, find)
        if isinstance(picture, RefusedFile):
            out.append(picture)
        else:
            found[picture.lender_id].append(picture)
    for lender_id, pictures in found.items():
        if len(pictures) > 1:
            out += [refused(picture.name, FileFault.TWICE, more=str(lender_id)) for picture in pictures]
    single = tuple(pictures[0] for pictures in found.values() if len(pictures) == 1)
    return LogoZip(pictures=single, refused=tuple(out))


def _check_entry(archive: ZipFile, entry: ZipInfo, find: Callable[[str], int]) -> ZippedPicture | RefusedFile:
    """Return an entry that may be a logo by its name and kind, or a refusal."""
    shown = shown_name(entry.orig_filename.rstrip("/\\"))
    fault = _fault_of(entry)
    lender_id = find(entry.orig_filename)
    if fault is None and lender_id:
        return ZippedPicture(lender_id=lender_id, name=shown, read=lambda: _read(archive, entry, shown))
    return refused(shown, fault or FileFault.NAME)


def _fault_of(entry: ZipInfo) -> FileFault | None:
    """Return what is wrong with an entry, as far as the directory shows."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return FileFault.LINK
    if set(entry.orig_filename) & set("/\\:"):
        return FileFault.IN_A_FOLDER
    if entry.flag_bits & _ENCRYPTED:
        return FileFault.ENCRYPTED
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return FileFault.PACKING
    if entry.file_size > MAX_BYTES:
        return FileFault.TOO_LARGE
    return FileFault.ZIP_IN_ZIP if entry.orig_filename.lower().endswith(".zip") else None


def _read(archive: ZipFile, entry: ZipInfo, shown: str) -> CleanPicture | RefusedFile:
    """Decompress an entry up to the limit of a picture, and sanitise it."""
    try:
        with archive.open(entry) as packed:
            data = packed.read(MAX_BYTES + 1)
            if packed.read(1):
                return refused(shown, FileFault.TOO_LARGE)
    except _FAULTY:
        return refused(shown, FileFault.DAMAGED)
    if data.startswith(b"PK\x03\x04"):
        return refused(shown, FileFault.ZIP_IN_ZIP)
    return clean_picture(data, shown)
