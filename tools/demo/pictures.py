"""Logos that are drawn here: plain shapes with the first letter of a lender, plainly made up."""

from io import BytesIO
from random import Random

from PIL import Image, ImageDraw

_COLOURS = ("#14525A", "#8C4A14", "#3C8C94", "#8A2C55", "#5B6B2E", "#3B4A8C")
_SIZE = (200, 80)


def logo(random: Random, name: str, *, width: int = 200) -> bytes:
    """Return a PNG: a shape of a colour beside the letters of a name."""
    colour = random.choice(_COLOURS)
    image = Image.new("RGB", _SIZE, "white")
    draw = ImageDraw.Draw(image)
    box = (8, 8, 72, 72)
    shape = random.randrange(3)
    if shape == 0:
        draw.ellipse(box, fill=colour)
    elif shape == 1:
        draw.rounded_rectangle(box, radius=14, fill=colour)
    else:
        draw.polygon(((40, 6), (74, 72), (6, 72)), fill=colour)
    draw.text((40, 46), name[:1], fill="white", font_size=30, anchor="mm")
    draw.text((84, 40), name.split(maxsplit=1)[0][:9], fill=colour, font_size=22, anchor="lm")
    data = BytesIO()
    image.resize((width, width * _SIZE[1] // _SIZE[0])).save(data, format="PNG")
    return data.getvalue()
