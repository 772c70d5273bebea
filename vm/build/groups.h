// Groups: the ops of vm/ops/group.def on values of any kind, and ids within the sub-group.
#pragma once

#include "vm/build/core.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {

class Groups {
 public:
  explicit Groups(Core& core) : request_(core.request), writer_(core.writer), ops_(core.ops) {}

  Ops& ops() { return ops_; }
  /// Work-items of a full sub-group.
  std::uint32_t subgroup_size() const { return writer_.function().subgroup_size; }
  /// This work-item's number in its sub-group, an i32.
  ValueId lane();

  /// An operation of the group that `scope` names.
  GroupOperation operation(spv::Scope scope, bool uniform) const;
  /// Places a group op on a scalar of any kind, booleans as 0 or 1 of i8; `index` is its second operand.
  ValueId place(Op op, GroupOperation operation, ValueId value, ValueId index = kNoValue);
  ValueId combine(GroupOperation operation, Combine how, Scan scan, ValueId value);
  /// Finding R0041 unless the whole sub-group is here.
  void sync();

  /// One bit for each work-item of the sub-group, an i64.
  ValueId ballot(ValueId predicate, bool uniform);
  /// All, Any: whether a ballot of the predicate, or of its contrary, is empty.
  ValueId vote_all(ValueId predicate, bool uniform);
  ValueId vote_any(ValueId predicate, bool uniform);
  /// A value of the sub-group's work-item `lane`, an i32, component by component.
  ValueList shuffle(Values values, ValueId lane);

 private:
  const Request& request_;
  Writer& writer_;
  Ops& ops_;
};

}  // namespace transpire::vm::builder
