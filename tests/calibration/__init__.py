"""Layouts, drawings and what comes out of the printer."""
