"""A rule list as a picture for Graphviz: rules from the top down, their labels beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from surelist.rule_list.export.values import visible
from surelist.rule_list.rules import Rule

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList

__all__ = ["to_dot"]

_HEAD = """\
digraph rule_list {
  graph [rankdir=TB, nodesep=0.5, ranksep=0.35, bgcolor="transparent"];
  node [fontname="Helvetica", fontsize=11, shape=box, margin="0.15,0.08", \
style="rounded,filled", fillcolor="#ffffff", color="#555555", fontcolor="#111111"];
  edge [fontname="Helvetica", fontsize=10, color="#777777", fontcolor="#777777", arrowsize=0.7];
"""
_LABEL = 'fillcolor="#dce9f7", style="filled"'


def to_dot(rule_list: RuleList) -> str:
    r"""Return the rule list in Graphviz' language.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.export import to_dot
    >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    >>> print(*to_dot(model.rule_list_).splitlines()[4:], sep="\n")
      rule0 [label="(x0)"];
      label0 [label="yes\n5 captured, 100.0% correct", fillcolor="#dce9f7", style="filled"];
      { rank=same; rule0; label0; }
      rule0 -> label0 [label="then"];
      rule0 -> label1 [label="else"];
      label1 [label="no\n5 captured, 100.0% correct", fillcolor="#dce9f7", style="filled"];
    }
    """
    lines = []
    last = len(rule_list.rules)
    for index, rule in enumerate(rule_list.rules):
        clauses = "\\nand ".join(_escape(str(clause)) for clause in rule.clauses)
        following = f"rule{index + 1}" if index + 1 < last else f"label{last}"
        lines += [
            f'  rule{index} [label="{clauses}"];',
            _label(rule, index),
            f"  {{ rank=same; rule{index}; label{index}; }}",
            f'  rule{index} -> label{index} [label="then"];',
            f'  rule{index} -> {following} [label="else"];',
        ]
    lines.append(_label(rule_list.default, last))
    return _HEAD + "\n".join(lines) + "\n}"


def _label(rule: Rule, index: int) -> str:
    record = f"{rule.captured:,} captured"
    if rule.captured:
        record += f", {rule.accuracy:.1%} correct"
    return f'  label{index} [label="{_escape(str(rule.label))}\\n{record}", {_LABEL}];'


def _escape(text: str) -> str:
    # Besides quotes and backslashes, Graphviz reads the entities of HTML in every label.
    text = visible(text).replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("&", "&amp;")
