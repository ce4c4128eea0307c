"""Rule lists in other languages: for people, for other programs, and for databases.

========  ==========================================================  ===================
format    what it is                                                  function
========  ==========================================================  ===================
text      ``if … then predict … else …``, as it prints                `to_text`
json      exact and versioned; `RuleList.from_dict` reads it          `to_json`
latex     a table that compiles without packages                      `to_latex`
python    a function of one row, without dependencies                 `to_python`
sql       a CASE expression, for SQLite, DuckDB and standard SQL      `to_sql`
dot       a picture, for Graphviz                                     `to_dot`
========  ==========================================================  ===================

Whatever stands in a name or a label stays text there, quoted or escaped as the language wants.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.rule_list.export.dot import to_dot
from surelist.rule_list.export.latex import to_latex
from surelist.rule_list.export.python import to_python
from surelist.rule_list.export.sql import to_sql
from surelist.rule_list.json import rule_list_to_dict

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList

__all__ = ["export", "to_dot", "to_json", "to_latex", "to_python", "to_sql", "to_text"]


def export(model: Any, format: str = "text", **options: Any) -> str:  # noqa: A002
    """Return a rule list, or that of a fitted model, in another language.

    Parameters
    ----------
    model : RuleList or fitted RuleListClassifier
    format : str, default="text"
        "text", "json", "latex", "python", "sql" or "dot".
    **options
        What the function of that format takes.

    Raises
    ------
    InputError
        For a format or an option that is not known, and for names or labels that the language has
        no way to write.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.export import export
    >>> print(export(RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)))
    if (x0) then predict yes
    else predict no
    """
    function = _FORMATS.get(format) if isinstance(format, str) else None
    if function is None:
        names = ", ".join(map(repr, _FORMATS))
        raise InputError(f"format must be one of {names}; got {shown(format)}")
    known = set(function.__kwdefaults__ or ())
    for name in options:
        if name not in known:
            allowed = f"it takes {', '.join(sorted(known))}" if known else "it takes none"
            raise InputError(f"the format {format!r} has no option {name!r}; {allowed}")
    return str(function(getattr(model, "rule_list_", model), **options))


def to_text(rule_list: RuleList) -> str:
    """Return the rule list as it prints.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.export import to_text
    >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    >>> print(to_text(model.rule_list_))
    if (x0) then predict yes
    else predict no
    """
    return str(rule_list)


def to_json(rule_list: RuleList, *, indent: int | None = 2) -> str:
    """Return the rule list as JSON, from which it comes back exactly.

    Parameters
    ----------
    rule_list : RuleList
    indent : int or None, default=2
        Spaces for each level; None for one line.

    Examples
    --------
    >>> import json
    >>> from surelist import RuleList, RuleListClassifier
    >>> from surelist.export import to_json
    >>> rule_list = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5).rule_list_
    >>> RuleList.from_dict(json.loads(to_json(rule_list))) == rule_list
    True
    """
    return json.dumps(rule_list_to_dict(rule_list), indent=indent, allow_nan=False)


_FORMATS = {
    "text": to_text,
    "json": to_json,
    "latex": to_latex,
    "python": to_python,
    "sql": to_sql,
    "dot": to_dot,
}
