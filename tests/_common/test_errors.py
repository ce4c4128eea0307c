"""Messages with a code and facts: worded by the library, the command line and the page."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from repository import ROOT

from surelist import errors
from surelist.cli import wording as cli_wording
from surelist.errors import FormatError, InputError, Message
from surelist.web import wording as web_wording

PACKAGE = ROOT / "src" / "surelist"
CODES = errors._LIBRARY
FLAG = re.compile(r"(?<![\w-])--[a-z]")


def facts_of(text: str) -> dict[str, Any]:
    return {name: 7 for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("words", [cli_wording.WORDS, web_wording.WORDS], ids=["cli", "web"])
def test_front_doors_word_what_the_library_raises_from_the_same_facts(
    words: errors.Wording,
) -> None:
    assert set(words) <= set(CODES)
    for code, wording in words.items():
        if isinstance(wording, str):
            library = CODES[code]
            assert isinstance(library, str)
            assert facts_of(wording).keys() <= facts_of(library).keys(), code


@pytest.mark.parametrize("code", CODES)
def test_only_the_command_line_speaks_of_flags(code: str) -> None:
    library = CODES[code]
    assert isinstance(library, str)
    assert not FLAG.search(library)
    page = web_wording.WORDS.get(code, "")
    assert isinstance(page, str)
    assert not FLAG.search(page)


def test_no_module_outside_the_command_line_names_a_flag_in_a_message() -> None:
    # The page and the bundle show commands to type, and style sheets have names that begin alike;
    # the checker is a program of its own.
    allowed = {
        "audit/bundle.py",
        "checker.py",
        "runs/commands.py",
        "web/api_runs.py",
        "web/api_understand.py",
        "web/report.py",
    }
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if name in allowed or name.startswith("cli/"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        described = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert id(node) in described or not FLAG.search(node.value), f"{name}:{node.lineno}"


def test_errors_keep_code_and_facts_between_processes() -> None:
    problem = Message("field_count", found=3, expected=4, delimiter=",")
    for error in (InputError(problem), FormatError(problem, "data.csv", 7)):
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error)
        assert (again.code, again.facts) == ("field_count", problem.facts)
        assert again.worded(cli_wording.WORDS) == error.worded(cli_wording.WORDS)
    plain = pickle.loads(pickle.dumps(FormatError("damaged", "data.csv", 7)))
    assert (str(plain), plain.code, plain.facts) == ("data.csv:7: damaged", "", {})


def test_each_front_door_gives_the_advice_that_can_be_followed_there() -> None:
    problem = Message("field_count", found=3, expected=4, delimiter=",")
    error = FormatError(problem, "folder/data.csv", 7)
    assert str(error).endswith("or pass another delimiter")
    assert cli_wording.worded(error).startswith("folder/data.csv:7: 3 fields")
    assert cli_wording.worded(error).endswith("or name another --delimiter")
    assert web_wording.error_text(error) == (
        "line 7: 3 fields where the header has 4; fix the line, or quote fields that hold ','"
    )


def test_the_page_never_shows_a_path() -> None:
    facts = {"path": "/secret/source", "line": 3, "column": "age", "text": "'?'"}
    assert "/secret" not in web_wording.note_text(Message("almost_numbers", **facts))
    for code in ("encoding_assumed", "row_names"):
        assert "/secret" not in web_wording.note_text(Message(code, path="/secret/source"))
    assert "/secret" not in web_wording.error_text(FormatError("damaged", Path("/secret/source")))


def test_a_role_that_is_no_flag_is_named_as_it_is() -> None:
    facts = {"column": "'age'", "known": "'sex'"}
    for role, said in (("label", "--label"), ("the model's rules", "the model's rules")):
        text = cli_wording.worded(Message("column_missing", role=role, **facts))
        assert text == f"there is no column 'age' for {said}; there are 'sex'"
