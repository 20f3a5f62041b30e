"""The pages in a real browser, against a table that follows a script."""
