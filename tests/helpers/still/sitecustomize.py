"""Python reads this as it starts: what a test waits for stands still before it does anything.

`web_server.serving` puts this folder on the path of the page and its processes. A process whose
command has the word that is in the file SURELIST_STILL takes the file away and stops itself, so
that only one does. Then a test can look around, kill it, or let it go on, however fast it is.
"""

import os
import signal
import sys
from pathlib import Path

_path = Path(os.environ.get("SURELIST_STILL", "/nowhere"))
if _path.exists() and _path.read_text(encoding="utf-8") in sys.orig_argv:
    _path.unlink()
    os.kill(os.getpid(), signal.SIGSTOP)
