"""Tables of brute force as frames, and certificates of all cuts with another header."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from cut_oracle import GRADES, Table

from surelist import Certificate, cuts_checker
from surelist.certificate.cut_certificate import pack


def frame(table: Table) -> pd.DataFrame:
    columns: dict[str, Any] = {}
    for name, values in table.columns.items():
        if name.startswith("ordinal"):
            columns[name] = pd.Categorical(values, categories=GRADES, ordered=True)
        elif name.startswith(("real", "whole")):
            columns[name] = np.array([np.nan if v is None else v for v in values], float)
        else:
            columns[name] = pd.Series(values, dtype=object)
    return pd.DataFrame(columns)


def again(certificate: Certificate, **changes: Any) -> bytes:
    """Return the certificate with another header, and a checksum that fits."""
    _, proof = cuts_checker.read_file(certificate.to_bytes())
    return pack({**certificate.header, **changes}, proof)
