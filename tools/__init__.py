"""What makes things that this repository holds. Nothing of it is in the wheel."""
