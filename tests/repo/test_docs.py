"""The documentation is true: examples run, links lead somewhere, tables are complete."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from repository import DOCS, ROOT

import surelist

PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
ARCHITECTURE = DOCS / "architecture.md"


class Fence(NamedTuple):
    """A fenced block: its language, its text, the line it begins on."""

    language: str
    text: str
    line: int


class Example(NamedTuple):
    """A Python block, and what the ```text block directly after it says it prints.

    ``<!-- data: folder -->`` directly before it says that it runs in a folder of the data sets
    beside the project, on its own.
    """

    code: Fence
    output: str
    data: str = ""


def fences(text: str) -> list[Fence]:
    """Every fenced block of a page."""
    return [
        Fence(match["language"].strip(), match["text"], text.count("\n", 0, match.start()) + 1)
        for match in re.finditer(
            r"^```(?P<language>[^\n`]*)\n(?P<text>.*?)^```$", text, re.M | re.S
        )
    ]


def examples(text: str) -> list[Example]:
    """Every Python block with its output; refuses output that belongs to no block."""
    found: list[Example] = []
    previous: Fence | None = None
    for fence in fences(text):
        if fence.language == "python":
            before = "".join(text.splitlines(keepends=True)[: fence.line - 1])
            marked = re.search(r"^<!-- data: (\w+) -->\s*\Z", before, re.M)
            found.append(Example(fence, "", marked[1] if marked else ""))
        elif fence.language == "text":
            assert previous is not None, f"line {fence.line}: output of nothing"
            assert previous.language == "python", f"line {fence.line}: output of nothing"
            end = previous.line + previous.text.count("\n") + 1
            between = text.splitlines()[end : fence.line - 1]
            assert not "".join(between).strip(), f"line {fence.line}: text before the output"
            found[-1] = found[-1]._replace(output=fence.text)
        previous = fence
    return found


