import shutil
from dataclasses import replace
from pathlib import Path

from broker.content.files.content_folder import EmbeddedStore
from broker.pages.articles.text_pages import pages
from tests.our_content import CONTENT
from tests.unit.pages.whole_site import inputs


def test_page_draws_the_calculators_that_its_document_lists(tmp_path: Path) -> None:
    folder = shutil.copytree(CONTENT, tmp_path / "content")
    document = folder / "pages" / "about-us.md"
    text = document.read_text(encoding="utf-8")
    document.write_text(text.replace("---\n", "---\ncalculators: [repayment, borrow]\n", 1), encoding="utf-8")
    store = EmbeddedStore(folder)
    listed = {page.path: page.calculators for page in store.pages()}
    assert listed["/about-us/"] == ("repayment", "borrow")
    page = next(page for page in pages(replace(inputs(), store=store)) if page.route == "/about-us/")
    drawn = str(page.render())
    heading = drawn.index('"Work it out"')
    assert drawn.count("jsx(Panel", heading) == 2
