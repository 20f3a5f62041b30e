"""Tests of referee/players."""
