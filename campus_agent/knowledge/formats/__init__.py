"""One small module a format: the text of a document in, passages and problems out."""
