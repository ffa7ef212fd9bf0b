"""The site's own drawings: a slug goes in, an SVG comes out, and the same slug always draws the same picture.

Five motifs, one job each: streets, doors, fanlights, path tiles and the mark; beside them lenders' monograms,
the icons, and what the cards of the questionnaire show. Everything here is pure standard library, so that a build
or a test can draw without a browser.
"""
