// The invariants of LIR, checked: operand counts and kinds by the op table, blocks and edges, phis,
// dominance. Passes are tested with it, and build() ends with it, because a module that no
// validator has seen can break any of them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "vm/lir/budget.h"
#include "vm/lir/dominators.h"
#include "vm/program/immediates.h"

namespace transpire::vm::lir {
namespace {

bool is_terminator(Op op) { return info(op).shape == Shape::kTerminator; }

/// Checks one value's operands; `error` keeps the first mistake.
class OperandCheck {
 public:
  OperandCheck(const Function& function, const Value& value)
      : f_(function), v_(value), op_(info(value.op)) {}

  std::string run() {
    if (op_.shape == Shape::kEngine) {
      fail(fmt::format("{} is none of a function's: emission makes it", op_.name));
      return std::move(error_);
    }
    for (const ValueId arg : v_.args)
      if (arg >= f_.values.size()) {
        fail(fmt::format("{} has an operand that does not exist", op_.name));
        return std::move(error_);
      }
    if (op_.imm == Imm::kAccess || op_.imm == Imm::kCopy) {
      if (v_.imm >= f_.mem.size()) {
        fail(fmt::format("{} names no access", op_.name));
        return std::move(error_);
      }
      access_ = &f_.mem[v_.imm];
    }
    result();
    operands();
    if (op_.shape == Shape::kConvert) conversion();
    immediate();
    return std::move(error_);
  }

 private:
  void fail(std::string what) {
    if (error_.empty()) error_ = std::move(what);
  }

  /// The kinds of the row are the result's, those of operands that Value::from tells, or those of an
  /// access's components.
  void result() {
    switch (op_.shape) {
      case Shape::kCompare:
      case Shape::kTest:
        in_kinds(v_.from);
        return result_is(Kind::kBool);
      case Shape::kFloatInt:
        in_kinds(v_.from);
        return result_is(Kind::kI32);
      case Shape::kTerminator:
        if (op_.signature.has(Takes::kFrom)) in_kinds(v_.from);
        return;
      case Shape::kAtomic:
        in_kinds(access_->kind);
        if (v_.op != Op::kAtomicStore && v_.op != Op::kAtomicStoreRelease) result_is(access_->kind);
        return;
      default:
        break;
    }
    if (v_.op == Op::kLoad) result_is(access_->kind);
    if (is_lane_wise(op_.shape) || !op_.signature.has(Takes::kFrom)) {
      if (v_.kind != Kind::kVoid && (bit(v_.kind) & op_.kinds) == 0)
        fail(fmt::format("{} has no result of kind {}", op_.name, kind_name(v_.kind)));
    } else {
      in_kinds(v_.from);
    }
  }

  Kind arg_kind(std::size_t i) const { return f_.values[v_.args[i]].kind; }

  void count(std::size_t n) {
    if (v_.args.size() != n)
      fail(fmt::format("{} has {} operands, expected {}", op_.name, v_.args.size(), n));
  }

  void operand(std::size_t i, Kind expected) {
    if (i >= v_.args.size() || arg_kind(i) == expected) return;
    fail(fmt::format("operand {} of {} is {}, expected {}", i, op_.name, kind_name(arg_kind(i)),
                     kind_name(expected)));
  }

  Kind kind_of(Takes what) const {
    switch (what) {
      case Takes::kSame:
        return v_.kind;
      case Takes::kFrom:
        return v_.from;
      case Takes::kAccessed:
        return access_->kind;
      case Takes::kBool:
        return Kind::kBool;
      case Takes::kI32:
        return Kind::kI32;
      case Takes::kI64:
        return Kind::kI64;
    }
    return Kind::kVoid;
  }

  /// Operands behind the fixed ones that are no parts of an index.
  std::size_t rest() const {
    const std::size_t given =
        v_.args.size() - std::min<std::size_t>(v_.args.size(), op_.signature.count);
    switch (op_.signature.rest) {
      case Signature::Rest::kNone:
        return 0;
      case Signature::Rest::kComponents:
        return access_->components;
      default:
        return given;
    }
  }

