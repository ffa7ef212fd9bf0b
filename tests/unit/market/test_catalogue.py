"""A market that cannot be used is refused with the reason."""

import gzip
import shutil
from pathlib import Path

import pytest

from broker.rates.market.catalogue import LENDERS, PRODUCTS, CatalogueError, load
from tests.unit.market.searching import MARKET, catalogue

HALIFAX = "42,Halifax,halifax,bank,1,0,7.19,"
HEADER = gzip.decompress((MARKET / PRODUCTS).read_bytes()).decode().splitlines()[0]
SOUND = "one,42,fixed,4.10,24,purchase,residential,0,75,999,0,25000,500000,2;1,250,1,0,10,1,0"

SENSELESS = "products.csv.gz has a product that makes no sense: two"


def _market(folder: Path, *products: str, lenders: tuple[str, ...] = (HALIFAX,), header: str = HEADER) -> Path:
    shutil.copy(MARKET / "anchors.csv", folder)
    heading = (MARKET / LENDERS).read_text("utf-8").splitlines()[0]
    (folder / LENDERS).write_text("\n".join([heading, *lenders, ""]), "utf-8")
    (folder / PRODUCTS).write_bytes(gzip.compress("\n".join([header, *products, ""]).encode()))
    return folder


def test_rows_stand_in_rate_order() -> None:
    market = catalogue()
    keys = list(zip(market.initial_rate, market.fee, market.fee_percent, market.product_id, strict=True))
    assert keys == sorted(keys)
    assert [market.product_id[row] for row in market.id_rank.argsort()] == sorted(market.product_id)


TWO = SOUND.replace("one", "two")
REFUSED = {
    SOUND.replace(",42,", ",99,"): "products.csv.gz names lenders that lenders.csv does not have: [99]",
    SOUND: "products.csv.gz has a product twice",
    TWO.replace("4.10", "0"): SENSELESS,  # no rate
    TWO.replace("999", "25000"): SENSELESS,  # the fee is the whole loan
    TWO.replace("residential", "buy-to-let"): SENSELESS,  # the lender has no follow-on rate for it
}


@pytest.mark.parametrize(("row", "reason"), REFUSED.items())
def test_load_refuses_a_product_without_sense(tmp_path: Path, row: str, reason: str) -> None:
    with pytest.raises(CatalogueError) as refused:
        load(_market(tmp_path, SOUND, row))
    assert str(refused.value) == reason


def test_load_refuses_an_empty_folder_a_missing_column_and_a_lender_twice(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"^the sample market cannot be read: "):
        load(tmp_path)
    with pytest.raises(CatalogueError, match=r"^products.csv.gz has no column fee_percent$"):
        load(_market(tmp_path, SOUND, header=HEADER.replace("fee_percent", "other")))
    with pytest.raises(CatalogueError, match=r"^lenders.csv has a lender twice$"):
        load(_market(tmp_path, SOUND, lenders=(HALIFAX, HALIFAX)))


INVALID = {
    "one,42,fixed": "invalid literal for int",
    f"{TWO},1": "Expected 20 fields in line 3, saw 21",
    TWO.replace("999", "?"): "could not convert string to float: '?'",
    TWO.replace(",0,75", ",maybe,75"): "cannot safely convert passed user dtype of bool",
}


@pytest.mark.parametrize(("row", "reason"), INVALID.items())
def test_load_refuses_a_row_that_cannot_be_read(tmp_path: Path, row: str, reason: str) -> None:
    with pytest.raises(CatalogueError) as refused:
        load(_market(tmp_path, SOUND, row))
    assert str(refused.value).startswith("products.csv.gz: ")
    assert reason in str(refused.value)
