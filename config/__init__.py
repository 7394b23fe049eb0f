"""Wiring. Kept empty: config.stack runs before anything is installed."""
