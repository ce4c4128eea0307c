"""The report of a run: one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from html import escape
from typing import Any

from surelist._common.messages import counted
from surelist._common.rounding import gap_text, rounded_down
from surelist._common.text_tables import HtmlCell, html_table

__all__ = ["report"]

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6676; --line: #d9dee6;
  --paper: #fff; --tint: #f4f6f9; --good: #14694f; --warn: #8a4b08; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a2adbd; --line: #333d4b;
  --paper: #151a21; --tint: #1d242e; --good: #6fd3b0; --warn: #f0b26b; } }
body { font: 17px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
p.lead { color: var(--soft); margin: 0; }
.verdict { border-left: .35rem solid var(--warn); padding: .6rem 1rem; background: var(--tint);
  margin: 1.5rem 0; }
.verdict.sure { border-color: var(--good); }
ol.rules { list-style: none; padding: 0; font-size: 1.15rem; }
ol.rules li { padding: .55rem 0; border-bottom: 1px solid var(--line); }
ol.rules i { font-style: normal; color: var(--soft); }
ol.rules small { display: block; color: var(--soft); font-size: .85rem; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td.n, th.n { text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
figure { margin: 0; background: #fff; overflow-x: auto; } svg { max-width: 100%; height: auto; }
code { font-size: .9em; overflow-wrap: anywhere; }
"""
_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def report(about: Mapping[str, Any], result: Mapping[str, Any], pictures: Mapping[str, str]) -> str:
    """Return the report; every name and value in it is escaped.

    Parameters
    ----------
    about
        The run: "name", "dataset", "settings", "verification" where there was one, and "facts",
        which `surelist.web.audit_facts.audit_facts` returned.
    result
        What `surelist.web.results.result_document` returned.
    pictures
        SVG documents by name: "rules" and "search"; they may be missing.
    """
    label = result["label"] or "the label"
    parts = [
        f"<h1>{escape(about['name'])}</h1>",
        f"<p class=lead>Predicting {escape(label)} from {escape(about['dataset'])}, "
        f"{counted(result['rows'], 'row')}. {_written(about)}</p>",
        _verdict(result, about.get("verification")),
        *_cautions(result),
        "<h2>The rule list</h2>",
        _rules(result),
        *_picture(pictures, "rules"),
        "<h2>How well it does</h2>",
        _scores(result),
        _confusion("On the rows it learned from", result["classes"], result["confusion"]),
        *_held_out(result),
        *_groups(result),
        "<h2>How it was found</h2>",
        _facts(about, result),
        *_picture(pictures, "search"),
        *_conditions(about["facts"]),
        "<h2>Files and versions</h2>",
        _files(about["facts"]),
        *_reproduce(about["facts"]),
        "<h2>How to check it</h2>",
        _check(about),
    ]
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8>"
        f'<meta http-equiv="Content-Security-Policy" content="{_CSP}">'
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>{escape(about['name'])}</title><style>{_STYLE}</style>\n"
        + "\n".join(parts)
        + "\n</html>\n"
    )


def _verdict(result: Mapping[str, Any], verification: Mapping[str, Any] | None) -> str:
    if result["status"] == "optimal":
        text = (
            "<b>Proven optimal.</b> No rule list over the "
            f"{counted(result['antecedents'], 'antecedent')} has an objective below "
            f"{rounded_down(Fraction(result['lower_bound_exact']))} on these rows."
        )
        sure = " sure"
    else:
        why = result["kept"]["reason"] if "kept" in result else result["status"]
        text = (
            f"<b>Not certified.</b> The search ended early ({escape(why)}). "
            f"A better rule list may exist, by at most {_gap(result)} of objective."
        )
        if length := result.get("proven_length"):
            text += f" None of up to {counted(length, 'rule')} is better."
        sure = ""
    if verification and verification.get("verified"):
        text += f"<br>The independent checker says: {escape(verification['statement'])}."
        if reader := verification.get("reader"):  # which checks of earlier versions do not have
            text += f" The data were read by {escape(reader)}."
    return f'<p class="verdict{sure}">{text}</p>'


