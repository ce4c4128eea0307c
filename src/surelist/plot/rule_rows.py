"""Layout of a drawn rule list: everything is measured, in points, before it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from surelist.plot.text import font, share, text_width, wrap
from surelist.rule_list.rule_list import Rule, RuleList

__all__ = ["Layout", "Row", "arrange"]

# In units of the font size.
_LINE = 1.35
_PADDING = 0.45
_GAP = 0.9
_BAR = 0.95


@dataclass(frozen=True)
class Row:
    """A rule and its place. Distances are in points, from the top left corner."""

    rule: Rule
    condition: tuple[str, ...]
    prediction: tuple[str, ...]
    captured: tuple[str, ...]
    share: float
    before: float
    """Share of all weight that reaches this rule."""
    top: float
    height: float

    @property
    def middle(self) -> float:
        """The height at which rows branch off to this rule."""
        return self.top + self.height / 2


@dataclass(frozen=True)
class Layout:
    """A drawn rule list: its columns from left to right, its rows from top to bottom."""

    size: float
    """Font size in points."""
    width: float
    height: float
    stream: float
    """Left edge of the stream; the share that remains is written to the left of it."""
    stream_width: float
    card: float
    bar: float
    head: tuple[str, ...]
    foot: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def line(self) -> float:
        """Line spacing."""
        return _LINE * self.size

    @property
    def padding(self) -> float:
        """Padding around a text."""
        return _PADDING * self.size

    @property
    def bend(self) -> float:
        """Radius of the inner bend of a branch."""
        return 0.7 * self.size

    @property
    def bar_height(self) -> float:
        """Height of the bars that show captured shares."""
        return _BAR * self.size


def arrange(
    rule_list: RuleList, width: float, size: float, head: str, foot: str, *, counts: bool
) -> Layout:
    """Lay everything out for a width and a font size in points."""
    small = 0.85 * size
    stream = text_width("100.0%", font(small)) + 0.9 * size
    stream_width = min(max(0.1 * width, 2.2 * size), 6 * size)
    card = stream + stream_width + 2 * size
    bar = width - min(max(0.26 * width, 8.3 * size), 15 * size)
    layout = Layout(
        size,
        width,
        0.0,
        stream,
        stream_width,
        card,
        bar,
        tuple(wrap(head, width, font(1.15 * size, bold=True))) if head else (),
        tuple(wrap(foot, width, font(small))) if foot else (),
        (),
    )
    rows = _arrange_rows(rule_list, layout, counts)
    bottom = rows[-1].top + rows[-1].height + 0.8 * size
    height = bottom + 0.9 * layout.line * len(layout.foot)
    return Layout(**(vars(layout) | {"rows": rows, "height": height}))


def _arrange_rows(rule_list: RuleList, layout: Layout, counts: bool) -> tuple[Row, ...]:
    total = rule_list.total_weight
    top = 1.15 * layout.line * len(layout.head) + 2.1 * layout.size
    left = 1.0
    rows: list[Row] = []
    for index, rule in enumerate((*rule_list.rules, rule_list.default)):
        part = rule.captured / total
        row = _row(rule, index, part, left, layout, counts)
        branch = part * layout.stream_width + (layout.bend if index == 0 else 0)
        height = max(row.height, branch + 0.8 * layout.size)
        rows.append(Row(**(vars(row) | {"top": top, "height": height})))
        top += height + _GAP * layout.size
        left = max(0.0, left - part)
    return tuple(rows)


def _row(rule: Rule, index: int, part: float, left: float, layout: Layout, counts: bool) -> Row:
    """Wrap the texts of a rule, which determines its height."""
    size = layout.size
    room = layout.bar - layout.card - 2.3 * size
    condition = tuple(
        line for clause in _clauses(rule, index) for line in wrap(clause, room, font(size))
    )
    prediction = tuple(wrap(f"predict {rule.label}", room, font(size, bold=True)))
    number = f" ({rule.captured:,})" if counts else ""
    texts = (f"{share(part)} of all{number}", _correct(rule))
    small = font(0.9 * size)
    captured = tuple(
        line for text in texts for line in wrap(text, layout.width - layout.bar, small)
    )
    card = (len(condition) + len(prediction)) * layout.line + 2 * layout.padding
    beside = 1.25 * layout.bar_height + 0.92 * layout.line * len(captured)
    return Row(rule, condition, prediction, captured, part, left, 0.0, max(card, beside))


def _clauses(rule: Rule, index: int) -> list[str]:
    """Return the condition in words, one clause per line."""
    if rule.antecedent is None:
        return ["Otherwise" if index else "Always"]
    first, *others = [clause.text for clause in rule.antecedent.clauses]
    return [f"{'Else if' if index else 'If'} {first}", *(f"and {other}" for other in others)]


def _correct(rule: Rule) -> str:
    return f"{share(rule.accuracy)} correct" if rule.captured else "none in training"
