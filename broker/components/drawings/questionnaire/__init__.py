"""Drawings of the questionnaire's cards, which show what an answer means.

Each has a tile of 48 units, and straight edges on whole units, so that it is sharp at 48 and 96 pixels.
"""