def _cautions(result: Mapping[str, Any]) -> list[str]:
    """Return the findings that no proof covers, such as columns that may leak the label."""
    findings = result.get("findings", ())  # which results of earlier versions do not have
    used = [each["text"] for each in findings if each["used"] and each["level"] == "warning"]
    others = [each["text"] for each in findings if each["text"] not in used]
    parts = []
    for title, texts in (
        (
            "Before you rely on it: a proof cannot tell whether a column is known in time.",
            used,
        ),
        ("Other remarks on these data:", others),
    ):
        if texts:
            items = "".join(f"<li>{escape(text)}</li>" for text in texts)
            kind = " class=verdict" if texts is used else ""
            parts.append(f"<div{kind}><b>{escape(title)}</b><ul>{items}</ul></div>")
    return parts


def _gap(result: Mapping[str, Any]) -> str:
    return gap_text(Fraction(result["objective_exact"]), Fraction(result["lower_bound_exact"]))


def _rules(result: Mapping[str, Any]) -> str:
    items = []
    for rule in result["rules"]:
        clauses = " <i>and</i> ".join(f"<b>{escape(text)}</b>" for text in rule["clauses"])
        then = "<i>then predict</i>" if rule["clauses"] else "<i>predict</i>"
        items.append(
            f"<li><i>{escape(rule['head'])}</i> {clauses} {then} "
            f"<b>{escape(rule['label'])}</b><small>captured {counted(rule['captured'], 'row')}, "
            f"{rule['correct']:,} rightly; probability {rule['probability']:.1%}</small></li>"
        )
    return f"<ol class=rules>{''.join(items)}</ol>"


def _scores(result: Mapping[str, Any]) -> str:
    held = result.get("held_out")
    rows = [
        ("Accuracy in training", f"{result['accuracy']:.1%}"),
        ("Always predicting the most frequent class", f"{result['baseline']:.1%}"),
    ]
    if held:
        rows.append(
            (
                f"Accuracy on {counted(held['rows'], 'row')} not learned from",
                f"{held['accuracy']:.1%}",
            )
        )
    return _table(("", "share"), rows)


def _held_out(result: Mapping[str, Any]) -> list[str]:
    held = result.get("held_out")
    if not held:
        return []
    same = "the same list" if held["same_list"] else "a list of its own"
    listed = "".join(f"{escape(line)}<br>" for line in held.get("text", ()))
    return [
        f"<p>For this the search was repeated on {held['train_rows']:,} of the rows, which gave "
        f"{same}, and tested on the others:</p><p><code>{listed}</code></p>",
        _confusion("On the rows kept back", result["classes"], held["confusion"]),
    ]


