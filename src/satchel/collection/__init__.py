"""One durable file per collection."""
