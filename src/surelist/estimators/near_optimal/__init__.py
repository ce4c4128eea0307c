"""Every rule list that is nearly as good as the best one, and what they have in common."""
