"""Bytes out: LED strips."""
