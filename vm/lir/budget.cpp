// Budget's ends. See budget.h.
#include "vm/lir/budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rule.h"

namespace transpire::vm {
namespace {

/// Some tenths of a millisecond, also where each step misses the cache.
constexpr std::uint64_t kLookEvery = 4096;

}  // namespace

Diagnostic too_wide(const TooWide& number) {
  return make_diagnostic(
      Rule::kL0013, fmt::format("the module makes a number of {} where the lowered program has "
                                "room for {} bits",
                                number.bits, number.field_bits));
}

Budget::Budget(const LowerLimits& limits)
    : limits_(limits),
      bytes_left_(limits.bytes),
      look_every_(std::min(kLookEvery, std::max<std::uint64_t>(limits.steps, 1))),
      until_look_(look_every_) {}

void Budget::look(std::uint64_t steps) {
  steps_done_ += look_every_ - until_look_ + steps;
  until_look_ = look_every_;
  if (steps_done_ >= limits_.steps)
    throw BudgetSpent{make_diagnostic(
        Rule::kL0006, fmt::format("lowering the kernel takes more than {} steps", limits_.steps))};
  switch (limits_.time.end()) {
    case WorkLimit::End::kNone:
      return;
    case WorkLimit::End::kTime:
      throw BudgetSpent{
          make_diagnostic(Rule::kL0002, "the time limit was reached while the kernel was lowered")};
    case WorkLimit::End::kCancelled:
      throw BudgetSpent{make_diagnostic(Rule::kL0002, "cancelled while the kernel was lowered")};
  }
}

void Budget::size_spent() const {
  throw BudgetSpent{make_diagnostic(
      Rule::kL0003,
      fmt::format("lowering the kernel takes more than {} MiB of memory", limits_.bytes >> 20))};
}

}  // namespace transpire::vm
