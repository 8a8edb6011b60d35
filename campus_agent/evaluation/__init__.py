"""Golden cases: questions with what has to come of them, played against any model, and the report."""
