"""A rule list in a notebook: a table that can be read on light and on dark pages.

Colours are mixed from the page's own text colour, so it need not know what the page looks like.
Styles stand in the tags themselves because notebooks may remove style sheets.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from surelist._common.messages import counted
from surelist._common.text_tables import HtmlCell, html_table
from surelist.rule_list.rules import Rule
from surelist.tables.regularization import text

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList

__all__ = ["rule_list_html"]

_TABLE = "border-collapse: collapse; border: 0; color: inherit; background: transparent; margin: 0"
_HEAD = "padding: 4px 12px; font-weight: 600; border: 0; border-bottom: 1px solid currentColor"
_CELL = (
    "padding: 5px 12px; border: 0; border-bottom: 1px solid rgba(128, 128, 128, 0.35); "
    "background: transparent; vertical-align: top"
)
_RULE = "text-align: left; min-width: 16em; max-width: 48em; white-space: normal"
_NUMBER = "text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums"
_WORD = "opacity: 0.65"
_LABEL = (
    "text-align: left; white-space: nowrap; font-weight: 600; max-width: 20em; "
    "overflow: hidden; text-overflow: ellipsis"
)
_BAR = "height: 3px; margin-top: 3px; min-width: 4em; background: rgba(128, 128, 128, 0.3)"
_NOTE = "caption-side: bottom; text-align: left; padding: 6px 12px; opacity: 0.75; color: inherit"


def rule_list_html(rule_list: RuleList) -> str:
    """Return the rule list as an HTML table with what each rule captured in training."""
    titles = (("rule", "left"), ("predict", "left"), ("captured", "right"), ("correct", "right"))
    head = [
        HtmlCell(title, f'style="{_HEAD}; text-align: {side}" scope="col"')
        for title, side in titles
    ]
    rows = [
        _row(rule, index, rule_list.total_weight) for index, rule in enumerate(rule_list.all_rules)
    ]
    return html_table(
        head,
        rows,
        attributes=f'class="surelist-rule-list" style="{_TABLE}"',
        caption=HtmlCell(escape(_note(rule_list)), f'style="{_NOTE}"'),
    )


def _row(rule: Rule, index: int, total: int) -> list[HtmlCell]:
    share = rule.captured / total
    captured = f'<span style="{_WORD}">{share:.1%}</span>&ensp;{rule.captured:,}{_bar(share)}'
    return [
        _cell(f'<code style="{_code()}">{_condition(rule, index)}</code>', _RULE),
        _cell(escape(str(rule.label)), _LABEL),
        _cell(captured, _NUMBER),
        _cell(_correct(rule), _NUMBER),
    ]


def _cell(html: str, style: str) -> HtmlCell:
    return HtmlCell(html, f'style="{_CELL}; {style}"')


def _code() -> str:
    return "background: transparent; color: inherit; padding: 0; white-space: pre-wrap"


def _condition(rule: Rule, index: int) -> str:
    def word(text: str) -> str:
        return f'<span style="{_WORD}">{text}</span>'

    if rule.antecedent is None:
        return word("else" if index else "always")
    clauses = f" {word('and')} ".join(escape(str(clause)) for clause in rule.clauses)
    return f"{word('else if' if index else 'if')} {clauses}"


def _correct(rule: Rule) -> str:
    return f"{rule.accuracy:.1%}{_bar(rule.accuracy)}" if rule.captured else "—"


def _bar(share: float) -> str:
    fill = f"height: 3px; width: {share:.1%}; background: currentColor; opacity: 0.6"
    return f'<div style="{_BAR}"><div style="{fill}"></div></div>'


def _note(rule_list: RuleList) -> str:
    rules = counted(len(rule_list), "rule")
    cost = float(sum(rule.cost for rule in rule_list.rules))
    return (
        f"{rules}, objective {float(rule_list.objective):.6g} = loss {float(rule_list.loss):.6g}"
        f" + {cost:.6g} × λ, where λ = {text(rule_list.regularization)}"
    )
