"""What a search proves, in a file that `surelist.checker` checks without the search."""
