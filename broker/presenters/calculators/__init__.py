"""How the calculators calculate, as display strings: rates of tax, and published figures beside ours."""
