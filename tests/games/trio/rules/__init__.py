"""The chapters of Trio."""
