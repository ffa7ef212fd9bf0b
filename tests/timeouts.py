"""How long tests wait for a server of their own."""

ANSWER_TIMEOUT = 60.0
"""Seconds for an answer over HTTP: passwords are hashed slowly by design, ten times as slowly on a busy machine."""
