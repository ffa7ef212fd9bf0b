"""Answers on screen are for the browser that gave them: a tab's token alone, which logs may hold, opens nothing."""

import reflex as rx
from reflex.state import BaseState, StateUpdate

from broker.state.questionnaire import QuestionnaireState, empty_unless_owned


class JourneyAccessCheck(rx.Middleware):
    """Empties the questionnaire of a tab when a socket takes it over without the cookie of its journey."""

    async def preprocess(
        self,
        app: rx.App,  # noqa: ARG002 - Reflex calls with these names
        state: BaseState,
        event: rx.event.Event,  # noqa: ARG002 - Reflex calls with these names
    ) -> StateUpdate | None:
        """Look whose socket this is, before anything is done or told; the event goes on in any case."""
        held = state._get_root_state().substates.get(QuestionnaireState.get_name())
        if isinstance(held, QuestionnaireState):
            empty_unless_owned(held)
        return None
