"""Pictures of stored files."""
