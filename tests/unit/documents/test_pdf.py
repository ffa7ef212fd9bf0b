import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import pytest

from broker.documents import pdf
from broker.documents.document import (
    Bar,
    BarChart,
    Document,
    Letterhead,
    Line,
    LineChart,
    Result,
    Section,
    Steps,
    Table,
    Text,
)
from broker.documents.pdf import MAX_WAITING, PdfBusyError, PdfError, PdfService
from broker.server.templating import MARK
from tests.pdf_text import ReadPdf, read_pdf, squeezed
from tests.timeouts import ANSWER_TIMEOUT

HEAD = Letterhead(
    firm="Firm & Daughters",
    address="1 Street, Town",
    site="https://broker.example",
    day="4 March 2026",
    telephone="020 7946 0123",
    email="us@broker.example",
    hours="weekdays",
    risk_warning="Your home may be repossessed.",
    buy_to_let="Most buy-to-let mortgages are not regulated.",
    disclosure="Authorised.",
)

DOCUMENT = Document(
    title="Monthly repayment",
    subtitle="For a repayment mortgage",
    figures=(("Loan", "£200,000"), ("Term", "25 years")),
    result=Result(label="You would pay", figure="£1,287.38", per="a month", caption="£386,214 in all"),
    sections=(
        Section(
            parts=(
                Table(
                    caption="Each of three", heads=("Times", "Loan"), rows=(("4", "£1"), ("5", "£2")), bold=((0, 1),)
                ),
                Text(title="Keep money back", text="Moving costs money.", is_framed=True),
                BarChart(bars=(Bar(label="Now", figure="£5", percent=100, tone="now"),)),
            )
        ),
        Section(title="How we worked this out", parts=(Steps(steps=("One.", "Two.")),)),
        Section(
            title="Debt over the years",
            parts=(
                LineChart(
                    alternative="A line that falls.",
                    start="Today: £200,000",
                    end="25 years: £0",
                    lines=(Line(label="Left to pay", tone="loan", points=((0, 0), (1, 1))),),
                ),
                Table(heads=("Year", "Left to pay"), rows=(("0", "£200,000"),)),
            ),
        ),
    ),
    remarks=("Illustration only.",),
    address="/tools/calculators/repayment/?loan=200000",
    file_name="repayment.pdf",
)

HOSTILE = (
    '#eval("1") $x^2$ "quoted" \\ *bold* _it_ `raw` @ref <label> [x] {y} //not /* a comment',
    "#import sys: *; #panic()",
    "= no heading\n- no list",
    "<script>alert(1)</script> &amp; \u202e \u2028",
    "x" * 500,
    "https://broker.example/?" + "y" * 400,
)


@pytest.fixture(scope="module")
def service() -> Iterator[PdfService]:
    service = PdfService()
    yield service
    service.close()


async def read(service: PdfService, document: Document, head: Letterhead = HEAD) -> ReadPdf:
    return read_pdf(await service.draw(document, head, mark=MARK))


async def test_document_says_what_it_is_to_a_screen_reader(service: PdfService) -> None:
    found = await read(service, DOCUMENT)
    assert (found.title, found.language, found.standard) == ("Monthly repayment", "en-GB", "1")
    assert (found.pages, found.sizes) == (1, {(595, 842)})
    assert found.alternatives == ("A line that falls.",)
    assert [tag for tag in found.tags if tag[0] == "H"] == ["H1", "H2", "H2", "H2"]
    assert {tag: found.tags.count(tag) for tag in ("Table", "TH", "Figure", "L", "LI")} == {
        "Table": 3,
        "TH": 5,
        "Figure": 1,
        "L": 1,
        "LI": 2,
    }
    assert found.links == ("tel:02079460123", "mailto:us@broker.example", HEAD.site + DOCUMENT.address)


async def test_every_text_of_a_document_is_in_it_once(service: PdfService) -> None:
    text = (await read(service, DOCUMENT)).text
    once = ("Foraremortgage", "Illustrationonly.", "Yourhomemayberepossessed.", "£1,287.38amonth", "1.One.2.Two.")
    assert [text.count(each) for each in once[1:]] == [1] * 4
    assert "Termin" not in text
    assert HEAD.buy_to_let.replace(" ", "") not in text
    unregulated = await read(service, replace(DOCUMENT, is_unregulated=True))
    assert HEAD.buy_to_let.replace(" ", "") in unregulated.text


