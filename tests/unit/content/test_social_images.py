from dataclasses import replace

import pytest

from broker.content.guide_pages import subject_of
from broker.content.guides import USUAL_SUBJECTS, GuideSubject
from broker.content.page_head import (
    HOME,
    IMAGE_FOLDER,
    IMAGE_HEIGHT,
    IMAGE_WIDTH,
    IMAGES,
    guide_image_path,
    image_alt,
    image_path,
)
from broker.images import ImageFormat, ImageSize, image_format, image_size
from broker.pages.articles.guides import page_of_guide
from broker.settings import ROOT
from tests.our_content import STORE
from tests.unit.pages.whole_site import inputs

FILES = ROOT / "assets" / "og"
MAX_BYTES = 60_000


def test_every_picture_is_drawn_and_no_other() -> None:
    assert {file.name for file in FILES.iterdir()} == {f"{name}.png" for name in IMAGES}
    assert len({(FILES / f"{name}.png").read_bytes() for name in IMAGES}) == len(IMAGES)
    assert len({image_alt(image_path(name), "Firm") for name in IMAGES}) == len(IMAGES)


@pytest.mark.parametrize("name", IMAGES)
def test_picture_has_its_size_and_is_small_to_load(name: str) -> None:
    data = (FILES / f"{name}.png").read_bytes()
    assert image_format(data) == ImageFormat.PNG
    assert image_size(data) == ImageSize(width=IMAGE_WIDTH, height=IMAGE_HEIGHT) == ImageSize(width=1200, height=630)
    assert len(data) <= MAX_BYTES


def test_guides_have_the_picture_of_their_subject() -> None:
    assert {page_of_guide(inputs(), guide).picture for guide in STORE.guides()} == set(
        map(guide_image_path, GuideSubject)
    )
    ltv = next(guide for guide in STORE.guides() if guide.url == "what-is-ltv")
    assert subject_of(ltv) is GuideSubject.FANLIGHT
    assert guide_image_path(GuideSubject.FANLIGHT) == f"{IMAGE_FOLDER}/guide-fanlight.png"
    for category, subject in USUAL_SUBJECTS.items():
        assert subject_of(replace(ltv, subject=None, categories=(category,))) is subject


def test_picture_has_its_path_and_description_or_the_home_pages() -> None:
    assert image_path("rates") == f"{IMAGE_FOLDER}/rates.png"
    assert image_path("a-service-that-is-new") == image_path(HOME)
    assert image_alt("/og/home.png", "Hearthgate") == (
        "Hearthgate: A good mortgage. No broker fee. Drawing: a street at dusk with one lit door."
    )
    assert image_alt("/pictures/another.png", "Hearthgate") == "Hearthgate"
