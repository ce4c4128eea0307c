"""What an auditor is handed, and how it is checked: bundles, claims in words, differing data."""