def run(example: Example, namespace: dict[str, Any], name: str) -> str:
    """Run one block; errors point to its line in the page."""
    code = compile("\n" * example.code.line + example.code.text, name, "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_the_page_shows(name: str) -> None:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for example in examples((ROOT / name).read_text(encoding="utf-8")):
        if not example.data:
            assert run(example, namespace, name) == example.output, f"{name}:{example.code.line}"


def test_examples_on_data_beside_the_project(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        (name, example)
        for name in NAMES
        for example in examples((ROOT / name).read_text(encoding="utf-8"))
        if example.data
    ]
    assert found
    for name, example in found:
        monkeypatch.chdir(data_dir / example.data)
        assert run(example, {}, name) == example.output, f"{name}:{example.code.line}"


def test_pages_have_examples_with_output() -> None:
    for name, least in (("README.md", 4), ("docs/tutorial.md", 6), ("docs/api.md", 3)):
        found = examples((ROOT / name).read_text(encoding="utf-8"))
        assert sum(bool(example.output) for example in found) >= least, name


def test_wrong_examples_are_noticed() -> None:
    page = "```python\nprint(1)\n```\n\n```text\n1\n```\n\n```python\nx = 2\n```\n"
    first, second = examples(page)
    (marked,) = examples("<!-- data: compas -->\n\n" + page[:22])
    assert (marked.data, first.data) == ("compas", "")
    assert (first.output, second.output) == ("1\n", "")
    assert run(first, {}, "page") == "1\n"
    with pytest.raises(AssertionError, match="output of nothing"):
        examples("```sh\nls\n```\n\n```text\n1\n```\n")
    with pytest.raises(AssertionError, match="text before the output"):
        examples("```python\nprint(1)\n```\nprints\n```text\n1\n```\n")


def prose(text: str) -> str:
    """The page without its code, where brackets mean other things."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "code", text)


def targets(text: str) -> Iterator[str]:
    """Where a page's links, pictures, ``{doc}`` roles, includes and table of contents lead."""
    yield from re.findall(r"\]\(\s*<?([^)\s>]+)", prose(text))
    yield from re.findall(r"(?:href|src)=\"([^\"]+)\"", prose(text))
    for page in re.findall(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`", text):
        yield f"{page}.md"
    for fence in fences(text):
        if directive := re.fullmatch(
            r"\{(?:include|figure|image|literalinclude)\} (\S+)", fence[0]
        ):
            yield directive[1]
        elif fence.language == "{toctree}":
            entries = (line.strip() for line in fence.text.splitlines())
            yield from map(source, (line for line in entries if line and line[0] != ":"))


def source(entry: str) -> str:
    """The file behind an entry of the table of contents; examples are pages made of scripts."""
    if titled := re.fullmatch(r".+ <(.+)>", entry):
        entry = titled[1]
    return "../examples/GALLERY_HEADER.rst" if entry == "examples/index" else f"{entry}.md"


def anchors(page: Path) -> set[str]:
    """The fragments of a page's headings, as GitHub and MyST make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#{1,3} +(.+?) *$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    for target in targets(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue  # another site
        path, _, fragment = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{name} links to {target}"
        assert file.is_relative_to(ROOT), f"{name} links to {target}, outside the repository"
        if fragment and file.suffix == ".md":
            assert fragment in anchors(file), f"{name} links to {target}"


# A path from the root, in prose or in a code block.
PATH = re.compile(r"(?<![\w/.-])(?:src/surelist|core|tests|docs|fuzz|release)/[\w./-]*\w")
# Made by a build, and named by pages all the same.
MADE = ("docs/_build", "docs/examples")


@pytest.mark.parametrize("name", NAMES)
def test_paths_that_a_page_names_exist(name: str) -> None:
    text = re.sub(r"\]\([^)]*\)", "]", (ROOT / name).read_text(encoding="utf-8"))
    # ROOM, MODULE and the like stand for any.
    rules = re.compile(r"/[A-Z]{3,}|_[A-Z]{3,}")
    named = {
        path for path in PATH.findall(text) if not path.startswith(MADE) and not rules.search(path)
    }
    assert {path for path in named if not (ROOT / path).exists()} == set()


def test_the_architecture_page_names_files_that_exist() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    package = ROOT / "src" / "surelist"
    folders = "|".join(sorted(path.parent.name for path in package.glob("*/__init__.py")))
    named = set(re.findall(rf"`((?:{folders})/[\w./]+\.\w+)`", text))
    assert len(named) > 20
    assert {path for path in named if not (package / path).exists()} == set()


def test_missing_paths_are_noticed() -> None:
    assert PATH.findall("`core/gone.cpp` and (tests/core/test_optimum.py).") == [
        "core/gone.cpp",
        "tests/core/test_optimum.py",
    ]


def test_every_page_is_in_the_table_of_contents() -> None:
    listed = set(targets((DOCS / "index.md").read_text(encoding="utf-8")))
    assert {page.name for page in DOCS.glob("*.md")} - {"index.md"} <= listed
    assert {"architecture.md", "how_it_works.md", "api.md"} <= listed


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    named = {
        target
        for page in PAGES
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.M)
    }
    assert {"demo", "test"} <= named <= known


def test_the_api_page_documents_everything_public() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    directives = re.findall(r"^\.\. auto\w+:: ([\w.]+)$", text, re.M)
    documented = {directive.rpartition(".")[2] for directive in directives}
    if "surelist.errors" in directives:
        documented |= set(surelist.errors.__all__)
    assert set(surelist.__all__) - {"__version__"} <= documented


def test_the_changelog_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    latest = re.search(r"^## \[([^\]]+)\]", text, re.M)
    assert latest is not None
    assert latest[1] == surelist.__version__


def test_the_documentation_builds_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the lowest versions are for tests alone, without Sphinx")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    # test_examples.py runs scripts and notebook, and looks at what they find.
    command += ["-D", "plot_gallery=0"]
    finished = subprocess.run(
        [*command, "-d", str(tmp_path / "cache"), str(DOCS), str(tmp_path / "html")],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    api = (tmp_path / "html" / "api.html").read_text(encoding="utf-8")
    assert 'id="surelist.RuleListClassifier.fit"' in api
    pages = [*(tmp_path / "html").glob("*.html"), *(tmp_path / "html" / "examples").glob("*.html")]
    assert {"tic_tac_toe", "first_steps"} <= {page.stem for page in pages}
    for page in pages:
        loaded = re.findall(r"<(?:script|link|img)\b[^>]*https?:[^>]*>", page.read_text("utf-8"))
        assert loaded == [], f"{page.name} loads something from another site"
