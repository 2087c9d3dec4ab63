"""The table of derivatives: one formula an operator, and nothing else."""
