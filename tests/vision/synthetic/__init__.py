"""The simulated table: what it shows agrees with what it says, and its people play fair."""
