// Calls of one function, a batch's row after the other: by a handler of an instruction set, or by
// the C library.
#pragma once

#include <vector>

#include "runtime/ulp/operands.h"
#include "vm/exec/engine.h"

namespace transpire::runtime::ulp {

class RowCaller {
 public:
  /// `table` is null for the C library.
  RowCaller(const MeasuredFunction& function, vm::Kind kind, const vm::exec::HandlerTable* table);
  /// results[i] = the result of calls[i]. The thread's float mode must be that of a launch.
  void call(const std::vector<Call>& calls, std::vector<Bits>* results) const;
  /// Nanoseconds for each value, the least of some repetitions on rows of such calls.
  double time(const std::vector<Call>& calls) const;

 private:
  struct Rows;
  void run(Rows& rows) const;
  Bits call_library(const Call& call) const;
  double time_library(const std::vector<Call>& calls) const;
  template <class T, class F>
  double time_scalars(F function, const std::vector<Call>& calls) const;

  const MeasuredFunction& function_;
  const vm::Kind kind_;
  const bool integer_;  ///< the second operand
  const std::uint32_t lanes_;
  const vm::exec::Handler handler_;
};

}  // namespace transpire::runtime::ulp
