"""What optimizers hold and do, and why weights stand still."""
