"""Refused files: name, reason, and a sentence that tells staff what to do."""

from dataclasses import dataclass
from enum import StrEnum


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
    FileFault.OTHER_KIND: "{name} is {more}. Send the logo as PNG, JPEG or GIF.",
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
    FileFault.NAME: "{name} is not named by a lender’s number. Name it 42.png for lender 42.",
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
"""Bytes at the beginning of a file that tell its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedFile:
    """A file that was not taken: its name made safe, why, and a sentence that names both and says what to do."""

    name: str
    fault: FileFault
    sentence: str


def refused(name: str, fault: FileFault, *, more: str = "") -> RefusedFile:
    """Return a refusal of a file whose name is made safe; `more` is what its sentence tells beside the name."""
    # the name is put in last: it may hold braces itself
    sentence = _SENTENCES[fault].replace("{more}", more).replace("{name}", name)
    return RefusedFile(name=name, fault=fault, sentence=sentence)


def sniffed(data: bytes) -> str:
    """Return in words what kind of file some bytes are that are no PNG, JPEG or GIF."""
    head = data[:_HEAD]
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "a WebP picture"
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
