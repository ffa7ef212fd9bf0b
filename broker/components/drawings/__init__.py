"""The site's drawings: SVG made from a slug, always the same for the same slug, by the standard library alone.

Five motifs: streets, doors, fanlights, path tiles and the mark; then lenders' monograms, icons and questionnaire cards.
"""
