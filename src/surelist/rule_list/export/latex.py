"""A rule list as a LaTeX table that compiles with any engine and without packages.

Names may hold anything. What TeX takes for a command is escaped, letters with common accents are
spelt with TeX's own accents, and any other character stands inside a small macro that shows it
where the engine has fonts for it and its code point where not.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from surelist.rule_list.export.values import visible
from surelist.rule_list.rules import Rule

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList

__all__ = ["to_latex"]

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    '"': r"{\ttfamily\char34}",
    "`": r"{\ttfamily\char96}",
    # Two of these in a row would be joined to one sign.
    "-": "-{}",
    "'": "'{}",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "µ": r"$\mu$",
    "λ": r"$\lambda$",
    "…": r"\ldots{}",
    "–": "--{}",
    "—": "---{}",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "\u00a0": "~",
}
_ACCENTS = {
    "\u0300": "\\`",
    "\u0301": r"\'",
    "\u0302": r"\^",
    "\u0303": r"\~",
    "\u0304": r"\=",
    "\u0306": r"\u",
    "\u0307": r"\.",
    "\u0308": r"\"",
    "\u030a": r"\r",
    "\u030b": r"\H",
    "\u030c": r"\v",
    "\u0327": r"\c",
}
_MACRO = (
    r"\providecommand*{\surelistchar}[2]"
    r"{\ifdefined\Umathcode #1\else\texttt{[U+#2]}\fi}"
)


def to_latex(rule_list: RuleList, *, counts: bool = True) -> str:
    r"""Return the rule list as a LaTeX ``tabular``, to be put into a document or a ``table``.

    Parameters
    ----------
    rule_list : RuleList
    counts : bool, default=True
        Whether to show what each rule captured in training, and how much of that correctly.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.export import to_latex
    >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    >>> print(to_latex(model.rule_list_, counts=False))
    \begin{tabular}{@{}l@{}}
    \textbf{if} (x0) \textbf{then predict}~yes \\
    \textbf{else predict}~no \\
    \end{tabular}
    """
    rows = [_row(rule, index, counts) for index, rule in enumerate(rule_list.all_rules)]
    if counts:
        lines = [
            r"\begin{tabular}{@{}p{0.68\linewidth}rr@{}}",
            r"\hline",
            r"rule & captured & correct \\",
            r"\hline",
            *rows,
            r"\hline",
            r"\end{tabular}",
        ]
    else:
        lines = [r"\begin{tabular}{@{}l@{}}", *rows, r"\end{tabular}"]
    if any(r"\surelistchar{" in row for row in rows):
        lines.insert(0, _MACRO)
    return "\n".join(lines)


def _row(rule: Rule, index: int, counts: bool) -> str:
    label = escape(str(rule.label))
    start = r"\raggedright\hangindent=1.5em " if counts else ""
    if rule.antecedent is None:
        text = rf"\textbf{{{'else predict' if index else 'predict'}}}~{label}"
    else:
        clauses = r" \textbf{and} ".join(escape(str(clause)) for clause in rule.clauses)
        word = "else if" if index else "if"
        text = rf"\textbf{{{word}}} {clauses} \textbf{{then predict}}~{label}"
    if not counts:
        return rf"{text} \\"
    captured = f"{rule.captured:,}".replace(",", r"\,")
    correct = rf"{100 * rule.accuracy:.1f}\,\%" if rule.captured else "---"
    return rf"{start}{text} & {captured} & {correct} \\"


def escape(text: str) -> str:
    r"""Return text as TeX has to be given it to show it.

    Examples
    --------
    >>> from surelist.rule_list.export.latex import escape
    >>> print(escape("50 % café_1"))
    50 \% caf\'{e}\_1
    """
    return "".join(map(_character, unicodedata.normalize("NFC", visible(text))))


def _character(char: str) -> str:
    if char in _SPECIAL:
        return _SPECIAL[char]
    if char.isascii():
        return char
    parts = unicodedata.normalize("NFD", char)
    letter, accent = parts[0], parts[1:]
    if accent in _ACCENTS and letter.isascii() and letter.isalpha():
        return f"{_ACCENTS[accent]}{{{letter}}}"
    return rf"\surelistchar{{{char}}}{{{ord(char):04X}}}"
