"""What a graph holds, and who holds the graph."""