  void operands() {
    const Signature& signature = op_.signature;
    const std::size_t others = signature.count + rest();
    if (v_.args.size() < others || v_.args.size() > others + signature.indexes)
      return count(others);
    for (std::size_t i = 0; i < signature.count; ++i) operand(i, kind_of(signature.fixed[i]));
    const std::size_t behind = v_.args.size() - rest();
    for (std::size_t i = signature.count; i < behind; ++i)
      operand(i, v_.extend == Extend::kNone ? Kind::kI64 : Kind::kI32);
    if (signature.rest == Signature::Rest::kOfAnyKind) return;
    const Kind kind = signature.rest == Signature::Rest::kComponents ? access_->kind : v_.kind;
    for (std::size_t i = behind; i < v_.args.size(); ++i) operand(i, kind);
  }

  void in_kinds(Kind kind) {
    if ((bit(kind) & op_.kinds) == 0)
      fail(fmt::format("{} has no operands of kind {}", op_.name, kind_name(kind)));
  }

  void result_is(Kind expected) {
    if (v_.kind != expected)
      fail(fmt::format("the result of {} is {}, expected {}", op_.name, kind_name(v_.kind),
                       kind_name(expected)));
  }

  void conversion() {
    const bool from_int = is_int(v_.from), from_float = is_float(v_.from);
    const std::uint32_t from = width_bits(v_.from), to = width_bits(v_.kind);
    bool fits = true;
    switch (v_.op) {
      case Op::kTruncate:
        fits = from_int && from > to;
        break;
      case Op::kSignExtend:
      case Op::kZeroExtend:
        fits = from_int && from < to;
        break;
      case Op::kConvertFToS:
      case Op::kConvertFToU:
        fits = from_float;
        break;
      case Op::kFConvert:
        fits = from_float && from != to;
        break;
      case Op::kBitcast:
        fits = v_.from != v_.kind && from == to && from > 1;
        break;
      default:
        fits = from_int;
        break;
    }
    if (!fits)
      fail(fmt::format("{} cannot convert {} to {}", op_.name, kind_name(v_.from),
                       kind_name(v_.kind)));
  }

  /// Checks that the target of imm exists.
  void immediate() {
    if (op_.imm == Imm::kPrintf) return printed();
    if (op_.imm == Imm::kEnqueue) return enqueued();
    if (op_.imm == Imm::kWait) return waited();
    if (op_.imm == Imm::kProduct) return multiplied();
    if (op_.imm == Imm::kImage) return image_operands();
    if (v_.op == Op::kResult) return loaded_component();
    if (v_.op == Op::kRecordResult && v_.imm >= f_.result_sites.size())
      fail("RecordResult names no site");
    if (op_.imm == Imm::kRuleCheck && RuleCheck::decode(v_.imm).remark > f_.remarks.size())
      fail("CheckNot names no remark");
    const bool is_exact = op_.shape == Shape::kList && op_.imm == Imm::kRounding;
    if (is_exact && v_.args.size() > kMostExactOperands)
      fail(fmt::format("{} has {} operands, expected at most {}", op_.name, v_.args.size(),
                       kMostExactOperands));
  }

  void printed() {
    if (v_.imm >= f_.printfs.size()) return fail("Printf names no format");
    std::size_t n = 0;
    if (f_.printfs[v_.imm].reads_format) operand(n++, Kind::kI64);
    for (const PrintfInfo::Argument& argument : f_.printfs[v_.imm].arguments)
      for (std::uint32_t c = 0; c < argument.components && !argument.is_string; ++c)
        operand(n++, argument.kind);
    count(n);
  }

