"""Where things are: drawings of boards, printable sheets, the geometry of camera and board."""