async def test_personal_data_have_no_warning_and_no_offer_of_advice(service: PdfService) -> None:
    personal = replace(DOCUMENT, figures=(), result=None, remarks=("Cut here.",), is_personal=True)
    text = (await read(service, personal)).text
    assert text.count("Cuthere.") == 1
    assert not [each for each in ("Yourfigures", "repossessed", "Talktoanadviser", "Authorised.") if each in text]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_hostile_text_stays_text_within_the_page(service: PdfService, text: str) -> None:
    hostile = replace(
        DOCUMENT,
        title=text[:200],
        figures=((text[:200], text[:200]),),
        sections=(
            Section(parts=(Table(heads=("a", text[:40]), rows=((text[:90], text[:90]),)), Text(title=text, text=text))),
        ),
    )
    found = await read(service, hostile)
    shown = squeezed(text.replace("\u202e", ""))
    assert found.text.replace("\u202e", "").count(shown) >= 2
    assert found.title == text[:200]
    assert not [tag for tag in found.tags if tag in ("Code", "Formula")]


async def test_character_of_no_font_does_not_stop_a_document(service: PdfService) -> None:
    found = await read(service, replace(DOCUMENT, subtitle="漢 😀 → ₤"))
    assert (found.standard, "Table" in found.tags, found.language) == ("", True, "en-GB")


async def test_more_documents_than_may_wait_are_refused(service: PdfService) -> None:
    wanted = (service.draw(DOCUMENT, HEAD, mark="") for _ in range(MAX_WAITING + 2))
    found = await asyncio.gather(*wanted, return_exceptions=True)
    assert [type(each) for each in found].count(PdfBusyError) == 2
    assert [type(each) for each in found].count(bytes) == MAX_WAITING
    assert (await service.draw(DOCUMENT, HEAD, mark="")).startswith(b"%PDF")


async def test_process_that_is_killed_is_started_again(service: PdfService) -> None:
    await service.draw(DOCUMENT, HEAD, mark="")
    drawing = asyncio.gather(*(service.draw(DOCUMENT, HEAD, mark="") for _ in range(20)), return_exceptions=True)
    await asyncio.sleep(0)
    for child in active_children():
        child.kill()
    assert PdfError in [type(each) for each in await drawing]
    assert (await service.draw(DOCUMENT, HEAD, mark="")).startswith(b"%PDF")


async def test_document_is_drawn_though_ctrl_c_reaches_its_process(service: PdfService) -> None:
    await service.draw(DOCUMENT, HEAD, mark="")
    drawing = asyncio.gather(*(service.draw(DOCUMENT, HEAD, mark="") for _ in range(5)))
    await asyncio.sleep(0)
    for child in active_children():
        assert child.pid
        os.kill(child.pid, signal.SIGINT)
    assert all(each.startswith(b"%PDF") for each in await drawing)


KILLED = """
import asyncio, os
from broker.documents.pdf import PdfService
from tests.unit.documents.test_pdf import DOCUMENT, HEAD

if __name__ == "__main__":
    asyncio.run(PdfService().draw(DOCUMENT, HEAD, mark=""))
    print("drawn", flush=True)
    os.kill(os.getpid(), 9)
"""


def test_process_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(KILLED, encoding="utf-8")
    command, environment = [sys.executable, str(tmp_path / "server.py")], {"PYTHONPATH": str(Path.cwd())}
    # the process holds the pipes: they end with it
    killed = subprocess.run(command, capture_output=True, timeout=ANSWER_TIMEOUT, env=environment, check=False)
    assert (killed.returncode, killed.stdout) == (-9, b"drawn\n")


async def test_document_that_takes_too_long_ends_the_process(
    service: PdfService, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = replace(DOCUMENT, sections=(Section(parts=(Text(title="long", text="word " * 2_000_000),)),))
    with monkeypatch.context() as patched:
        patched.setattr(pdf, "MAX_SECONDS", 1)
        with pytest.raises(PdfError, match="ended"):
            await service.draw(endless, HEAD, mark="")
    assert (await service.draw(DOCUMENT, HEAD, mark="")).startswith(b"%PDF")


async def test_document_that_typst_refuses_stops_no_other(service: PdfService) -> None:
    with pytest.raises(PdfError, match="refused"):
        await service.draw(DOCUMENT, HEAD, mark="no drawing")
    assert (await service.draw(DOCUMENT, HEAD, mark="")).startswith(b"%PDF")


def test_server_itself_does_not_load_typst() -> None:
    code = "import broker.server.result_pdfs, sys; print('typst' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
