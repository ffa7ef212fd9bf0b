"""The services of the page of duties."""

from dataclasses import dataclass

from broker.duties.complaints import ComplaintService
from broker.duties.needs import NeedsService
from broker.duties.people import PersonService
from broker.duties.promotions import PromotionService
from broker.duties.retention_rules import RetentionRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Duties:
    complaints: ComplaintService
    people: PersonService
    promotions: PromotionService
    needs: NeedsService
    rules: tuple[RetentionRule, ...]
