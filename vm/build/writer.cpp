#include "vm/build/writer.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/narrow.h"
#include "decoder/untyped.h"

namespace transpire::vm::builder {

Writer::Writer(const Request& request, Position& position, Refusals& refusals)
    : request_(request), position_(position), refusals_(refusals) {
  function_.module = &request.module;
  function_.name = request.entry.name;
  function_.sources.emplace_back();
  function_.budget = std::make_shared<Budget>(request.options.limits);
}

ValueId Writer::float_constant(Kind kind, const FloatConstant& number) {
  refusals_.expect(is_float(kind), "a floating-point operand was expected");
  return constant(kind, number.bits(kind));
}

std::optional<std::uint64_t> Writer::constant_bits(ValueId value) const {
  const lir::Value& v = function_.values[value];
  if (v.op != Op::kConst) return std::nullopt;
  return v.imm;
}

ValueId Writer::place(lir::Value value) {
  const std::string wrong = lir::check_operands(function_, value);
  if (!wrong.empty()) refusals_.malformed(wrong);
  count(1);
  if (refusals_.failed()) return constant(value.kind == Kind::kVoid ? Kind::kI32 : value.kind, 0);
  value.source = source();
  value.block = block_;
  const ValueId id = function_.add(std::move(value));
  function_.blocks[block_].instructions.push_back(id);
  return id;
}

ValueList Writer::place_all(lir::Value value, std::uint64_t results) {
  lir::Value component;
  component.op = Op::kResult;
  component.kind = component.from = value.kind;
  ValueList all{place(std::move(value))};
  component.args = {all[0]};
  for (std::uint64_t c = 1; c < results; ++c) {
    component.imm = c;
    all.push_back(place(component));
  }
  return all;
}

ValueId Writer::place_op(Op op, std::initializer_list<ValueId> args, std::uint64_t imm) {
  lir::Value value;
  value.op = op;
  value.imm = imm;
  value.args = args;
  const Kind first = kind_of(*args.begin());
  value.kind = value.from = first;
  switch (info(op).shape) {
    case Shape::kCompare:
    case Shape::kTest:
      value.kind = Kind::kBool;
      break;
    case Shape::kMask:
    case Shape::kMaskUnary:
      value.kind = value.from = Kind::kBool;
      break;
    case Shape::kSelect:
      value.kind = value.from = kind_of(args.begin()[1]);
      break;
    case Shape::kFloatInt:
      value.kind = Kind::kI32;
      break;
    default:
      break;
  }
  return place(std::move(value));
}

void Writer::count(std::uint64_t instructions) {
  placed_ += instructions;
  if (placed_ > request_.options.max_instructions)
    refusals_.refuse(Rule::kL0003,
                     fmt::format("the kernel has more than {} instructions after its calls are "
                                 "inlined",
                                 request_.options.max_instructions));
}

std::uint32_t Writer::source() {
  if (position_.source == 0 && position_.instruction != nullptr) {
    const Instruction& instruction = *position_.instruction;
    budget().take(sizeof(Source));
    position_.source = narrow<std::uint32_t>(function_.sources.size());
    const spv::Op op = decoder::written_op(request_.module, instruction);
    function_.sources.push_back({instruction.word_offset, op, instruction.line,
                                 position_.frame->function->id, position_.frame->called_from});
  }
  return position_.source;
}

void Writer::in_prologue(const std::function<void()>& write) {
  const BlockId outer = std::exchange(block_, 0);
  std::swap(function_.blocks[0].instructions, prologue_);
  write();
  std::swap(function_.blocks[0].instructions, prologue_);
  block_ = outer;
}

BlockId Writer::new_block() {
  count(1);
  budget().take(cost::kBlock);
  function_.blocks.emplace_back();
  return narrow<BlockId>(function_.blocks.size() - 1);
}

void Writer::terminate(Op op, ValueId operand, const std::vector<BlockId>& targets) {
  lir::Value value;
  value.op = op;
  if (operand != kNoValue) {
    value.args = {operand};
    value.from = kind_of(operand);
  }
  const std::string wrong = lir::check_operands(function_, value);
  if (!wrong.empty()) refusals_.malformed(wrong);
  value.source = source();
  value.block = block_;
  budget().take(targets.size() * cost::kEdge);
  const ValueId id = function_.add(std::move(value));
  function_.blocks[block_].terminator = id;
  function_.blocks[block_].targets = targets;
}

ValueId Writer::new_phi(BlockId block, Kind kind) {
  count(1);
  lir::Value value;
  value.op = Op::kPhi;
  value.kind = value.from = kind;
  value.source = source();
  value.block = block;
  const ValueId id = function_.add(std::move(value));
  function_.blocks[block].phis.push_back(id);
  return id;
}

void Writer::link() {
  std::vector<ValueId>& first = function_.blocks[0].instructions;
  first.insert(first.begin(), prologue_.begin(), prologue_.end());
  drop_unreachable(function_, incoming_);
  const std::string wrong = link_blocks(function_, incoming_);
  if (!wrong.empty()) refusals_.malformed(wrong);
}

}  // namespace transpire::vm::builder
