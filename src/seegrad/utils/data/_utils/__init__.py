"""The parts of the loader: collate functions, fetchers, workers."""
