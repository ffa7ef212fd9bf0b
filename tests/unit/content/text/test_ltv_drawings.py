from pathlib import Path

import pytest

from broker.components.drawings.shapes import fanlight
from broker.content.errors import ContentError
from broker.content.files.validated_record import read_document
from broker.content.text.markdown import CAPTION, MAX_WINDOWS, render_markdown

BLOCK = "```ltv {}\n{}\n```\n"


def test_windows_have_their_figures_in_words_and_a_caption() -> None:
    html = render_markdown(BLOCK.format("Yours & <mine>", "You: us: 85.5%\n  With the gift: 90")).html
    assert html == (
        f'<figure class="windows"><ul><li>{fanlight(85.5)}<b>85.5%</b> You: us</li>'
        f"<li>{fanlight(90)}<b>90%</b> With the gift</li></ul>"
        "<figcaption>Yours &amp; &lt;mine&gt;</figcaption></figure>"
    )
    assert f"<figcaption>{CAPTION}</figcaption>" in render_markdown(BLOCK.format("", "All: 100")).html


def test_other_code_stays_code() -> None:
    for name in ("", "ltvs", "text ltv"):
        assert render_markdown(f"```{name}\nAll: 100\n```").html.startswith("<pre><code")


FAULTS = {
    "no colon": ("One: 1\nTwo 2", "line 7: 'Two 2' must be a label, a colon and a percentage"),
    "too much": ("One: 100.5", "line 6: 'One: 100.5' must be"),
    "no label": (": 5", "line 6: ': 5' must be"),
    "a sum": ("One: £5", "line 6: 'One: £5' must be"),
    "nothing": ("", "line 5: a block of ltv has 0 lines; 1 to 6 fit"),
    "too many": ("\n".join(["One: 1"] * (MAX_WINDOWS + 1)), "line 5: a block of ltv has 7 lines"),
}


@pytest.mark.parametrize(("lines", "fault"), FAULTS.values(), ids=FAULTS)
def test_fault_names_the_file_and_the_line(tmp_path: Path, lines: str, fault: str) -> None:
    path, found = tmp_path / "guide.md", list[ContentError]()
    path.write_text("---\ntitle: A\n---\n\n" + BLOCK.format("", lines).replace("\n\n", "\n"), encoding="utf-8")
    record, body = read_document(path, {}, found=found)
    assert (record.source, len(found)) == (str(path), 1)
    assert str(found[0]).startswith(f"{path}: {fault}")
    assert "<figure" in render_markdown(body).html, "the rest is drawn all the same"
