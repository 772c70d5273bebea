// Code that only those work-items run for which a condition holds.
#pragma once

#include "vm/build/builder.h"

namespace transpire::vm::builder {

/// Control comes to what `write` places where the condition holds.
template <class F>
void where(Builder& b, ValueId condition, F write) {
  const BlockId inside = b.writer.new_block(), behind = b.writer.new_block();
  b.writer.terminate(Op::kBranchConditional, condition, {inside, behind});
  b.writer.continue_in(inside);
  write();
  b.writer.terminate(Op::kBranch, kNoValue, {behind});
  b.writer.continue_in(behind);
}

/// The values that `write` places and returns where the condition holds, else `others`, of the same kinds.
template <class F>
ValueList where_else(Builder& b, ValueId condition, const ValueList& others, F write) {
  const BlockId before = b.writer.current_block();
  BlockId from = before;
  ValueList found;
  where(b, condition, [&] {
    found = write();
    from = b.writer.current_block();
  });
  ValueList joined;
  for (std::size_t c = 0; c < others.size() && c < found.size(); ++c) {
    joined.push_back(b.writer.new_phi(b.writer.current_block(), b.ops.kind_of(found[c])));
    b.writer.set_incoming(joined.back(), {{before, others[c]}, {from, found[c]}});
  }
  return joined;
}

}  // namespace transpire::vm::builder
