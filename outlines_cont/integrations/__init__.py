"""Other people's loops and jobs; each module needs its library, and says so where that is missing."""
