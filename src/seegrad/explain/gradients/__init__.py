"""Why a gradient is None, zero or lacks a part."""
