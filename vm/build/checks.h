// Checks: places checks beside instructions for --check=ub.
#pragma once

#include <string>

#include "vm/build/core.h"

namespace transpire::vm::builder {

/// The operands that a check's finding reports: equally many components each, side by side.
struct CheckedOperands {
  ValueList values{};
  std::size_t components = 1;
  std::uint8_t signed_ones = 0;  ///< by operand, a bit each
};

inline constexpr std::uint8_t kAllSigned = 0xff;

class Checks {
 public:
  explicit Checks(Core& core)
      : request_(core.request), refusals_(core.refusals), writer_(core.writer), ops_(core.ops) {}

  /// Places a check that reports `rule` where `condition` holds.
  void never(Rule rule, ValueId condition, std::string remark = {}, CheckedOperands operands = {});
  /// As never(), where any of the conditions holds.
  void never_any(Rule rule, Values conditions, std::string remark = {},
                 CheckedOperands operands = {}) {
    never(rule, any_of(conditions), std::move(remark), std::move(operands));
  }
  /// True if any of the values is true.
  ValueId any_of(Values conditions);

  /// Checks the promises of NoSignedWrap and NoUnsignedWrap. `right` is empty for a negation.
  void wraps(const Instruction& i, Op op, Values left, Values right, Values results);
  /// Places a check that an address lies within the object that `base` leads to, or just behind it.
  void chain(ValueId base, ValueId address);
  /// Checks that a float fits the integer kind; `value` is rounded to an integral value but for
  /// RTZ.
  void conversion(ValueId value, Kind to, bool to_signed);

 private:
  ValueId leaves_signed(Op op, ValueId left, ValueId right, ValueId result);
  ValueId leaves_unsigned(Op op, ValueId left, ValueId right, ValueId result);

  const Request& request_;
  Refusals& refusals_;
  Writer& writer_;
  Ops& ops_;
};

}  // namespace transpire::vm::builder
