"""pycorels and CORELS: their interface, their rule lists, their text files."""