  void enqueued() {
    if (v_.imm >= f_.enqueues.size())
      return fail(fmt::format("{} names nothing that is enqueued", op_.name));
    if (v_.op == Op::kCountSubgroups) {
      count(EnqueueInfo::kRangeScalars);
      for (std::uint32_t i = 1; i < v_.args.size(); ++i) operand(i, Kind::kI64);
    }
    if (v_.op != Op::kEnqueueKernel) return;
    const EnqueueInfo& info = f_.enqueues[v_.imm];
    count(EnqueueInfo::kLocalSizes + info.local_sizes);
    for (std::uint32_t i = EnqueueInfo::kBlock; i < v_.args.size(); ++i) {
      const bool is_short = i == EnqueueInfo::kBlockBytes || i == EnqueueInfo::kDimensions;
      operand(i, is_short ? Kind::kI32 : Kind::kI64);
    }
  }

  void waited() {
    const std::uint32_t bytes = WaitOperation::decode(v_.imm).event_bytes;
    if (bytes != 4 && bytes != 8)
      fail(fmt::format("{} has events of {} bytes, expected 4 or 8", op_.name, bytes));
  }

  void multiplied() {
    const ProductOperation operation = ProductOperation::decode(v_.imm);
    count(operation.operands());
    result_is(operation.kind);
  }

  void image_operands() {
    const ImageOperation operation = ImageOperation::decode(v_.imm);
    count(operation.operands());
    for (std::uint32_t i = 0; i < operation.operands(); ++i) operand(i, operation.operand(i));
    if (operation.handles() != op_.signature.count)
      fail(fmt::format("{} has another op's immediate", op_.name));
    if (!operation.writes && !is_image_announce(v_.op)) result_is(operation.result());
  }

  void loaded_component() {
    if (!error_.empty()) return;
    const Value& load = f_.values[v_.args[0]];
    const std::uint32_t components = result_components(f_, load);
    const bool fits = components > 1 && v_.imm >= 1 && v_.imm < components && v_.kind == load.kind;
    if (!fits) fail("Result does not name a component of a load, a read or a product");
  }

  const Function& f_;
  const Value& v_;
  const OpInfo& op_;
  const MemAccess* access_ = nullptr;  ///< that imm names
  std::string error_;
};

class Verifier {
 public:
  explicit Verifier(const Function& function) : f_(function), preds_(function.blocks.size()) {}

  std::string run() {
    if (f_.blocks.empty()) return "the function has no block";
    position_.assign(f_.values.size(), 0);
    for (BlockId b = 0; b < f_.blocks.size() && error_.empty(); ++b) placement(b);
    for (BlockId b = 0; b < f_.blocks.size() && error_.empty(); ++b) edges(b);
    for (BlockId b = 0; b < f_.blocks.size() && error_.empty(); ++b) predecessors(b);
    if (error_.empty()) order();
    if (!error_.empty()) return std::move(error_);
    dominators_.emplace(f_);
    for (BlockId b = 0; b < f_.blocks.size() && error_.empty(); ++b) uses(b);
    return std::move(error_);
  }

 private:
  void fail(std::string what) {
    if (error_.empty()) error_ = std::move(what);
  }

  void placed(ValueId id, BlockId b) {
    if (id >= f_.values.size())
      return fail(fmt::format("block b{} holds a value that does not exist", b));
    if (f_.values[id].block != b)
      return fail(fmt::format("%{} stands in b{} but says b{}", id, b, f_.values[id].block));
    if (position_[id] != 0) return fail(fmt::format("%{} stands in two places", id));
    f_.work();
    position_[id] = ++next_position_;
    const std::string wrong = check_operands(f_, f_.values[id]);
    if (!wrong.empty()) fail(fmt::format("%{} in b{}: {}", id, b, wrong));
  }

  void placement(BlockId b) {
    const Block& block = f_.blocks[b];
    for (const ValueId id : block.phis) {
      placed(id, b);
      if (!error_.empty()) return;
      if (f_.values[id].op != Op::kPhi)
        fail(fmt::format("%{} among the phis of b{} is none", id, b));
      if (f_.values[id].args.size() != block.preds.size())
        fail(fmt::format("phi %{} of b{} has {} operands for {} predecessors", id, b,
                         f_.values[id].args.size(), block.preds.size()));
    }
    for (const ValueId id : block.instructions) {
      placed(id, b);
      if (!error_.empty()) return;
      const Op op = f_.values[id].op;
      if (op == Op::kPhi || op == Op::kConst || op == Op::kArgument || is_terminator(op))
        fail(fmt::format("{} %{} stands among the instructions of b{}", info(op).name, id, b));
    }
    if (block.terminator == kNoValue) return fail(fmt::format("b{} has no terminator", b));
    placed(block.terminator, b);
  }

