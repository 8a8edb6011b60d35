"""A base in PostgreSQL: the same passages and weights as in memory, for any number of readers."""
