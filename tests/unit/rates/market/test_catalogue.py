import gzip
import shutil
from pathlib import Path

import pytest

from broker.rates.market.catalogue import LENDERS, PRODUCTS, CatalogueError, load
from tests.unit.rates.market.searching import MARKET, catalogue

HALIFAX = "42,Halifax,halifax,bank,1,0,7.19,"
HEADER = gzip.decompress((MARKET / PRODUCTS).read_bytes()).decode().splitlines()[0]
SOUND = {
    "product_id": "one",
    "lender_id": "42",
    "rate_type": "fixed",
    "initial_rate": "4.10",
    "initial_months": "24",
    "purpose": "purchase",
    "market": "residential",
    "interest_only": "0",
    "most_ltv": "75",
    "fee": "999",
    "fee_percent": "0",
    "least_loan": "25000",
    "most_loan": "500000",
    "yearly_charges": "2;1",
    "cashback": "250",
    "free_valuation": "1",
    "free_legal_work": "0",
    "overpayment_percent": "10",
    "portable": "1",
    "first_time_buyers": "0",
}


def product(product_id: str = "one", **cells: str) -> str:
    """Return a row that can be used but for the cells given."""
    return ",".join((SOUND | {"product_id": product_id} | cells)[column] for column in HEADER.split(","))


SENSELESS = "products.csv.gz has a product that makes no sense: two"


def _market(folder: Path, *products: str, lenders: tuple[str, ...] = (HALIFAX,), header: str = HEADER) -> Path:
    shutil.copytree(MARKET / "bank_of_england", folder / "bank_of_england", dirs_exist_ok=True)
    heading = (MARKET / LENDERS).read_text("utf-8").splitlines()[0]
    (folder / LENDERS).write_text("\n".join([heading, *lenders, ""]), "utf-8")
    (folder / PRODUCTS).write_bytes(gzip.compress("\n".join([header, *products, ""]).encode()))
    return folder


def test_rows_stand_in_rate_order() -> None:
    market = catalogue()
    keys = list(zip(market.initial_rate, market.fee, market.fee_percent, market.product_id, strict=True))
    assert keys == sorted(keys)
    assert [market.product_id[row] for row in market.id_rank.argsort()] == sorted(market.product_id)


REFUSED = {
    product("two", lender_id="99"): "products.csv.gz names lenders that lenders.csv does not have: [99]",
    product("one"): "products.csv.gz has a product twice",
    product("two", initial_rate="0"): SENSELESS,
    product("two", fee="25000"): SENSELESS,  # the whole loan
    product("two", market="buy-to-let"): SENSELESS,  # the lender has no follow-on rate for it
}


@pytest.mark.parametrize(("row", "reason"), REFUSED.items())
def test_load_refuses_a_product_without_sense(tmp_path: Path, row: str, reason: str) -> None:
    with pytest.raises(CatalogueError) as refused:
        load(_market(tmp_path, product(), row))
    assert str(refused.value) == reason


def test_load_refuses_an_empty_folder_a_missing_column_and_a_lender_twice(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"^the sample market cannot be read: "):
        load(tmp_path)
    with pytest.raises(CatalogueError, match=r"^products.csv.gz has no column fee_percent$"):
        load(_market(tmp_path, product(), header=HEADER.replace("fee_percent", "other")))
    with pytest.raises(CatalogueError, match=r"^lenders.csv has a lender twice$"):
        load(_market(tmp_path, product(), lenders=(HALIFAX, HALIFAX)))


INVALID = {
    "one,42,fixed": "invalid literal for int",
    f"{product()},1": "Expected 20 fields in line 3, saw 21",
    product(fee="?"): "could not convert string to float: '?'",
    product(interest_only="maybe"): "cannot safely convert passed user dtype of bool",
}


@pytest.mark.parametrize(("row", "reason"), INVALID.items())
def test_load_refuses_a_row_that_cannot_be_read(tmp_path: Path, row: str, reason: str) -> None:
    with pytest.raises(CatalogueError) as refused:
        load(_market(tmp_path, product(), row))
    assert str(refused.value).startswith("products.csv.gz: ")
    assert reason in str(refused.value)
