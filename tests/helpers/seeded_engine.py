"""An engine with a bound made too strong on purpose, to see whether the checker notices.

The engine's sources are copied, a bound is changed for each fault, and the copy is built; the
product itself has no switch for it. The environment variable SEEDED_FAULT chooses the fault.

``python tests/helpers/seeded_engine.py FOLDER`` builds it there, unless it is there already, and
prints for each fault what became of the certificates of random problems (`make fuzz-certificates`).
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from repository import ROOT

# A theorem's function in core/problem/bounds.hpp, and what it returns with the fault.
FAULTS = {
    "hierarchical_prunes": "loss > budget - budget / 4",
    "lookahead_prunes": "loss > budget_of_one_more / 2",
    "support_rejects": "captured < 3 * least",
    "equivalent_points": "prefix_loss + 2 * minority_not_captured + 2",
    "one_sided_support_dominates": "other_loss - kept_loss >= spread / 3",
    "rule_worth_rejects": "dearest - loss <= 4 * most",
    "equivalent_support_dominates": "kept <= other + other",
    "deletion_improves": "worth < 3 * least",
    "insertion_improves": "2 * gain + 2 > harm",
}
# Bounds that are more than one condition: where, and what is taken off what they compare with.
OTHER_FAULTS = {
    "last_pair": (
        "search/child_bounds.cpp",
        "default_cost - with_two",
        "default_cost + 9 - with_two",
    ),
    "relaxation": (
        "prune/relaxation.cpp",
        "budget.at(length + k) - loss",
        "budget.at(length + k) - loss - 1 - loss / 16",
    ),
}
ALL_FAULTS = ["", *FAULTS, *OTHER_FAULTS]
BY_ITSELF = "noticed by the engine itself"
CHOOSER = """#pragma once
#include <cstdlib>
#include <string_view>
namespace surelist::bounds {
inline bool seeded(std::string_view name) {
  const char* fault = std::getenv("SEEDED_FAULT");
  return fault != nullptr && name == fault;
}
}  // namespace surelist::bounds
"""


def seed_faults(text: str) -> str:
    """Return core/problem/bounds.hpp with a choice between right and wrong in these functions."""
    for name, wrong in FAULTS.items():
        found = re.compile(rf"(\b{name}\([^{{]*{{\s*return )([^;]*);")
        text, count = found.subn(rf'\1seeded("{name}") ? ({wrong}) : (\2);', text)
        if count != 1:
            raise ValueError(
                f"core/problem/bounds.hpp has no function {name} as this test knows it"
            )
    # A choice at run time is not constant any more.
    text = re.sub(r"constexpr (bool|Weight) ", r"inline \1 ", text)
    return text.replace("#pragma once\n", CHOOSER, 1)


def seed_engine(root: Path) -> None:
    """Seed the faults into a copy of the sources."""
    bounds, kernels = root / "core/problem/bounds.hpp", root / "core/count/kernel_arguments.hpp"
    bounds.write_text(seed_faults(bounds.read_text(encoding="utf-8")), encoding="utf-8")
    text = kernels.read_text(encoding="utf-8")
    kernels.write_text(text.replace("constexpr Weight verdict", "Weight verdict"), encoding="utf-8")
    for fault, (name, right, wrong) in OTHER_FAULTS.items():
        path = root / "core" / name
        text = path.read_text(encoding="utf-8")
        if text.count(right) != 1:
            raise ValueError(f"core/{name} does not have once, as this test expects: {right}")
        choice = f'(bounds::seeded("{fault}") ? ({wrong}) : ({right}))'
        text = text.replace(right, choice).replace("#include <", SEEDED + "#include <", 1)
        path.write_text(text, encoding="utf-8")


SEEDED = '#include "problem/bounds.hpp"\n'


def build(folder: Path, seed: Callable[[Path], None] = seed_engine, target: str = "_core") -> Path:
    """Build a faulty module in a folder, unless it is there already; return it."""
    sources = folder / "source"
    digest = hashlib.sha256(Path(__file__).read_bytes())
    files = [path for room in ("core", "checker") for path in (ROOT / room).rglob("*.[ch]pp")]
    helpers = Path(__file__).parent.glob("seeded_*.py")
    for path in sorted([ROOT / "CMakeLists.txt", *files, *helpers]):
        digest.update(path.read_bytes())
    stamp = folder / "stamp"
    built = list((folder / "build").glob(f"{target}.*so"))
    if built and stamp.exists() and stamp.read_text() == digest.hexdigest():
        return built[0]
    shutil.rmtree(sources, ignore_errors=True)
    for folder_of_sources in ("core", "checker"):
        shutil.copytree(ROOT / folder_of_sources, sources / folder_of_sources)
    shutil.copy(ROOT / "CMakeLists.txt", sources)
    seed(sources)
    tools = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    where = subprocess.run(
        [sys.executable, "-m", "nanobind", "--cmake_dir"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    configure: list[str | Path] = ["cmake", "-S", sources, "-B", folder / "build", "-G", "Ninja"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]
    configure += [f"-Dnanobind_DIR={where}", f"-DPython_EXECUTABLE={sys.executable}"]
    build: list[str | Path] = ["cmake", "--build", folder / "build", "--target", target]
    for command in (configure, build):
        subprocess.run(command, env=tools, check=True, stdout=sys.stderr)
    stamp.write_text(digest.hexdigest())
    return next((folder / "build").glob(f"{target}.*so"))


def load(module: Path, target: str = "_core") -> None:
    """Put the faulty module in the place of the right one; before anything asks for it."""
    import surelist

    spec = importlib.util.spec_from_file_location(f"surelist.{target}", module)
    assert spec is not None
    assert spec.loader is not None
    engine = importlib.util.module_from_spec(spec)
    sys.modules[f"surelist.{target}"] = engine
    spec.loader.exec_module(engine)
    setattr(surelist, target, engine)


def outcomes(fault: str, problems: int) -> Counter[str]:
    """Let the engine prove random problems with a fault, and count what the checker makes of it."""
    import certify
    import certify_engine
    from both_checkers import verify

    from surelist.checker import VerificationError

    found: Counter[str] = Counter()
    for seed in range(problems):
        case = certify_engine.one_label_at_most(certify.draw(seed))
        os.environ["SEEDED_FAULT"] = fault
        try:
            case = certify_engine.prove(case, beam_width=0)
        except RuntimeError:  # the engine checks its own claims, too
            found[BY_ITSELF] += 1
            continue
        finally:
            del os.environ["SEEDED_FAULT"]
        optimum = certify.Problem(case).optimum()
        assert optimum is not None
        wrong = Fraction(case.header["lower_bound"]) > optimum[0]
        data = certify.to_bytes(case)
        try:
            verify(data, case.columns, case.y, sample_weight=case.sample_weight)
        except VerificationError as error:
            incomplete = re.search("proof is not complete|reason that is given", str(error))
            reason = "incomplete" if incomplete else str(error)
            found[f"{'wrong' if wrong else 'right'}, refused: {reason}"] += 1
        else:
            found[f"{'wrong' if wrong else 'right'}, accepted"] += 1
    return found


def main(folder: Path, problems: int) -> None:
    load(build(folder))
    print(json.dumps({fault: outcomes(fault, problems) for fault in ALL_FAULTS}, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 300)
