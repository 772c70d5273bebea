// Refusals: the first one sticks, and building stops before the next instruction. Until then everything
// goes on with harmless dummies, so nothing needs error paths of its own.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/rule.h"
#include "vm/build/frame.h"
#include "vm/build/request.h"

namespace transpire::vm::builder {

class Refusals {
 public:
  Refusals(const Request& request, const Position& position)
      : request_(request), position_(position) {}

  void refuse(Rule rule, std::string message);
  void refuse(Diagnostic diagnostic);
  void malformed(std::string message) { refuse(Rule::kU0004, std::move(message)); }
  /// Refuses a call or an enqueue of a function that the module imports.
  void refuse_import(const std::string& function);
  /// Refuses as malformed when the condition does not hold.
  bool expect(bool condition, const char* what) {
    if (!condition) malformed(what);
    return condition;
  }

  /// As expect(), for a component that the type lacks. If specialisation constants decide their
  /// number, the module is not malformed: it only does not fit their values.
  bool expect_component(const decoder::Type& type, bool condition, const char* what);

  bool failed() const { return first_.has_value(); }
  /// Only after failed().
  const Diagnostic& first() const { return *first_; }

 private:
  void place_at_parameter(Diagnostic& diagnostic) const;

  const Request& request_;
  const Position& position_;
  std::optional<Diagnostic> first_;
};

}  // namespace transpire::vm::builder
