import csv
import io
from datetime import date, timedelta
from gzip import decompress
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from broker import services
from broker.lending.days import day_number, month_of
from broker.rates.query import SortOrder
from broker.server import downloads
from broker.server.downloads import BYTE_ORDER_MARK, rate_history_csv_handler, rates_csv_handler
from tests.services import closed_services, project_averages
from tests.unit.rates.sources import ListSource, many
from tests.unit.server.site import client

FILE = "/rates.csv"


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> ListSource:
    monkeypatch.setattr(services, "_installed", [])
    source = ListSource(many(3))
    services.install(closed_services(source))
    return source


HISTORY = "/tools/rate-history/averages.csv"


@pytest.fixture(scope="module")
def edge(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    handlers = {FILE: rates_csv_handler(proxies=0), HISTORY: rate_history_csv_handler(proxies=0)}
    return client(tmp_path_factory.mktemp("export"), handlers=handlers)


@pytest.mark.usefixtures("source")
def test_file_is_sent_as_a_download_that_is_not_cached(edge: TestClient) -> None:
    answer = edge.get(FILE)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="mortgage-rates-2026-03-04.csv"'
    assert (answer.headers["cache-control"], answer.headers["x-robots-tag"]) == ("no-store", "noindex")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.content.startswith(BYTE_ORDER_MARK + b"Lender,Product,Deal,")
    assert b"Monthly payment \xc2\xa3" in answer.content
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""), strict=True))
    assert [row["Initial rate %"] for row in rows] == ["4.00", "4.01", "4.02"]


def test_file_answers_the_search_of_its_address(edge: TestClient, source: ListSource) -> None:
    edge.get(f"{FILE}?customer=first-time-buyer&price=300000&amount=%C2%A3250%2C000&sort=fees&price=1")
    (query,) = source.asked
    assert (query.customer, query.price, query.amount) == ("first-time-buyer", 300_000, 250_000)
    assert query.sort is SortOrder.FEES


@pytest.mark.usefixtures("source")
def test_network_may_have_so_many_files_in_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "MAX_FILES", (2, timedelta(minutes=1)))
    limited = client(tmp_path, handlers={FILE: rates_csv_handler(proxies=1)})
    first, other = ({"x-forwarded-for": f"192.0.2.{number}"} for number in (1, 2))
    answers = [limited.get(FILE, headers=headers) for headers in (first, first, first, other)]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 200]
    assert (answers[2].headers["retry-after"], answers[2].text) == (
        "30",
        "That is a lot of lists. Please try again in a minute.\n",
    )


@pytest.mark.usefixtures("source")
def test_file_is_compressed_where_accepted_and_only_read_at_its_own_path(edge: TestClient) -> None:
    with edge.stream("GET", FILE, headers={"accept-encoding": "gzip"}) as answer:
        packed = b"".join(answer.iter_raw())
    assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "Accept-Encoding")
    get, head = edge.get(FILE), edge.head(FILE)
    assert decompress(packed) == get.content
    assert (head.status_code, head.content, dict(head.headers)) == (200, b"", dict(get.headers))
    assert {edge.get(path).status_code for path in ("/rates.csv/", "/rates.csvx", "/rates.csv/a")} == {404}
    assert edge.post(FILE).status_code == 404


REFUSED = {
    "customer=nobody": "There is no such kind of customer.",
    "period=4": "There is no such choice.",
    "price=none": "Enter the property price in digits only, for example 200,000.",
    "price=%00": "Enter the property price in digits only, for example 200,000.",
    "term=0": "Enter a term in whole years, from 1 to 40.",
    "amount=300000": "Enter an amount that is not above the property price.",
}


def test_search_that_makes_no_sense_is_refused_in_a_sentence(edge: TestClient, source: ListSource) -> None:
    for query, sentence in REFUSED.items():
        answer = edge.get(f"{FILE}?{query}")
        assert (answer.status_code, answer.text) == (400, f"This list cannot be made. {sentence}\n"), query
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert (answer.headers["cache-control"], answer.headers["x-robots-tag"]) == ("no-store", "noindex")
    assert source.asked == []


def test_unreachable_feed_is_a_503_that_says_when_to_retry(edge: TestClient, source: ListSource) -> None:
    source.away = True
    answer = edge.get(FILE)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert answer.text == "The rates service did not answer. Please try again in a minute.\n"
    assert "content-disposition" not in answer.headers


@pytest.mark.usefixtures("source")
def test_file_of_averages_has_every_point_of_its_sources(edge: TestClient) -> None:
    answer = edge.get(HISTORY)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    assert answer.headers["content-disposition"] == 'attachment; filename="mortgage-rates-since-2017.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""), strict=True))
    history = project_averages()({}).history
    found = {
        (head.rpartition("(")[2].rstrip(")"), month_of(day_number(date.fromisoformat(f"{row['Month']}-01")))): float(
            cell
        )
        for row in rows
        for head, cell in row.items()
        if "average %" in head and cell
    }
    assert found == {(code, at): rate for code, months in history.averages.items() for at, rate in months.items()}
    assert [float(row["Bank Rate at the end of the month %"]) for row in rows][-2:] == [3.75, 3.75]
    assert {row["Source"] for row in rows} == {
        "Bank of England Database. Contains Bank of England data, licensed under the Open Government Licence v3.0."
    }
