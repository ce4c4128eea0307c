"""Names that speak of something protected, in several languages; and names that only look so."""

from __future__ import annotations

import pytest

from surelist.inspection.protected import meaning_of


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("personal_status_sex", "sex"),
        ("foreign_worker", "origin"),
        ("age", "age"),
        ("Geschlecht", "sex"),
        ("geschlechtszugehoerigkeit", "sex"),
        ("applicantAge", "age"),
        ("Alter_in_Jahren", "age"),
        ("âge du client", "age"),
        ("sexe", "sex"),
        ("género", "sex"),
        ("NACIONALIDAD", "origin"),
        ("nationalité", "origin"),
        ("etnia", "race"),
        ("religião", "religion"),
        ("Familienstand", "marital status"),
        ("estado_civil", "marital status"),
        ("native-country", "origin"),
        ("race_ethnicity", "race"),
        ("płeć", "sex"),
        ("kjønn", "sex"),
        ("geslacht", "sex"),
        ("возраст", "age"),
        ("性别", "sex"),
        ("客户年龄", "age"),
        ("dob", "age"),
        ("DisabilityStatus", "disability"),
        ("is_pregnant", "pregnancy"),
    ],
)
def test_what_is_protected(name: str, meaning: str | None) -> None:
    assert meaning_of(name) == meaning


@pytest.mark.parametrize(
    "name",
    [
        *("mortgage", "average_pages", "usage", "percentage", "storage", "message", "language_c"),
        *("HouseAge", "account_age", "lap_race", "sextant", "Essex", "trace", "terrace", "brace"),
        *(
            "x1",
            "",
            "priors_count",
            "country",
            "total",
            "wage",
            "gas_station",
            "stage",
            "alternate",
        ),
    ],
)
def test_what_only_looks_so(name: str) -> None:
    assert meaning_of(name) is None
