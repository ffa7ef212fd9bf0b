"""Processes of `make dev`: a backend that is forked for every edit, and Vite."""
