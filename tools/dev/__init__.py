"""The parts of `make dev`: a front on PORT, a backend that is forked for every edit, and Vite."""
