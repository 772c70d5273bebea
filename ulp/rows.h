// Calls of one function, a batch's row after the other: by a handler of an instruction set, by the
// C library, or by a function of the one who measures.
#pragma once

#include <optional>

#include "transpire/ulp.hpp"
#include "ulp/block.h"
#include "ulp/shader.h"
#include "vm/exec/engine.h"

namespace transpire::ulp {

class RowCaller {
 public:
  using Own = std::function<bool(const UlpCalls&)>;

  /// `table` is null for the C library, and where there is an `own`, which must outlive this, or a `shader`, which formulas
  /// have. Only tables of the reference mode round in another direction than to nearest.
  RowCaller(const MeasuredFunction& function, vm::Kind kind, const vm::HandlerTable* table,
            const Own* own, std::optional<Shader> shader, vm::Rounding rounding);
  /// The results of a block's calls, in the contender's row. The thread's float mode must be that
  /// of a launch. False when `own` ends it, or a shader fails.
  bool call(Block& block, std::size_t contender) const;
  /// Nanoseconds for each value, the least of some repetitions on such calls; nothing when `own`
  /// ends it.
  std::optional<double> time(Block& block) const;

 private:
  Bits call_library(const Call& call) const;
  double time_library(const Block& block) const;
  template <class T, class F>
  double time_scalars(F function, const Block& block) const;

  const MeasuredFunction& function_;
  const vm::Kind kind_;
  const bool integer_;  ///< the second operand
  const std::uint32_t lanes_;
  const vm::Handler handler_;
  const vm::Rounding rounding_;
  const Own* const own_;
  const std::optional<Shader> shader_;
};

}  // namespace transpire::ulp
