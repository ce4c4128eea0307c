// The options of a search from keyword arguments, for all classes that search.
#pragma once

#include "bindings/keywords.hpp"
#include "context/options.hpp"

namespace surelist::bindings {

SearchOptions read_search_options(const std::string& regularization, Keywords& given);

}  // namespace surelist::bindings
