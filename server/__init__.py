"""Puts everything together: the table, its journal, the pages and the command line."""
