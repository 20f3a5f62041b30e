"""The server, through its real doors."""
