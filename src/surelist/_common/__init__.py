"""What every room may use: files, scratch folders, messages, strict JSON, limits, progress."""