def _confusion(title: str, classes: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    head = ("actual", *(f"predicted {name}" for name in classes))
    rows = [
        (name, *(f"{count:,}" for count in row)) for name, row in zip(classes, counts, strict=True)
    ]
    return f"<p>{escape(title)}:</p>" + _table(head, rows)


def _groups(result: Mapping[str, Any]) -> list[str]:
    parts = []
    for column in (each for each in result["groups"] if each["protected"]):
        rows = []
        for group in column["groups"]:
            counts = group["counts"]
            total = sum(map(sum, counts))
            right = sum(counts[i][i] for i in range(len(counts)))
            rates = [f"{total:,}", _share(right, total)]
            if len(counts) == 2:
                rates += [
                    _share(counts[0][1], sum(counts[0])),
                    _share(counts[1][0], sum(counts[1])),
                ]
            rows.append((group["value"], *rates))
        head: tuple[str, ...] = (column["column"], "rows", "accuracy")
        if len(result["classes"]) == 2:
            first, second = result["classes"]
            head += (f"{first} taken for {second}", f"{second} taken for {first}")
        parts.append(f"<h2>By {escape(column['column'])}</h2>" + _table(head, rows))
    return parts


def _share(part: int, total: int) -> str:
    return f"{part / total:.1%}" if total else "–"


def _cut_facts(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    if settings.get("n_cuts") == "all":
        return [("Cuts of numbers", "wherever two values differ")]
    cut = ("Cuts per column, at most", f"{settings.get('n_cuts', 3)}, {settings.get('strategy')}")
    every = [n for n, how in (settings.get("columns") or {}).items() if how == "all"]
    if every:
        return [cut, ("Cut wherever two values differ", ", ".join(every))]
    return [cut, ("Features, at most", str(settings.get("max_features", 28)))]


def _facts(about: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    settings, counters = about["settings"], result["counters"]
    low = Fraction(result["lower_bound_exact"])
    out = [n for n, role in settings.get("roles", {}).items() if role == "leave_out"]
    protected = [n for n, role in settings.get("roles", {}).items() if role == "protected"]
    rows = [
        ("λ, the price of a rule", str(result["regularization"])),
        ("Objective", f"{result['objective']:.6g}, exactly {result['objective_exact']}"),
        ("Lower bound", f"{rounded_down(low)}, exactly {low}"),
        ("Clauses per antecedent, at most", str(settings.get("max_clauses", 2))),
        ("Negations", "yes" if settings.get("negations") else "no"),
        ("Class weights", str(settings.get("class_weight") or "none")),
        *_cut_facts(settings),
        ("Least support", str(settings.get("min_support") or "λ")),
        ("Longest list allowed", str(settings.get("max_length") or "any")),
        ("Order of the queue", str(settings.get("policy"))),
        ("Symmetry map", str(settings.get("symmetry"))),
        ("Bounds", ", ".join(settings.get("bounds") or ()) or "all"),
        ("Time limit", _limit(settings.get("time_limit"), "s")),
        ("Memory limit", _limit(settings.get("memory_limit_mb"), "MB")),
        ("Protected columns, not used by rules", ", ".join(protected) or "none"),
        ("Other columns left out", ", ".join(out) or "none"),
        ("Antecedents and groups", f"{result['antecedents']:,}, {result['equivalent_groups']:,}"),
        ("Prefixes looked at", f"{int(counters['expanded']):,} in {counters['time']:.1f} s"),
    ]
    return _table((), rows)


def _limit(value: Any, unit: str) -> str:
    return "none" if value is None else f"{value:g} {unit}"


def _written(about: Mapping[str, Any]) -> str:
    """Say when the run was made: the same whenever the report is written."""
    created = about.get("created")
    if created is None:
        return f"Surelist {escape(about['facts']['version'])}."
    moment = datetime.fromtimestamp(created, UTC)
    return f"Searched on {moment:%d %B %Y} by Surelist {escape(about['facts']['version'])}."


def _picture(pictures: Mapping[str, str], name: str) -> list[str]:
    return [f"<figure>{_inline(pictures[name])}</figure>"] if name in pictures else []


def _conditions(facts: Mapping[str, Any]) -> list[str]:
    """Return the conditions that rules could use, by column: the claim is about lists of these."""
    if not facts["conditions"]:
        return []
    rows = [(name, " · ".join(texts)) for name, texts in facts["conditions"].items()]
    return ["<h2>What rules could ask</h2>", _table(("column", "conditions"), rows)]


def _files(facts: Mapping[str, Any]) -> str:
    rows = [(f"SHA-256 of {each['name']}", each["sha256"]) for each in facts["data_files"]]
    rows += [(f"SHA-256 of {name}", digest) for name, digest in facts["hashes"].items()]
    if facts["fingerprint"]:
        rows.append(("Fingerprint of the data in the certificate", facts["fingerprint"]))
    return _table((), [("Surelist", facts["version"]), *rows])


def _reproduce(facts: Mapping[str, Any]) -> list[str]:
    if facts["reproduce"] is None:
        return ["<h2>How to do it again</h2><p>All settings are in model.json.</p>"]
    return [
        "<h2>How to do it again</h2>",
        "<p>This command searches in the same way, and finds an optimal list again:</p>",
        f"<p><code>{escape(facts['reproduce'])}</code></p>",
    ]


def _check(about: Mapping[str, Any]) -> str:
    return (
        "<p>With the certificate of this run and the data, anyone can check the claim without "
        "trusting the search:</p>"
        f"<p><code>{escape(about['verify_command'])}</code></p>"
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose columns after the first hold numbers."""

    def cells(texts: Sequence[str]) -> list[HtmlCell]:
        return [HtmlCell(escape(text), "class=n" if at else "") for at, text in enumerate(texts)]

    return html_table(cells(head), map(cells, rows))


def _inline(svg: str) -> str:
    """Return an SVG document without what stands before its element."""
    return svg[svg.index("<svg") :]
