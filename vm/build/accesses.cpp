#include "vm/build/accesses.h"

#include <algorithm>
#include <utility>

#include "vm/program/immediates.h"

namespace transpire::vm::builder {

lir::MemAccess byte_access(lir::Space target, lir::Space source, MemoryOperands operands) {
  lir::MemAccess access;
  access.kind = Kind::kI8;
  access.space = target;
  access.source_space = source;
  access.is_volatile = operands.is_volatile;
  access.is_robust = operands.is_robust && target == lir::Space::kGlobal;
  access.is_source_robust = operands.is_robust && source == lir::Space::kGlobal;
  access.align_bytes = std::max(operands.align_bytes, 1u);
  return access;
}

Accesses::Accesses(Core& core, Pointers& pointers, ConstantMemory& constant_memory,
                   const PassedScalars& passed_scalars)
    : request_(core.request),
      refusals_(core.refusals),
      writer_(core.writer),
      function_(core.writer.function()),
      pointers_(pointers),
      constant_memory_(constant_memory),
      passed_scalars_(passed_scalars) {
  for (const auto& type : request_.module.types)
    has_events_ = has_events_ || type->kind == Type::Kind::kEvent;
}

ValueList Accesses::load(lir::MemAccess access, ValueId pointer) {
  access.space = pointers_.known_space(pointer, access.space);
  if (std::optional<ValueList> known = constant_memory_.load(access, pointer))
    return *std::move(known);
  if (std::optional<ValueList> passed = passed_scalars_.load(access, pointer))
    return *std::move(passed);
  lir::Value value;
  value.op = Op::kLoad;
  value.kind = value.from = access.kind;
  value.imm = function_.mem.size();
  value.args = {pointer};
  access.no_write_parameter = pointers_.no_write_parameter(pointer);
  function_.take(cost::kAccess);
  function_.mem.push_back(access);
  return writer_.place_all(std::move(value), access.components);
}

void Accesses::store(lir::MemAccess access, ValueId pointer, Values values) {
  lir::Value value;
  value.op = Op::kStore;
  value.from = access.kind;
  value.imm = function_.mem.size();
  value.args = {pointer};
  value.args.insert(value.args.end(), values.begin(), values.end());
  access.no_write_parameter = pointers_.no_write_parameter(pointer);
  access.space = pointers_.known_space(pointer, access.space);
  function_.take(cost::kAccess);
  function_.mem.push_back(access);
  writer_.place(std::move(value));
}

void Accesses::copy(ValueId target, ValueId source, ValueId bytes, lir::MemAccess access) {
  pointers_.check_indexes(source);
  pointers_.check_indexes(target);
  lir::Value value;
  value.op = Op::kCopyMemory;
  value.from = access.kind;
  value.imm = function_.mem.size();
  value.args = {target, source, bytes};
  access.no_write_parameter = pointers_.no_write_parameter(target);
  access.space = pointers_.known_space(target, access.space);
  access.source_space = pointers_.known_space(source, access.source_space);
  function_.take(cost::kAccess);
  function_.mem.push_back(access);
  writer_.place(std::move(value));
}

void Accesses::check_copies(ValueId pointer, lir::Space space, std::uint64_t bytes, bool writes) {
  if (!request_.options.check_sync || !has_events_ || refusals_.failed()) return;
  const lir::Space known = pointers_.known_space(pointer, space);
  if (known == lir::Space::kPrivate || known == lir::Space::kConstant) return;
  lir::Value check;
  check.op = Op::kCheckCopies;
  check.from = Kind::kI64;
  check.imm = CopyCheck{bytes, writes}.encode();
  check.args = {pointer};
  writer_.place(std::move(check));
}

}  // namespace transpire::vm::builder
