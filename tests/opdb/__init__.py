"""PyTorch's table of operators as a list of questions, put to both libraries."""
