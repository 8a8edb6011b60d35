"""The parts of the conversation screen, one small module a part."""
