"""The drawing of each subject of guides, many of them those of the questionnaire's cards."""

from collections.abc import Callable, Mapping

from broker.components.drawings.guides import openings, things
from broker.components.drawings.questionnaire import homes, money, papers, people
from broker.components.drawings.shapes import Shape
from broker.domain.guide_subjects import GuideSubject

MOTIFS: Mapping[GuideSubject, Callable[[], list[Shape]]] = {
    GuideSubject.BALANCE: things.balance,
    GuideSubject.CALENDAR: papers.calendar_near,
    GuideSubject.CASE: people.briefcase,
    GuideSubject.DOORS: openings.doors,
    GuideSubject.FANLIGHT: openings.fanlight,
    GuideSubject.FEES: money.coins_on_house,
    GuideSubject.FLATS: homes.flat,
    GuideSubject.GIFT: things.gift,
    GuideSubject.KEY: people.first_key,
    GuideSubject.LEAF: things.leaf,
    GuideSubject.LEASE: papers.scroll,
    GuideSubject.LETTING: homes.to_let,
    GuideSubject.LIFEBUOY: things.lifebuoy,
    GuideSubject.NEWBUILD: homes.new_build,
    GuideSubject.NOTES: money.banknotes,
    GuideSubject.PAPERS: papers.signed_paper,
    GuideSubject.PERCENT: openings.percent,
    GuideSubject.SAVINGS: money.piggy_bank,
    GuideSubject.STEPS: money.stairs_down,
    GuideSubject.SURVEY: homes.magnifier,
    GuideSubject.SWITCH: homes.loop_house,
    GuideSubject.TICK: papers.tick,
    GuideSubject.TOOLS: people.toolbox,
    GuideSubject.UMBRELLA: things.umbrella,
    GuideSubject.VAN: homes.removal_van,
}

BELOW = {GuideSubject.CALENDAR: 2, GuideSubject.PAPERS: 5, GuideSubject.SWITCH: 2, GuideSubject.TICK: 4}
"""Units by which a drawing reaches below the floor of its square; it is lifted onto the pavement."""
