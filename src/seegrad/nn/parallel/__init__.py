"""Modules on several devices, of which there is one."""

from seegrad.nn.parallel.data_parallel import DataParallel, data_parallel

__all__ = ["DataParallel", "data_parallel"]
