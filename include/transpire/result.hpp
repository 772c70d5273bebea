// Result<T>: a value, or the diagnostics that say why there is no value.
// Public header: depends on the standard library only. Functions that return a Result throw no exception but std::bad_alloc.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire {

/// Either a `T` or a non-empty list of diagnostics, the first of which is the root cause.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Diagnostic error) : state_(Diagnostics{std::move(error)}) {}
  Result(Diagnostics errors) : state_(std::move(errors)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// The value. Undefined unless ok().
  T& value() & { return *std::get_if<0>(&state_); }
  const T& value() const& { return *std::get_if<0>(&state_); }
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// The diagnostics. Undefined if ok().
  const Diagnostics& errors() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Diagnostics> state_;
};

/// The value of an operation that returns nothing but may fail.
struct Unit {};
using Status = Result<Unit>;

}  // namespace transpire
