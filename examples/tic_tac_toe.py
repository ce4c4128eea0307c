"""
Tic-tac-toe: eight lines, proven
================================

Given all 958 boards on which a game of tic-tac-toe can end, and for each whether x, who began, has
won: which rules explain them best? We know the answer, so this is a test. Does the search find
the eight winning lines, and can it prove that no shorter list is as good?
"""

# %%
# All games
# ---------
#
# ``load_tic_tac_toe`` plays every game and keeps the boards on which one ends.

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from surelist import RuleListClassifier
from surelist.datasets import load_tic_tac_toe
from surelist.plot import plot_rule_list, style

boards = load_tic_tac_toe()
squares = pd.DataFrame(boards.X, columns=boards.feature_names).astype(bool)
print(f"{len(squares)} boards; x has won on {(boards.y == 'yes').sum()} of them")

# %%
# An antecedent may test up to three squares for x, which gives 129 antecedents. A rule costs λ =
# 0.001, about one board.

names = [name for name in boards.feature_names if name.endswith("= x")]
own = squares[names]
model = RuleListClassifier(regularization=0.001, max_clauses=3, certificate=True)
model.fit(own, boards.y)
print(model.rule_list_)

# %%
# Every rule is a line of three, each line occurs once, and the list makes no mistake. The order
# does not matter, because all rules predict the same.

with style("light", "page"):
    plot_rule_list(model, title="Has x won?")

# %%
# The same as a picture:

# sphinx_gallery_thumbnail_number = 2

SQUARES = [name.removesuffix(" = x") for name in names]
with style("light", "page"):
    figure, axes = plt.subplots(1, len(model.rule_list_), figsize=(7, 1.1))
    for ax, rule in zip(axes, model.rule_list_.rules, strict=True):
        asked = {clause.name.removesuffix(" = x") for clause in rule.clauses}
        for place, square in enumerate(SQUARES):
            if square in asked:
                ax.text(place % 3, place // 3, "×", ha="center", va="center", fontsize=16)
        ax.set(xlim=(-0.5, 2.5), ylim=(2.5, -0.5), xticks=[], yticks=[], aspect="equal")
        for edge in (0.5, 1.5):
            ax.axhline(edge, color="0.6", linewidth=1)
            ax.axvline(edge, color="0.6", linewidth=1)
        ax.spines[:].set_visible(False)

# %%
# Proven
# ------
#
# Is there a shorter list, with a clever order of exceptions? No: every list over these
# antecedents has an objective of at least 0.008, that of eight rules without a mistake.

verification = model.certificate_.verify(own, boards.y)
print(verification)
print(f"{model.trace_.counters['expanded']:,} prefixes were enough to see that.")

# %%
# For comparison
# --------------
#
# A decision tree that is grown greedily until it makes no mistake on these boards needs ten times
# as many leaves, and the eight lines cannot be recognised in it.

tree = DecisionTreeClassifier(random_state=0).fit(own, boards.y)
print(f"{tree.score(own, boards.y):.0%} right with {tree.get_n_leaves()} leaves")
