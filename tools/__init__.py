"""What `make` calls: set up, build, serve, measure. Any other Python than 3.11 ends here with a sentence."""

import sys

if sys.version_info[:2] != (3, 11):
    sys.exit(
        f"This project needs Python 3.11, and this is {sys.version.split()[0]}: install it, or name it, "
        "as in `make run PYTHON=/path/to/python3.11`."
    )
