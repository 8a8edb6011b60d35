"""What `campus-agent doctor` looks at: the server, the clock, the knowledge base, the terminal."""
