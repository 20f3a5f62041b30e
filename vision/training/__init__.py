"""How the small nets in vision/models were made."""
