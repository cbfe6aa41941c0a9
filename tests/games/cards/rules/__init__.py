"""The chapters of Cards."""
