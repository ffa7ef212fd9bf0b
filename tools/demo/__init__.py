"""Makes a state folder with a firm that is made up, to try the desk with: `make demo`."""
