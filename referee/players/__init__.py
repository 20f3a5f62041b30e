"""Games played by the computer: many at once, by rules that a test holds to the plain ones."""
