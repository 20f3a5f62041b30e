"""Tests of the rules, without camera, board or server."""
