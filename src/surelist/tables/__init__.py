"""Any table into columns, labels and weights: data frames, arrays, files."""
