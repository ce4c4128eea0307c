"""Rule lists in other languages: for people, for other programs, and for databases."""

from surelist.rule_list.export import (
    export,
    to_dot,
    to_json,
    to_latex,
    to_python,
    to_sql,
    to_text,
)

__all__ = [
    "export",
    "to_dot",
    "to_json",
    "to_latex",
    "to_python",
    "to_sql",
    "to_text",
]
