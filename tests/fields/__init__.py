"""Fields of their own: sparse tensors, graphs of programs, masked tensors."""
