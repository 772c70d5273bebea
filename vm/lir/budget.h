// Budget: limits the cost of lowering a kernel. Every step draws from it: the builder, each pass,
// and emission. When it is spent, `BudgetSpent` ends the step from any depth, and build() or
// lower() returns its diagnostic; no caller outside of lowering sees it.
//
// Sizes and steps are counted, not measured: a module is refused on every machine or on none. Only
// the caller's WorkLimit depends on the clock.
#pragma once

#include <cstdint>

#include "base/narrow.h"
#include "base/work_limit.h"
#include "transpire/diagnostic.hpp"
#include "vm/lir/lir.h"

namespace transpire::vm {

/// Estimated memory of objects, for all tables of lowering together, in bytes. Chosen so that
/// kernels of each family of tests/fuzz/hostile_modules.h stay below the memory that they took.
namespace cost {
inline constexpr std::uint64_t kValue = 280;       ///< an instruction, a constant
inline constexpr std::uint64_t kOperand = 12;      ///< one operand of an instruction
inline constexpr std::uint64_t kPhiOperand = 110;  ///< which is a copy on an edge as well
inline constexpr std::uint64_t kAccess = 250;      ///< additional memory of a load or store
inline constexpr std::uint64_t kBlock = 600;
inline constexpr std::uint64_t kEdge = 60;
inline constexpr std::uint64_t kCall = 600;      ///< remaining data of its frame
inline constexpr std::uint64_t kComponent = 16;  ///< one component of a meaning of an <id> in a
                                                 ///< frame
inline constexpr std::uint64_t kBinding = 120;   ///< an <id> that means something in a frame
}  // namespace cost

struct LowerLimits {
  std::uint64_t bytes = std::uint64_t{1600} << 20;         ///< estimated memory; else L0003
  std::uint64_t steps = 1'500'000'000;                     ///< total steps of passes; else L0006
  std::uint64_t register_bytes = std::uint64_t{64} << 20;  ///< registers of one batch; else L0007
  WorkLimit time;                                          ///< else L0002
};

/// Thrown inside lowering only.
struct BudgetSpent {
  Diagnostic why;
};

/// The end of lowering where a number does not fit its field: L0013.
Diagnostic too_wide(const TooWide& number);

class Budget {
 public:
  explicit Budget(const LowerLimits& limits);

  /// Memory that stays until the kernel is lowered.
  void take(std::uint64_t bytes) {
    if (bytes > bytes_left_) size_spent();
    bytes_left_ -= bytes;
  }
  /// Counts steps of some nanoseconds each. Every loop whose length a module decides counts its
  /// rounds. Also looks at the clock.
  void work(std::uint64_t steps = 1) {
    if (steps >= until_look_) return look(steps);
    until_look_ -= steps;
  }

  std::uint64_t bytes_taken() const { return limits_.bytes - bytes_left_; }
  std::uint64_t steps_done() const { return steps_done_ + look_every_ - until_look_; }

 private:
  void look(std::uint64_t steps);
  [[noreturn]] void size_spent() const;

  LowerLimits limits_;
  std::uint64_t bytes_left_;
  std::uint64_t look_every_, until_look_;
  std::uint64_t steps_done_ = 0;  ///< at the last look
};

inline void lir::Function::work(std::uint64_t steps) const {
  if (budget != nullptr) budget->work(steps);
}
inline void lir::Function::take(std::uint64_t bytes) const {
  if (budget != nullptr) budget->take(bytes);
}

}  // namespace transpire::vm
