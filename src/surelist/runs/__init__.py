"""One run, as the command line and the page both describe it: rows, settings, parameters."""
