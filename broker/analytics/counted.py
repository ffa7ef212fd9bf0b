"""What is counted: kinds of pages and of what visitors do, never an address, a visitor or what somebody typed."""

from enum import StrEnum


class Counted(StrEnum):
    """The name of a count, as it is stored and shown; at most 40 characters."""

    HOME = "page: home"
    SERVICE = "page: service"
    DEALS = "page: best deals"
    RATES = "page: rates search"
    LENDER = "page: lenders"
    GUIDE = "page: guides"
    TOWN = "page: towns"
    CALCULATOR = "page: calculators"
    PLAN = "page: plans"
    RATE_HISTORY = "page: rate history"
    QUESTION = "page: questionnaire"
    CONTACT = "page: contact"
    OTHER = "page: any other"
    SEARCH = "rates search"
    PLAN_ANSWERED = "plan with figures"
    PDF = "PDF"
    QUESTIONNAIRE_STARTED = "questionnaire: started"
    QUESTIONNAIRE_FINISHED = "questionnaire: finished"
    CALLBACK = "enquiry: call"
    MESSAGE = "enquiry: message"
    QUESTIONNAIRE = "enquiry: questionnaire"
    APPOINTMENT_BOOKED = "appointment: booked"
    APPOINTMENT_MOVED = "appointment: moved"
    APPOINTMENT_CANCELLED = "appointment: cancelled"
