"""A table that renders itself. It takes orders and knows nothing of the reader."""
