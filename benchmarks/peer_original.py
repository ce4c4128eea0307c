"""Measure the authors' C++ program on CORELS text files.

It reads its files itself, so its time and memory are those of the whole process. A small process
of our own stands between it and the driver, because the kernel counts a child's peak memory from
that of the process that started it.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any


def command(request: dict[str, Any]) -> list[str]:
    """Return the call: queue by lower bound, permutation map, equivalent points, no limit."""
    options = request["options"]
    flags = ["-r", request["regularization"], "-c", "2", "-p", "1", "-n", "1000000000"]
    return [options["binary"], *flags, *options["files"]]


def read_output(text: str, penalty: float) -> dict[str, Any]:
    r"""Read what the program prints at its end.

    Examples
    --------
    >>> printed = "Exited because queue empty\nfinal min_objective: 0.31\nfinal accuracy: 0.70\n"
    >>> read_output(printed, penalty=0.01)
    {'status': 'optimal', 'objective': 0.31, 'length': 1, 'loss': 0.3}
    """
    objective = re.search(r"^final min_objective: (\S+)$", text, re.M)
    accuracy = re.search(r"^final accuracy: (\S+)$", text, re.M)
    if objective is None or accuracy is None:
        raise SystemExit("the program printed no final objective")
    loss = round(1 - float(accuracy[1]), 5)
    return {
        "status": "optimal" if "queue empty" in text else "prefix_limit",
        "objective": float(objective[1]),
        "length": round((float(objective[1]) - loss) / penalty),
        "loss": loss,
    }


def main() -> None:
    """Run it, and write what it took."""
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if request["memory"]:
        resource.setrlimit(resource.RLIMIT_AS, (request["memory"],) * 2)
    # It writes its log beside its working folder, as its makefile assumes.
    folder = Path(request["options"]["folder"])
    (folder / "logs").mkdir(exist_ok=True)
    (folder / "run").mkdir(exist_ok=True)
    printed, said = folder / "printed.txt", folder / "errors.txt"
    started = time.perf_counter()
    with printed.open("wb") as out, said.open("wb") as err:
        child = subprocess.Popen(
            command(request),
            stdout=out,
            stderr=err,
            cwd=folder / "run",
            # The signal is not handled, so it ends the program.
            preexec_fn=partial(signal.setitimer, signal.ITIMER_PROF, request["seconds"]),
        )
        _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    errors = said.read_text(encoding="utf-8", errors="replace").strip()
    if child.returncode == -signal.SIGPROF:
        os.kill(os.getpid(), signal.SIGPROF)  # like any system that is out of time
    if child.returncode != 0:
        raise SystemExit(f"{errors}\nthe program ended with status {child.returncode}")
    outcome = read_output(
        printed.read_text(encoding="utf-8", errors="replace"), float(request["regularization"])
    )
    outcome |= {"seconds": seconds, "cpu": usage.ru_utime + usage.ru_stime}
    if "skipping" in errors:  # it continues without a file that it cannot read, and is slower
        outcome["note"] = errors.splitlines()[-1]
    outcome["memory"] = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    Path(request["result"]).write_text(json.dumps(outcome), encoding="utf-8")


if __name__ == "__main__":
    main()
