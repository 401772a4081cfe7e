"""Laws that are combined of several contexts': what is read of them, and what is drawn from."""
