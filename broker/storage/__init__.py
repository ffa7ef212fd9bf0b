"""What survives a restart: the last good answers of the live feed."""
