"""Drawings that follow from the content and the lenders: SVG made from a slug, always the same for the same slug.

Every other drawing is a file of `assets/art/`.
"""
