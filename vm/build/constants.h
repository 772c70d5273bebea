// Constants: the scalars of a SPIR-V constant, or the temporary that holds a large one.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>

#include "vm/build/checks.h"
#include "vm/build/dispatcher.h"
#include "vm/build/parts.h"

namespace transpire::vm::builder {

class Constants {
 public:
  Constants(Core& core, Temporaries& temporaries, Parts& parts, Checks& checks,
            Dispatcher& dispatcher);

  Values value(const decoder::Constant& constant);

 private:
  void check_defined(const decoder::Constant& constant);
  Values operation(const decoder::Constant& constant);
  void append(const decoder::Constant& constant, ValueList& out, unsigned depth);
  void append(Values values, ValueList& out) {
    out.insert(out.end(), values.begin(), values.end());
  }
  void append_sampler(const decoder::Constant& constant, ValueList& out);
  ValueList held(const decoder::Constant& constant);
  void store(const decoder::Constant& constant, const Part& whole, unsigned depth);

  const Request& request_;
  const Position& position_;
  Refusals& refusals_;
  Writer& writer_;
  Types& types_;
  Ids& ids_;
  Temporaries& temporaries_;
  Parts& parts_;
  Checks& checks_;
  Dispatcher& dispatcher_;
  std::unordered_map<Id, Values> known_;
  /// Undefined operations for which the current instruction already has a check.
  std::set<Id> told_;
  std::pair<std::uint32_t, BlockId> told_at_;
  std::uint64_t undefined_ = 0;   ///< uses of constants that are not defined, so far
  unsigned operation_depth_ = 0;  ///< nesting of OpSpecConstantOp
};

}  // namespace transpire::vm::builder
