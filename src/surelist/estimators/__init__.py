"""What people construct: classifiers, the regularization path, models in files."""
