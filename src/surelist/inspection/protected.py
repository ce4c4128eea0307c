"""Columns that may be about what the law protects: age, sex, origin, faith and the like.

Guessed from the words in the name, in several languages. It is a suggestion and no more: a name
says neither what a column holds nor which law applies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from surelist.inspection.finding import Finding
from surelist.inspection.words import words_of

__all__ = ["find_protected", "meaning_of"]

# Whole words, without accents. Languages: English, German, French, Spanish, Italian, Portuguese,
# Dutch, Polish, Swedish, Danish, Turkish; Russian, Chinese and Japanese in their own scripts.
_WORDS = {
    "sex": "sex sexe sexo sesso gender genero genre geslacht geschlecht plec kon koen kjonn "
    "cinsiyet male female mann frau homme femme hombre mujer пол",
    "age": "age alter edad eta idade leeftijd wiek alder aldersgruppe yas возраст",
    "race": "race races ethnicity ethnie raza etnia razza raca ras rasa irk etnik раса",
    "origin": "nationality citizenship immigrant immigration migrant foreign foreigner alien "
    "birthplace nationalite nacionalidad nazionalita nacionalidade nationaliteit herkunft "
    "staatsangehorigkeit auslander extranjero etranger straniero estrangeiro гражданство",
    "religion": "religion religious faith church konfession glaube religione religia religie "
    "religiao religioso din вера религия",
    "marital status": "marital marriage married divorced widowed spouse familienstand verheiratet "
    "zivilstand matrimonial civil_status estadocivil nubile celibataire burgerlijke stan_cywilny",
    "disability": "disability disabled handicap handicapped behinderung schwerbehindert "
    "discapacidad disabilita deficiencia niepelnosprawnosc",
    "pregnancy": "pregnant pregnancy schwanger schwangerschaft enceinte grossesse embarazo "
    "gravidanza gravidez zwanger",
    "politics": "political partei politique politica",
    "orientation": "lgbt lgbtq homosexual heterosexual",
    "skin colour": "complexion hautfarbe",
    "language": "muttersprache mothertongue",
    "veteran status": "veteran",
    "caste": "caste casta",
}
# How longer words begin that mean the same.
_BEGINNINGS = {
    "geschlecht": "sex",
    "ethni": "race",
    "racial": "race",
    "nationalit": "origin",
    "staatsang": "origin",
    "immigra": "origin",
    "migration": "origin",
    "religi": "religion",
    "disab": "disability",
    "behinder": "disability",
    "schwerbehind": "disability",
    "pregnan": "pregnancy",
    "schwanger": "pregnancy",
    "altersgr": "age",
    "familienst": "marital status",
}
# Two words that mean it together.
_PAIRS = {
    ("personal", "status"): "marital status",
    ("civil", "status"): "marital status",
    ("estado", "civil"): "marital status",
    ("etat", "civil"): "marital status",
    ("stato", "civile"): "marital status",
    ("native", "country"): "origin",
    ("country", "birth"): "origin",
    ("place", "birth"): "origin",
    ("skin", "color"): "skin colour",
    ("skin", "colour"): "skin colour",
    ("sexual", "orientation"): "orientation",
    ("date", "birth"): "age",
    ("birth", "year"): "age",
    ("mother", "tongue"): "language",
}
_SIGNS = {
    "性别": "sex",
    "性別": "sex",
    "年龄": "age",
    "年齢": "age",
    "年齡": "age",
    "民族": "race",
    "种族": "race",
    "人種": "race",
    "国籍": "origin",
    "宗教": "religion",
    "婚姻": "marital status",
}
_WHOLE = {"dob": "age", "birthdate": "age", "birthyear": "age", "geburtsdatum": "age"}

# Things that have an age, an origin or a race without being people.
_THINGS = frozenset(
    {
        *("house", "housing", "home", "building", "property", "account", "loan", "credit", "card"),
        *("car", "vehicle", "company", "firm", "stand", "tree", "device", "machine", "policy"),
        *("contract", "file", "horse", "lap", "time", "ad", "page", "image"),
    }
)
_OF_THINGS = frozenset({"age", "origin", "race"})

_BY_WORD = {word: meaning for meaning, words in _WORDS.items() for word in words.split()} | _WHOLE


def find_protected(names: Iterable[str]) -> Iterator[Finding]:
    """Yield a suggestion for each column whose name speaks of something that may be protected."""
    for name in names:
        meaning = meaning_of(name)
        if meaning is not None:
            yield Finding(
                "protected",
                name,
                f"{name} may be about {meaning}, by its name. Should rules ask about it? If not, "
                "leave it out, and compare error rates between its groups.",
                {"meaning": meaning},
            )


def meaning_of(name: str) -> str | None:
    """Return what a column may be about that is protected; None where its name says nothing.

    Examples
    --------
    >>> from surelist.inspection.protected import meaning_of
    >>> [meaning_of(name) for name in ("personal_status_sex", "Geschlecht", "âge", "mortgage")]
    ['sex', 'sex', 'age', None]
    """
    for sign, meaning in _SIGNS.items():
        if sign in name:
            return meaning
    words = words_of(name)
    about_things = bool(_THINGS & set(words))
    for meaning in _guesses(words):
        if not (about_things and meaning in _OF_THINGS):
            return meaning
    return None


def _guesses(words: tuple[str, ...]) -> Iterator[str]:
    for word in words:
        if word in _BY_WORD:
            yield _BY_WORD[word]
    for word in words:
        yield from (meaning for start, meaning in _BEGINNINGS.items() if word.startswith(start))
    held = set(words)
    yield from (meaning for pair, meaning in _PAIRS.items() if held.issuperset(pair))
