"""How large gradients are on their way through a network, and what the loss computes."""
