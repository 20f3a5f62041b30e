"""Simulated controllers, able to misbehave to order."""
