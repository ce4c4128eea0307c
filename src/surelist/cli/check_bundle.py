"""An audit bundle for ``surelist verify``: its parts belong together, and are about these data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from surelist.cli.data import open_source
from surelist.cli.options import DataOptions
from surelist.errors import InputError
from surelist.runs.relabel import Relabelling, relabelled

if TYPE_CHECKING:
    from surelist.audit.bundle import UnpackedBundle
    from surelist.certificate.certificate import Certificate
    from surelist.rule_list.rule_list import RuleList

__all__ = ["BundleCheck", "explained", "opened_bundle"]


@dataclass
class BundleCheck:
    """A bundle, and what was found about it beside the proof."""

    bundle: UnpackedBundle
    facts: dict[str, Any] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def reading(self, data: DataOptions) -> DataOptions:
        """Read the data as the manifest says, where no flag says otherwise."""
        return data if data.missing else replace(data, missing=self.bundle.missing or None)

    def compare(self, data: DataOptions, label: str | None, how: Relabelling) -> None:
        """Compare the model with proof and data, and the data with the hash in the manifest.

        Raises
        ------
        VerificationError
            Where the model has another list, or other numbers.
        """
        if self.bundle.model is not None:
            self._compare_model(self.bundle.model, data, label, how)
        same = self._same_file(data)
        if same is not None:
            words = "is" if same else "is not"
            text = f"The data file {words} the one that the bundle names, to the bit."
            self._note("data_file", same, text)
        self._note("files", sorted(self.bundle.names), "Its files are those of its manifest.")

    def _compare_model(
        self, path: Path, data: DataOptions, label: str | None, how: Relabelling
    ) -> None:
        from surelist.audit.claimed_list import claims_more, model_differs
        from surelist.certificate.certificate import Certificate
        from surelist.checker import VerificationError
        from surelist.estimators.model_json import read_model

        model, certificate = read_model(path), Certificate.load(self.bundle.certificate)
        reason = model_differs(certificate, model.rule_list_)
        reason = reason or self._counts_differ(certificate, model.rule_list_, data, label, how)
        if reason is not None:
            raise VerificationError(f"Refused: {reason}")
        self._note("model", True, "The model in the bundle has the rule list that was proven.")
        if (more := claims_more(certificate, model)) is not None:
            self._note(
                "unproven", more, f"The model also claims {more}. The proof does not say so."
            )

    @staticmethod
    def _counts_differ(
        certificate: Certificate,
        rule_list: RuleList,
        data: DataOptions,
        label: str | None,
        how: Relabelling,
    ) -> str | None:
        """Count again what each rule captures, where the rows can be read a second time."""
        from surelist.audit.compare_data import label_column
        from surelist.audit.model_counts import counts_differ

        if not all(path.is_file() for path in data.files if path is not None):
            return None
        try:
            source = open_source(data)
            if label is None and not source.is_corels:
                label = label_column(certificate, source)
            return counts_differ(certificate, rule_list, relabelled(source, label, how), label)
        except InputError:  # a table that only DuckDB reads, say
            return None

    def _note(self, name: str, fact: Any, line: str) -> None:
        self.facts[name] = fact
        self.lines.append(line)

    def _same_file(self, data: DataOptions) -> bool | None:
        """Whether the data file is the very one; None where it is a stream or a pattern."""
        from surelist.audit.data_hashes import sha256_of_file

        listed = self.bundle.data.get("files")
        paths = [path for path in data.files if path is not None]
        if not isinstance(listed, list) or not all(path.is_file() for path in paths):
            return None
        named = [each.get("sha256") for each in listed if isinstance(each, dict)]
        return named == [sha256_of_file(path) for path in paths]


@contextmanager
def opened_bundle(path: Path) -> Iterator[BundleCheck]:
    """Unpack a bundle into a folder of its own while it is checked.

    Raises
    ------
    VerificationError
        For a bundle whose files are not those of its manifest.
    """
    from surelist.audit.bundle import BundleError, unpack_bundle
    from surelist.checker import VerificationError

    with TemporaryDirectory(prefix="surelist-bundle-") as folder:
        try:
            bundle = unpack_bundle(path, Path(folder))
        except BundleError as error:
            raise VerificationError(f"Refused: {error}") from None
        yield BundleCheck(bundle)


@contextmanager
def explained(
    found: BundleCheck | None, data: DataOptions, label: str | None, relabel: Relabelling
) -> Iterator[None]:
    """Add to a refusal of data what differs first, where a bundle tells it."""
    from surelist.audit.compare_data import what_differs
    from surelist.certificate.certificate import Certificate
    from surelist.checker import VerificationError

    try:
        yield
    except VerificationError as error:
        if found is None or data.data is None:
            raise
        try:
            source = relabelled(open_source(data), label, relabel)
        except InputError:
            raise error from None
        certificate = Certificate.load(found.bundle.certificate)
        reason = what_differs(certificate, source, label, found.bundle.data.get("content"))
        if reason is None or "rows instead of" in reason:  # which the checker says itself
            raise
        raise VerificationError(f"{error}; in the data, {reason}") from None
