"""The settings of the environment, for tools: a bad one ends a tool with its sentence."""

from broker.settings import Settings, SettingsError, read_settings
from tools.project import ToolError


def load_settings() -> Settings:
    """Return the settings of the environment; raises ToolError with the sentence of a bad one."""
    try:
        return read_settings()
    except SettingsError as error:
        raise ToolError(str(error)) from error
