"""The certified optimum for every λ, and the least loss of each length."""