  void edges(BlockId b) {
    const Block& block = f_.blocks[b];
    const Op op = f_.values[block.terminator].op;
    if (!is_terminator(op)) return fail(fmt::format("b{} ends with {}", b, info(op).name));
    const std::size_t n = block.targets.size();
    const bool fits = op == Op::kBranch              ? n == 1
                      : op == Op::kBranchConditional ? n == 2
                      : op == Op::kSwitch            ? n >= 1
                                                     : n == 0;
    if (!fits) return fail(fmt::format("{} of b{} has {} targets", info(op).name, b, n));
    for (const SwitchCase& c : block.cases)
      if (c.target >= n) return fail(fmt::format("a case of b{} names no target", b));
    for (const BlockId target : block.targets) {
      if (target >= f_.blocks.size())
        return fail(fmt::format("b{} has a target that does not exist", b));
      BlockList& preds = preds_[target];
      if (preds.empty() || preds.back() != b) preds.push_back(b);
    }
  }

  void predecessors(BlockId b) {
    BlockList said = f_.blocks[b].preds, found = preds_[b];
    std::sort(said.begin(), said.end());
    std::sort(found.begin(), found.end());
    if (said != found) fail(fmt::format("the predecessors of b{} do not match the targets", b));
    if (b == 0 && !found.empty()) fail("the entry block has predecessors");
  }

  void order() {
    if (f_.order.empty()) return;
    std::vector<bool> seen(f_.blocks.size());
    for (const BlockId b : f_.order) {
      if (b >= f_.blocks.size() || seen[b]) return fail("the block order names a block twice");
      seen[b] = true;
    }
    if (f_.order.front() != 0) fail("the block order does not begin with the entry");
    if (f_.order.size() != f_.blocks.size()) fail("the block order leaves blocks out");
  }

  bool reached(BlockId b) const { return b == 0 || dominators_->idom(b) != kNoBlock; }

  void use(ValueId user, ValueId arg, BlockId at, std::uint32_t before) {
    f_.work();
    const Value& value = f_.values[arg];
    if (value.op == Op::kConst || value.op == Op::kArgument) return;
    if (value.block == kNoBlock || position_[arg] == 0)
      return fail(fmt::format("%{} uses %{}, which stands nowhere", user, arg));
    const bool earlier =
        value.block == at ? position_[arg] < before : dominators_->dominates(value.block, at);
    if (!earlier)
      fail(fmt::format("%{} in b{} does not dominate its use by %{} in b{}", arg, value.block, user,
                       at));
  }

  void uses(BlockId b) {
    if (!reached(b)) return;
    const Block& block = f_.blocks[b];
    for (const ValueId phi : block.phis)
      for (std::size_t i = 0; i < block.preds.size(); ++i)
        if (reached(block.preds[i]))
          use(phi, f_.values[phi].args[i], block.preds[i], next_position_ + 1);
    for (const ValueId id : block.instructions)
      for (const ValueId arg : f_.values[id].args) use(id, arg, b, position_[id]);
    for (const ValueId arg : f_.values[block.terminator].args)
      use(block.terminator, arg, b, position_[block.terminator]);
  }

  const Function& f_;
  std::string error_;
  std::vector<BlockList> preds_;         ///< found from the targets
  std::vector<std::uint32_t> position_;  ///< by value: 1, 2, ... as they stand; 0 = nowhere
  std::uint32_t next_position_ = 0;
  std::optional<Dominators> dominators_;  ///< once the edges are known to be sound
};

}  // namespace

std::string check_operands(const Function& function, const Value& value) {
  return OperandCheck(function, value).run();
}

std::string verify(const Function& function) { return Verifier(function).run(); }

}  // namespace transpire::vm::lir
