"""A zip file of many logos, each named by its lender's number (`42.png` or `lender-42.png`), read entry by entry.

The directory is checked before anything is decompressed, each entry is decompressed up to the limit of a picture, and
nothing is written to disk. Bad entries are refused one by one; a zip file that exceeds the limits as a whole is refused
as a whole.
"""

import re
import stat
import struct
import zlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from broker.domain.file_names import shown_name
from broker.domain.staff.logos import CleanPicture
from broker.services.images import MAX_BYTES, clean_picture
from broker.services.staff.logos.upload_errors import FileFault, RefusedFile, refused

MAX_ZIP_BYTES = 20 * 1024 * 1024
MAX_FILES = 500
MAX_UNPACKED = 64 * 1024 * 1024
MAX_RATIO = 200
"""Bounds: bytes of the zip file, its files, their bytes in all, and how many times its size it may unpack to."""

_MAX_NAMES = MAX_FILES * 512
"""Bytes of a list of contents: more is either too many files, or names that nobody gives."""

_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_END_LENGTH, _END_64_LENGTH, _MAX_COMMENT_LENGTH = 22, 20, 65_536

_NAMED = re.compile(r"(?:lender-)?0*([1-9][0-9]{0,8})\.(?:png|jpe?g|gif)", re.IGNORECASE)
_ASIDE = re.compile(r".*/|__MACOSX/.*|\.DS_Store|Thumbs\.db|desktop\.ini", re.DOTALL)
"""Folders, and what computers put into zip files by themselves: passed over without a word."""

_ENCRYPTED = 0x1
_FAULTY = (BadZipFile, OSError, EOFError, ValueError, LookupError, RuntimeError, struct.error, zlib.error)
"""What `zipfile` raises over a file that is damaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZippedPicture:
    """An entry that may hold a lender's logo; `name` is made safe."""

    lender_id: int
    name: str
    read: Callable[[], CleanPicture | RefusedFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoZip:
    """A zip file's entries: those that may hold a logo, one a lender, and those that are refused by what they are."""

    pictures: tuple[ZippedPicture, ...]
    refused: tuple[RefusedFile, ...]


def open_zip(data: bytes, name: str) -> LogoZip | RefusedFile:
    """Return what a zip file holds, or why it is refused as a whole; nothing of it is unpacked yet."""
    shown = shown_name(name)
    if len(data) > MAX_ZIP_BYTES:
        return refused(shown, FileFault.ZIP_TOO_LARGE)
    if not data.strip():
        return refused(shown, FileFault.EMPTY)
    if fault := _unfit_list(data, shown):
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
    return _sorted_out(archive, entries)


def _unfit_list(data: bytes, shown: str) -> RefusedFile | None:
    """Return why a zip file's list of contents is not read: it states how long it is at the end of the file."""
    place = _end_of(data)
    if place < 0:
        fault = FileFault.DAMAGED_ZIP if data.startswith(b"PK") else FileFault.NO_ZIP
        return refused(shown, fault)
    count = int.from_bytes(data[place + 10 : place + 12], "little")
    length = int.from_bytes(data[place + 12 : place + 16], "little")
    if data[max(0, place - _END_64_LENGTH) :].startswith(_END_64):
        # made for more than 65,535 files or 4 GB, which none of ours is
        return refused(shown, FileFault.TOO_MANY_FILES, more="tens of thousands of")
    if length > _MAX_NAMES:
        return refused(shown, FileFault.TOO_MANY_FILES, more=f"{count:,}" if count > MAX_FILES else "too many")
    return None


def _end_of(data: bytes) -> int:
    """Return where the record at a zip file's end begins, found as `zipfile` finds it; below 0 for none."""
    last = len(data) - _END_LENGTH
    if last >= 0 and data.startswith(_END, last) and data.endswith(b"\0\0"):
        return last
    return data.rfind(_END, max(0, last - _MAX_COMMENT_LENGTH))


def _sorted_out(archive: ZipFile, entries: list[ZipInfo]) -> LogoZip:
    """Part the entries that may hold a logo from those that do not, and from several of one lender."""
    found: dict[int, list[ZippedPicture]] = defaultdict(list)
    out: list[RefusedFile] = []
    for entry in entries:
        picture = _judged(archive, entry)
        if isinstance(picture, RefusedFile):
            out.append(picture)
        else:
            found[picture.lender_id].append(picture)
    for lender_id, pictures in found.items():
        if len(pictures) > 1:
            out += [refused(picture.name, FileFault.TWICE, more=str(lender_id)) for picture in pictures]
    single = tuple(pictures[0] for pictures in found.values() if len(pictures) == 1)
    return LogoZip(pictures=single, refused=tuple(out))


def _judged(archive: ZipFile, entry: ZipInfo) -> ZippedPicture | RefusedFile:
    """Return an entry that may hold a logo by its name and its kind, or why it does not."""
    shown = shown_name(entry.orig_filename.rstrip("/\\"))
    fault = _fault_of(entry)
    named = _NAMED.fullmatch(entry.orig_filename)
    if fault is None and named:
        return ZippedPicture(lender_id=int(named[1]), name=shown, read=lambda: _read(archive, entry, shown))
    return refused(shown, fault or FileFault.NAME)


def _fault_of(entry: ZipInfo) -> FileFault | None:
    """Return what is wrong with an entry, as far as the list of contents tells."""
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
    """Unpack one entry up to a picture's size, and make its picture safe."""
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
