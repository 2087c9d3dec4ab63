"""Errors of the graph, and the writes behind them."""
