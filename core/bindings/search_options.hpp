// The options of a search from keyword arguments, for all classes that search.
#pragma once

#include "bindings/keywords.hpp"
#include "context/options.hpp"

namespace surelist::bindings {

// A keyword that is not an option is refused.
SearchOptions read_search_options(const std::string& regularization, const nb::kwargs& keywords);

// The constructor of classes that find or count lists, for the typed stub.
inline constexpr const char* kListsSignature =
    "def __init__(self, problem: Problem, regularization: str, *, symmetry: str = 'captured', "
    "bounds: collections.abc.Sequence[str] = ..., max_length: int | None = None, "
    "kernels: str = 'auto', surcharges: collections.abc.Sequence[int] | None = None, "
    "rule_label: int | None = None, first: collections.abc.Sequence[int] = [], "
    "required: collections.abc.Sequence[int] = [], "
    "forbidden: collections.abc.Sequence[int] = []) -> None";

}  // namespace surelist::bindings
