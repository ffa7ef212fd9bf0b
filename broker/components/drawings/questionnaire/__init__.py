"""The drawings on the questionnaire's cards: what an answer means, seen before its words are read.

Each stands on a tile of 48 units, in whole units wherever an edge is upright, so that it is sharp at 48 and 96 pixels.
"""
