"""The states below `StaffState`, each made when it is first asked for."""

from reflex.state import BaseState


class LazySubstates(dict[str, BaseState]):
    """The states below one by name: tabs of visitors ask for none, and hold 3 kB less."""

    __slots__ = ("_parent",)

    def __init__(self, parent: BaseState) -> None:
        super().__init__()
        self._parent = parent

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a state, made or not."""
        return any(name == each.get_name() for each in self._parent.get_substates())

    def __missing__(self, name: str) -> BaseState:
        """Return a state that was not made before; raises KeyError."""
        for each in self._parent.get_substates():
            if each.get_name() == name:
                self[name] = each(parent_state=self._parent, _reflex_internal_init=True)
                return self[name]
        raise KeyError(name)

    def make_all(self) -> None:
        for each in self._parent.get_substates():
            self[each.get_name()]
