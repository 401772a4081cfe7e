"""What a filter is, and the one that is a constraint. Those that users make are in `outlines_cont/filters`."""
