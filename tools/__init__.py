"""What makes things that this repository holds, and its site. Nothing of it is in the wheel."""
