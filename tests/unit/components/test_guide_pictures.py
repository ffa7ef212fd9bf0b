import re
from xml.etree import ElementTree

from broker.components.drawings.street import SCENE_WIDTH, SUBJECTS, guide_scene
from broker.content.guides import GuideSubject
from tests.our_content import STORE

LARGEST = 4_800
"""Bytes of a picture; the streets that it replaces had up to 6,335."""

SVG = "{http://www.w3.org/2000/svg}"


def test_every_subject_has_a_drawing_of_its_own() -> None:
    files = {file.stem: file.read_bytes() for file in SUBJECTS.iterdir()}
    assert set(files) == set(GuideSubject)
    assert len(set(files.values())) == len(files)


def test_every_guide_names_its_subject_and_looks_unlike_the_others() -> None:
    named = {guide.url: guide.subject for guide in STORE.guides() if guide.subject}
    assert set(named) == {guide.url for guide in STORE.guides()}
    assert set(named.values()) == set(GuideSubject)
    assert len({guide_scene(subject, slug) for slug, subject in named.items()}) == len(named)


def test_pictures_are_small_and_hold_no_text() -> None:
    for subject in GuideSubject:
        picture = guide_scene(subject, "a-guide")
        tags = {part.tag for part in ElementTree.fromstring(picture).iter()}
        assert (subject, tags) == (subject, {f"{SVG}{name}" for name in ("svg", "g", "path")})
        assert len(picture.encode()) <= LARGEST, subject


def test_houses_and_trees_stand_whole_in_the_picture() -> None:
    for slug in ("a", "b", "c", "d", "e", "f"):
        picture = ElementTree.fromstring(guide_scene(GuideSubject.KEY, slug))
        for group in picture.iter(f"{SVG}g"):
            left, base, scale = map(float, re.findall(r"[\d.]+", group.attrib["transform"]))
            starts = re.findall(r"M(-?[\d.]+) ?(-?[\d.]+)", "".join(path.attrib["d"] for path in group))
            across = [left + float(x) * scale for x, _ in starts]
            down = [base + float(y) * scale for _, y in starts]
            assert (slug, min(across) >= 0, max(across) <= SCENE_WIDTH, min(down) >= 0) == (slug, True, True, True)
