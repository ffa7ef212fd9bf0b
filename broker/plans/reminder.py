"""The reminder to arrange the next deal, as a calendar file (RFC 5545)."""

from datetime import date, datetime, timedelta

from icalendar import Calendar, Event

from broker.lending.days import day_number, days_earlier, months_earlier
from broker.lending.transfer_window import USUAL_WINDOW, TransferWindow
from broker.plans.remortgage import MONTHS_AHEAD


def act_on(end: date, *, today: date, window: TransferWindow = USUAL_WINDOW) -> date:
    """Return the day on which to arrange the next deal: the first window that has not opened; today if both have."""
    number, switch = day_number(end), months_earlier(day_number(end), MONTHS_AHEAD)
    book = days_earlier(months_earlier(number, window.months), window.days)
    ahead = [day for day in (switch, book) if day > day_number(today)]
    first = min(ahead, default=day_number(today))
    return date(first // 10_000, first // 100 % 100, first % 100)


def reminder(end: date, *, now: datetime, address: str, firm: str, window: TransferWindow = USUAL_WINDOW) -> str:
    """Return a calendar file with an event of a whole day: when to arrange the next deal, as one ends on `end`.

    `window` is that of the present lender, `address` that of the plan. The file has no data of the visitor but the
    date and what the address says.
    """
    day, host = act_on(end, today=now.date(), window=window), address.partition("://")[2].partition("/")[0]
    own, last_day = "" if window == USUAL_WINDOW else f" {window.words}", f"{end.day} {end:%B %Y}"
    ahead = f"ends on {last_day}. Most lenders let you arrange the next one from six months before.{own}"
    over = f"ended on {last_day}. You can arrange the next one now."
    text = f"Your mortgage deal {over if end < now.date() else ahead} Work out your plan: {address}"
    event = Event()
    event.add("uid", f"deal-ends-{end.isoformat()}@{host}")
    event.add("dtstamp", now)
    event.add("dtstart", day)
    event.add("dtend", day + timedelta(1))
    event.add("summary", "Arrange your next mortgage deal")
    event.add("description", text)
    event.add("url", address)
    event.add("transp", "TRANSPARENT")
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", f"-//{firm}//Remortgage plan//EN")
    calendar.add_component(event)
    return calendar.to_ical().decode()
