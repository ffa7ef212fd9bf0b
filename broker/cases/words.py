"""Words of stages, outcomes, services and sources for staff, and whom a case waits for."""

from collections.abc import Mapping

from broker.cases.case import EnquirySummary, Outcome, Service, Source, Stage, WaitingFor
from broker.enquiries.enquiry import EnquiryState

STAGE_WORDS: Mapping[Stage, str] = {
    Stage.ENQUIRY: "Enquiry",
    Stage.ADVICE: "Advice",
    Stage.PRINCIPLE: "In principle",
    Stage.APPLICATION: "Application",
    Stage.VALUATION: "Valuation",
    Stage.OFFER: "Offer",
    Stage.EXCHANGE: "Exchange",
    Stage.COMPLETION: "Completion",
    Stage.REVIEW: "Review",
}

WAITING_WORDS: Mapping[WaitingFor, str] = {
    WaitingFor.US: "us",
    WaitingFor.CLIENT: "the client",
    WaitingFor.LENDER: "the lender",
    WaitingFor.SOLICITOR: "the solicitor",
    WaitingFor.VALUER: "the valuer",
}
"""After "Waiting for"."""

OUTCOME_WORDS: Mapping[Outcome, str] = {
    Outcome.REACHED: "Reached",
    Outcome.NO_ANSWER: "No answer",
    Outcome.APPOINTMENT: "Appointment",
    Outcome.ADVICE_GIVEN: "Advice given",
    Outcome.APPLICATION: "Application",
    Outcome.OFFER: "Offer",
    Outcome.COMPLETED: "Completed",
    Outcome.NOT_NOW: "Not now",
    Outcome.NOT_OURS: "Not ours",
}
"""In the order of the keys 1 to 9."""

SERVICE_WORDS: Mapping[Service, str] = {
    Service.FIRST_HOME: "First home",
    Service.MOVING: "Moving",
    Service.REMORTGAGE: "Remortgage",
    Service.LANDLORD: "Buy to let",
    Service.OTHER: "Not said",
}

SOURCE_WORDS: Mapping[Source, str] = {
    Source.RATES: "Rates",
    Source.PLANS: "Plans",
    Source.GUIDES: "Guides",
    Source.TOWNS: "Towns",
    Source.CALCULATORS: "Calculators",
    Source.CONTACT: "Contact page",
    Source.QUESTIONNAIRE: "Questionnaire",
    Source.WATCH: "Watch",
    Source.TELEPHONE: "Telephone",
    Source.OTHER: "Other pages",
}


def action_words(head: EnquirySummary) -> str:
    """Return what is to be done next, which for a new enquiry is the promised call; empty for nothing."""
    return head.next_action or ("First call" if head.state is EnquiryState.NEW else "")
