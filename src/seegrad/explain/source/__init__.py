"""The user's program as text and as frames: what its lines say about values."""
