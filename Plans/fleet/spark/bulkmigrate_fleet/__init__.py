"""Runs a fleet of bulkmigrate on Spark: see README.md."""
