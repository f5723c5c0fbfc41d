"""Speed and memory, always as ratios to a peer measured in the same run."""
