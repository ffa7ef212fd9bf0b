"""The pictures on the cards of guides: a drawing for every subject, and a subject for every guide."""

import re
from itertools import combinations
from xml.etree import ElementTree

from broker.components.drawings.guides.scene import WIDTH, guide_scene
from broker.components.drawings.guides.subjects import MOTIFS
from broker.components.drawings.palette import DAY
from broker.components.drawings.questionnaire.colours import COLOURS
from broker.domain.guide_subjects import GuideSubject
from tests.our_content import STORE

LARGEST = 4_800
"""Bytes of a picture; the streets that it replaces had up to 6,335."""


def test_every_subject_has_a_drawing_of_its_own() -> None:
    assert set(MOTIFS) == set(GuideSubject)
    drawn = {subject: MOTIFS[subject]() for subject in GuideSubject}
    assert [pair for pair in combinations(GuideSubject, 2) if drawn[pair[0]] == drawn[pair[1]]] == []


def test_every_guide_names_its_subject_and_looks_unlike_the_others() -> None:
    named = {guide.url: guide.subject for guide in STORE.guides() if guide.subject}
    assert set(named) == {guide.url for guide in STORE.guides()}
    assert set(named.values()) == set(GuideSubject)
    assert len({guide_scene(subject, slug) for slug, subject in named.items()}) == len(named)


def test_pictures_are_small_and_in_the_colours_of_the_site() -> None:
    known = {*COLOURS, *DAY.walls, *DAY.doors, DAY.tree, DAY.ground, "none"}
    for subject in GuideSubject:
        picture = guide_scene(subject, "a-guide")
        paths = ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}path")
        painted = {path.attrib[side] for path in paths for side in ("fill", "stroke") if side in path.attrib}
        assert (subject, painted - known, len(picture.encode()) <= LARGEST) == (subject, set(), True)


def test_houses_and_trees_stand_whole_in_the_picture() -> None:
    for slug in ("a", "b", "c", "d", "e", "f"):
        picture = ElementTree.fromstring(guide_scene(GuideSubject.KEY, slug))
        for group in picture.iter("{http://www.w3.org/2000/svg}g"):
            left, base, scale = map(float, re.findall(r"[\d.]+", group.attrib["transform"]))
            starts = re.findall(r"M(-?[\d.]+) ?(-?[\d.]+)", "".join(path.attrib["d"] for path in group))
            across = [left + float(x) * scale for x, _ in starts]
            down = [base + float(y) * scale for _, y in starts]
            assert (slug, min(across) >= 0, max(across) <= WIDTH, min(down) >= 0) == (slug, True, True, True)


def test_pictures_hold_no_text() -> None:
    tags = {part.tag for subject in GuideSubject for part in ElementTree.fromstring(guide_scene(subject, "a")).iter()}
    assert tags == {f"{{http://www.w3.org/2000/svg}}{name}" for name in ("svg", "g", "path")}
