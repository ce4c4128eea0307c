"""The documentation is true: examples run, links lead somewhere, tables are complete."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import surelist

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
ARCHITECTURE = DOCS / "architecture.md"
# The notebook's kernel, when it is ended while a message is on its way: nothing of ours.
ZMQ_AT_EXIT = re.compile(r"Assertion failed: .* \(src/signaler\.cpp:\d+\)$")


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


def test_every_page_is_in_the_table_of_contents() -> None:
    listed = set(targets((DOCS / "index.md").read_text(encoding="utf-8")))
    assert {page.name for page in DOCS.glob("*.md")} - {"index.md"} <= listed
    assert {"architecture.md", "how_it_works.md", "api.md"} <= listed


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = set(re.findall(r"^([a-z]+):", makefile, re.M))
    named = {
        target
        for page in PAGES
        for target in re.findall(r"(?:^|`)make ([a-z]+)", page.read_text(encoding="utf-8"), re.M)
    }
    assert {"demo", "test"} <= named <= known


def table(folder: str) -> list[Path]:
    """The files that the architecture page names for a folder, from the top down."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    section = re.search(rf"^## `{folder}/`$(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert section is not None, f"no section on {folder}/"
    rows = re.findall(r"^\|(?:[^`|]*\|)? `([^`]+)` \|", section[1], re.M)
    return [ROOT / folder / name for name in rows]


def files(folder: str, *patterns: str) -> set[Path]:
    return {file for pattern in patterns for file in (ROOT / folder).glob(pattern)}


def library_files() -> set[Path]:
    return files("src/surelist", "**/*.py") - files("src/surelist/cli", "*.py")


def test_the_architecture_page_names_every_python_file() -> None:
    named = table("src/surelist")
    assert len(set(named)) == len(named)
    assert set(named) == library_files()


def test_the_architecture_page_names_every_file_of_the_command_line() -> None:
    named = table("src/surelist/cli")
    assert len(set(named)) == len(named)
    assert set(named) == files("src/surelist/cli", "*.py")
    row = {file.stem: index for index, file in enumerate(named)}
    for file in named[3:]:
        for used in re.findall(r"from surelist\.cli\.(\w+) import", file.read_text("utf-8")):
            assert row[file.stem] < row[used], f"{file.name} imports {used}, which stands above it"


def test_the_architecture_page_names_every_core_file() -> None:
    named = table("core")
    assert len(set(named)) == len(named)
    assert set(named) <= files("core", "*.hpp", "*.cpp")
    # A header stands for the .cpp file of the same name, too.
    implied = {file.with_suffix(".cpp") for file in named}
    assert files("core", "*.hpp") <= set(named)
    assert files("core", "*.cpp") <= set(named) | implied


def includes(file: Path) -> set[str]:
    return set(re.findall(r'^#include "(.+)"$', file.read_text(encoding="utf-8"), re.M))


def test_core_files_use_only_files_below_them() -> None:
    named = table("core")
    row = {file.name: index for index, file in enumerate(named)}
    for file in files("core", "*.hpp", "*.cpp"):
        own = row.get(file.name, row.get(f"{file.stem}.hpp"))
        assert own is not None, file.name
        for used in includes(file) - {f"{file.stem}.hpp"}:
            assert own < row[used], f"{file.name} includes {used}, which stands above it"


def module(file: Path) -> str:
    """The name of a module within the package: plot.look, or plot for plot/__init__.py."""
    parts = file.relative_to(ROOT / "src" / "surelist").with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__") or "__init__"


def imports(file: Path) -> set[str]:
    """The modules of this package that a module imports; not those for type checkers alone."""

    known = {module(file) for file in files("src/surelist", "**/*.py")}

    class Imports(ast.NodeVisitor):
        found: set[str]

        def visit_If(self, node: ast.If) -> None:
            if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
                self.generic_visit(node)

        def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
            if node.module == "surelist":
                self.found |= {alias.name for alias in node.names}
            elif node.module and node.module.startswith("surelist."):
                package = node.module.removeprefix("surelist.")
                inside = {f"{package}.{alias.name}" for alias in node.names}
                self.found |= inside & known or {package}

    visitor = Imports()
    visitor.found = set()
    visitor.visit(ast.parse(file.read_text(encoding="utf-8")))
    return visitor.found


def test_python_files_import_only_files_below_them() -> None:
    named = table("src/surelist")
    row = {module(file): index for index, file in enumerate(named)} | {"_core": len(named)}
    for file in library_files():
        for used in imports(file):
            own = module(file)
            assert row[own] < row[used], f"{own} imports {used}, which stands above it"


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
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    finished = subprocess.run(
        [*command, "-d", str(tmp_path / "cache"), str(DOCS), str(tmp_path / "html")],
        capture_output=True,
        text=True,
        timeout=900,
    )
    said = [line for line in finished.stderr.splitlines() if not ZMQ_AT_EXIT.match(line)]
    assert (finished.returncode, said) == (0, [])
    api = (tmp_path / "html" / "api.html").read_text(encoding="utf-8")
    assert 'id="surelist.RuleListClassifier.fit"' in api
    pages = [*(tmp_path / "html").glob("*.html"), *(tmp_path / "html" / "examples").glob("*.html")]
    assert {"tic_tac_toe", "first_steps"} <= {page.stem for page in pages}
    for page in pages:
        loaded = re.findall(r"<(?:script|link|img)\b[^>]*https?:[^>]*>", page.read_text("utf-8"))
        assert loaded == [], f"{page.name} loads something from another site"
