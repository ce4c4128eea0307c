"""
Medicine: mistakes that cost different amounts
==============================================

Is a tumour malignant? The 569 cases of the Wisconsin breast cancer study come with scikit-learn,
with thirty measurements of cell nuclei each. Overlooking a malignant tumour is worse than a false
alarm. A cost matrix says how much worse, and the search finds the list that is best *at these
costs*, with a proof.
"""

# %%
# Three tenths of the cases are held back.

from sklearn.datasets import load_breast_cancer
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split

from surelist import Binarizer, RuleListClassifier
from surelist.plot import plot_confusion_by_rule, plot_rule_list, style

X, malignant = load_breast_cancer(return_X_y=True, as_frame=True)
y = malignant.map({0: "malignant", 1: "benign"})
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)

# %%
# All mistakes alike
# ------------------

# Thirty measurements: more features than the 28 of the default.
binarizer = Binarizer(max_features=40)
plain = RuleListClassifier(regularization=0.02, binarizer=binarizer).fit(X_train, y_train)
print(plain.rule_list_)
print(f"{plain.status_}; {plain.score(X_test, y_test):.1%} of the tumours held back are right")

# %%
# One rule is enough. But which mistakes does it make? On the tumours held back:

classes = ["benign", "malignant"]
plain_table = confusion_matrix(y_test, plain.predict(X_test), labels=classes)
print(f"{plain_table[1, 0]} malignant tumours overlooked, {plain_table[0, 1]} false alarms")

# %%
# Overlooking is five times as bad
# --------------------------------
#
# Only a cost matrix is added. It says what it costs to predict *benign* for a tumour that is
# *malignant*; every other mistake costs 1. Costs are exact numbers in the search, and the optimum
# is certified like any other.

careful = RuleListClassifier(
    regularization=0.02,
    binarizer=binarizer,
    cost_matrix={"malignant": {"benign": 5}},
    certificate=True,
)
careful.fit(X_train, y_train)
print(careful.rule_list_)
print(careful.certificate_.verify(X_train, y_train))

# %%
# The list is longer now, and predicts *malignant* more readily.

with style("light", "page"):
    plot_rule_list(careful, title="Is this tumour benign?")

# %%
# On the tumours held back it overlooks fewer, at the price of more false alarms. That is what the
# costs asked for. Whether they are the right costs is for a physician to decide.

careful_table = confusion_matrix(y_test, careful.predict(X_test), labels=classes)
print(f"{careful_table[1, 0]} malignant tumours overlooked, {careful_table[0, 1]} false alarms")

# %%
# Which rule makes the mistakes? Rows are rules, columns are true classes, and numbers outside the
# frames are mistakes.

with style("light", "page"):
    plot_confusion_by_rule(careful, X_test, y_test)

# %%
# One patient
# -----------
#
# A prediction names the rule that made it, and how often that rule was right in training.

patient = X_test.iloc[[0]]
print(careful.explain(patient)[0])

# %%
# A warning: 398 cases are few, and a list that is optimal on them may fit their noise. Its accuracy
# is lower on the cases held back than in training.

shares = careful.score(X_train, y_train), careful.score(X_test, y_test)
print(f"{shares[0]:.1%} in training, {shares[1]:.1%} held back")
