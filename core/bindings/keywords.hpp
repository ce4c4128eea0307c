// Keyword arguments of a call, read by name into the fields of an options struct: a C++ function
// with twenty positional parameters would be easy to call wrongly.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/types.hpp"
#include "bindings/casters.hpp"

namespace surelist::bindings {

template <std::size_t N>
std::vector<std::string> listed(const std::array<std::string_view, N>& names) {
  return {names.begin(), names.end()};
}

template <class Enum, std::size_t N>
Enum named(const std::array<std::string_view, N>& names, const std::string& name,
           const char* what) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  throw InputError(std::string("there is no ") + what + " named '" + name + "'");
}

// `check_all_read` plays the part of Python's own check for names that do not exist.
class Keywords {
 public:
  explicit Keywords(const nb::kwargs& given) : given_(given) {}

  template <class T>
  T get(const char* name, T otherwise) {
    return read<T>(name).value_or(std::move(otherwise));
  }
  template <class T>
  T required(const char* name) {
    if (std::optional<T> value = read<T>(name)) return *std::move(value);
    throw nb::type_error((std::string("missing keyword argument '") + name + "'").c_str());
  }
  // Nothing where the argument is None, or was not given.
  template <class T>
  std::optional<T> optional(const char* name) {
    return get<std::optional<T>>(name, std::nullopt);
  }
  void check_all_read() const {
    if (n_read_ == given_.size()) return;
    for (const auto [name, value] : given_) {
      if (!names_.contains(nb::cast<std::string>(name))) {
        throw nb::type_error(
            ("unexpected keyword argument '" + nb::cast<std::string>(name) + "'").c_str());
      }
    }
  }

 private:
  template <class T>
  std::optional<T> read(const char* name) {
    names_.insert(name);
    if (!given_.contains(name)) return std::nullopt;
    ++n_read_;
    T value{};
    if (!nb::try_cast<T>(given_[name], value)) {
      throw nb::type_error((std::string("argument '") + name + "' has the wrong type").c_str());
    }
    return value;
  }

  const nb::kwargs& given_;
  std::set<std::string> names_;
  std::size_t n_read_ = 0;
};

}  // namespace surelist::bindings
