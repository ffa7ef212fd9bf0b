"""The embedded market in the words of the sourcing service: its searches, rows, lenders and logos."""

import base64
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from random import Random
from typing import Any

from PIL import Image

from broker.rates.deal_types import DEAL_TYPES, narrowed
from broker.rates.market.catalogue import Catalogue, load
from broker.rates.market.rate_source import price_rows, select
from broker.rates.product import ANY_AMOUNT, Incentives, RateProduct
from broker.rates.query import RatesQuery, SortOrder
from broker.settings import ROOT
from tests.standin.soap import Fields, Soap

WIDTH, HEIGHT = 100, 40
"""A logo, in pixels."""

GIF = base64.b64decode("R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==")
"""A picture of one pixel, for logos that are no PNG though the specification says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """Answers searches as the service does: what fits, fee-free products too, sorted by numbers, the first rows."""

    catalogue: Catalogue

    def schemes(self, query: RatesQuery, *, most: int, final: bool) -> Soap:
        """Return the answer to a search; `final` adds follow-on rates and payments."""
        return schemes([row(product, final=final) for product in self.first(query, most)])

    def first(self, query: RatesQuery, most: int) -> tuple[RateProduct, ...]:
        sort = SortOrder.FEES if query.sort is SortOrder.FEES else SortOrder.RATE
        rows = select(self.catalogue, replace(query, with_fee_free=True)).rows
        return price_rows(self.catalogue, replace(query, sort=sort), rows)[:most]

    def lender_list(self, *, names: Mapping[int, str]) -> Soap:
        """Return the lenders, some of them under the names given by id."""
        found = sorted(self.catalogue.lenders.values(), key=lambda lender: lender.lender_id)
        named = [(one.lender_id, names.get(one.lender_id, one.name)) for one in found]
        rows = [{"ID": str(lender_id), "Name": name, "ShortName": _short(name)} for lender_id, name in named]
        return Soap(operation="GetLenderList", held="Lenders", row="MBLender", rows=rows)

    def logos(self, ids: list[int], *, data: str | None = None) -> Soap:
        """Return the logos of some lenders: plain colours by id, or `data` for all of them."""
        known = [lender_id for lender_id in dict.fromkeys(ids) if lender_id in self.catalogue.lenders]
        rows = [{"Data": data or logo(lender_id), "LenderID": str(lender_id)} for lender_id in known]
        return Soap(operation="GetLenderLogos", held="Logos", row="MBLenderLogo", rows=rows)

    def best(self, ltv: int, *, most: int) -> dict[int, list[RateProduct]]:
        """Return each lender's first products of each deal type that have a fee, for the default price at an LTV."""
        by_lender: dict[int, list[RateProduct]] = {}
        for kind in DEAL_TYPES:
            query = narrowed(RatesQuery(), kind, ltv=ltv)
            rows = select(self.catalogue, query).rows
            of_lender = Counter[int]()
            places = list[int]()
            for place, lender_id in enumerate(self.catalogue.lender_id[rows].tolist()):
                of_lender[lender_id] += 1
                if of_lender[lender_id] <= most:
                    places.append(place)
            for product in price_rows(self.catalogue, query, rows[places]):
                by_lender.setdefault(product.lender_id, []).append(product)
        return dict(sorted(by_lender.items()))


@cache
def market() -> Market:
    """Return the embedded market, read once; raises CatalogueError."""
    return Market(catalogue=load(ROOT / "data" / "market"))


def schemes(rows: list[dict[str, Any]]) -> Soap:
    return Soap(operation="GetSchemesEx", held="objSchemes", row="MBPublicSchemeSummaryEX", rows=rows)


def row(product: RateProduct, *, final: bool = True) -> dict[str, Any]:
    """Return a product as the service writes it: every value a text, nothing as an empty object."""
    fields: Fields = {
        "APRC": {} if math.isnan(product.aprc) else f"{product.aprc:.4f}",
        "FinalMonthlyPayment": f"{product.follow_on_payment:.2f}",
        "FinalRate": f"{product.follow_on_rate:.4f}",
        "InitialMonthlyPayment": f"{product.initial_payment:.2f}",
        "InitialRate": f"{product.initial_rate:.4f}",
        "InitialRateControlPeriod": str(product.initial_months),
        "LTV": f"{product.most_ltv:.0f}",
        "LenderID": str(product.lender_id),
        "LenderName": product.lender_name,
        "LoanAmount": f"{product.loan_amount:.4f}",
        "NYearCostIncFeesExERC": f"{product.cash_cost:.2f}",
        "Note": product.title,
        "Notes": _notes(product) or {},
        "RateDescription": product.description,
        "RepaymentBasis": "INTEREST_ONLY" if product.interest_only else "REPAYMENT",
        "Term": str(product.term_years),
        "TotalFees": f"{product.total_fees:.2f}",
    }
    return {name: value for name, value in fields.items() if final or not name.startswith("Final")}


def _notes(product: RateProduct) -> str:
    """Return the incentives of a product as lenders write them."""
    offered = product.incentives
    share = offered.overpayment_percent
    said = (
        f"£{offered.cashback:,.0f} cashback on completion" if offered.cashback else "",
        "Free standard valuation" if offered.free_valuation else "",
        "Free standard legal work" if offered.free_legal_work else "",
        f"Overpayments of up to {share:g}% of the balance a year" if share and share < ANY_AMOUNT else "",
        "Portable" if offered.is_portable else "",
        offered.eligibility,
        "No early repayment charge" if product.has_no_charge else "",
    )
    items = "".join(f"<li>{item}</li>" for item in said if item)
    return f"<ul>{items}</ul>" if items else ""


def stated(offered: Incentives) -> Incentives:
    """Return the incentives that the notes of a product state: only what it has."""
    share = offered.overpayment_percent
    return replace(
        offered,
        overpayment_percent=share if share and share < ANY_AMOUNT else None,
        is_portable=offered.is_portable or None,
    )


@cache
def logo(lender_id: int) -> str:
    colour = (lender_id * 53 % 200, lender_id * 97 % 200, lender_id * 31 % 200)
    return base64.encodebytes(png(WIDTH, HEIGHT, colour=colour)).decode("ascii")


def png(width: int, height: int, *, colour: tuple[int, int, int]) -> bytes:
    file = BytesIO()
    Image.new("RGB", (width, height), colour).save(file, "PNG")
    return file.getvalue()


@cache
def photograph(width: int, height: int) -> bytes:
    """Return a JPEG of as many bytes as a camera's, the same at every run: a few of its pixels by chance."""
    few = Image.frombytes("RGB", (width // 4, height // 4), Random(1).randbytes(width // 4 * (height // 4) * 3))
    file = BytesIO()
    few.resize((width, height), Image.Resampling.BICUBIC).save(file, "JPEG", quality=80)
    return file.getvalue()


def _short(name: str) -> str:
    """Return a name as the service shortens it: about twenty characters, `+` for `&`."""
    return name.replace("&", "+").replace("Building Society", "B.Soc")[:20].strip()
