// analyse_divergence: finds values that are the same in all lanes, and values that grow by a
// constant from lane to lane. Optimistic: values start unknown, go to `scalar + stride * lane`
// (stride 0 is uniform), and end as varying; users are looked at again when a value falls.
#include <optional>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/lir/use_lists.h"
#include "vm/ops/op.h"
#include "vm/passes/bits.h"
#include "vm/passes/constant_privates.h"
#include "vm/passes/divergence_joins.h"
#include "vm/passes/loops.h"
#include "vm/passes/passes.h"
#include "vm/passes/unsigned_bounds.h"

namespace transpire::vm::lir {
namespace {

struct Shape {
  enum class Rank : std::uint8_t { kUnknown, kStrided, kVarying };
  Rank rank = Rank::kUnknown;
  std::int64_t stride = 0;

  bool unknown() const { return rank == Rank::kUnknown; }
  bool varying() const { return rank == Rank::kVarying; }
  bool uniform() const { return rank == Rank::kStrided && stride == 0; }
  bool operator==(const Shape&) const = default;
};
constexpr Shape kVaryingShape{Shape::Rank::kVarying, 0};
constexpr Shape kUniformShape{Shape::Rank::kStrided, 0};

// Below this a strided value that is less than 2^31 in every lane cannot have wrapped on its way
// from lane to lane: 256 lanes times 2^22 is 2^30.
constexpr std::int64_t kMaxExactStride = 1 << 22;

class Divergence {
 public:
  Divergence(Function& function, const LowerOptions& options)
      : function_(function),
        options_(options),
        order_(reverse_post_order(function)),
        dominators_(function),
        forest_(function, order_, dominators_),
        lines_(linear_order(function, order_, forest_)),
        uses_(function),
        bounds_(function, options),
        same_in_all_lanes_(constant_private_addresses(function)),
        joins_(function, forest_, lines_, [this](BlockId block) { revisit_phis(block); }),
        shapes_(function.values.size()),
        queued_(function.values.size(), false) {}

  void run() {
    for (ValueId id = 0; id < function_.values.size(); ++id) {
      if (function_.values[id].block == kNoBlock) shapes_[id] = kUniformShape;
    }
    if (options_.optimises() && !forest_.irreducible()) {
      solve();
    } else {
      for (ValueId id = 0; id < function_.values.size(); ++id) {
        if (function_.values[id].block != kNoBlock) shapes_[id] = kVaryingShape;
      }
    }
    for (ValueId id = 0; id < function_.values.size(); ++id)
      write(function_.values[id], shapes_[id]);
  }

 private:
  void solve() {
    for (const BlockId block : lines_) {
      for (const ValueId id : function_.blocks[block].instructions) bounds_.update(id);
    }
    for (const BlockId block : lines_) {
      if (function_.blocks[block].preds.size() > 1 && forest_.is_header(block)) check_header(block);
      for (const ValueId id : function_.blocks[block].phis) visit(id);
      for (const ValueId id : function_.blocks[block].instructions) visit(id);
    }
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      queued_[queue_[next]] = false;
      visit(queue_[next]);
    }
  }

  static void write(Value& value, Shape shape) {
    value.stride = 0;
    value.spread = Spread::kVarying;
    if (shape.rank != Shape::Rank::kStrided) return;
    value.spread = shape.stride == 0 ? Spread::kUniform : Spread::kAffine;
    value.stride = shape.stride;
  }

  void queue(ValueId id) {
    if (queued_[id]) return;
    queued_[id] = true;
    queue_.push_back(id);
  }

  void revisit_phis(BlockId block) {
    for (const ValueId phi : function_.blocks[block].phis) queue(phi);
  }

  void visit(ValueId id) {
    const Value& value = function_.values[id];
    function_.work(value.args.size() + 1);
    if (value.block == kNoBlock || shapes_[id].varying()) return;
    if (is_branch(value.op)) return visit_branch(id);
    Shape shape = value.op == Op::kPhi ? of_phi(value) : of(value);
    if (shape.unknown() || shape == shapes_[id]) return;
    // A stride never changes to another one, so that every value falls twice at most.
    if (!shapes_[id].unknown()) shape = kVaryingShape;
    shapes_[id] = shape;
    for (const ValueId user : uses_.users(id)) queue(user);
  }

  static bool is_branch(Op op) { return op == Op::kBranchConditional || op == Op::kSwitch; }

  void visit_branch(ValueId id) {
    const Shape condition = shapes_[function_.values[id].args[0]];
    if (condition.unknown() || condition.uniform()) return;
    shapes_[id] = kVaryingShape;
    joins_.branch_diverges(function_.values[id].block);
  }

  // A header with several back edges is of no canonical loop, so its lanes need not run in step.
  void check_header(BlockId header) {
    std::size_t backs = 0;
    for (const BlockId pred : function_.blocks[header].preds) {
      backs += forest_.contains(forest_.loop_of(header), pred) ? 1 : 0;
    }
    if (backs < 2) return;
    for (const ValueId phi : function_.blocks[header].phis) shapes_[phi] = kVaryingShape;
  }

  Shape of_phi(const Value& phi) const {
    Shape met;
    bool all_same = true;
    for (const ValueId arg : phi.args) {
      const Shape shape = shapes_[arg];
      all_same = all_same && arg == phi.args[0];
      if (shape.unknown()) continue;
      if (shape.varying() || (!met.unknown() && met != shape)) return kVaryingShape;
      met = shape;
    }
    if (met.unknown()) return met;
    if (joins_.is_join(phi.block) && !all_same) return kVaryingShape;
    if (joins_.is_divergent_exit(phi.block) && !(all_same && stands_outside(phi))) {
      return kVaryingShape;
    }
    return met;
  }

  // True if the phi's operand is defined in no loop that is left on the way to the phi.
  bool stands_outside(const Value& phi) const {
    const BlockId defined = function_.values[phi.args[0]].block;
    return defined == kNoBlock ||
           forest_.nested(forest_.loop_of(defined), forest_.loop_of(phi.block));
  }

  Shape of(const Value& value) const {
    for (const ValueId arg : value.args) {
      if (shapes_[arg].unknown()) return {};
    }
    if (value.op == Op::kLoad) return of_load(value);
    if (value.op == Op::kResult) return shapes_[value.args[0]];
    if (value.op == Op::kAddress) return of_address(value);
    if (info(value.op).shape == vm::Shape::kBuiltin) return of_builtin(value);
    if (value.op == Op::kTagPointer) return kVaryingShape;  // each work-item has its own tag
    if (!info(value.op).is_pure()) return kVaryingShape;
    bool all_uniform = true;
    for (const ValueId arg : value.args) {
      if (shapes_[arg].varying()) return kVaryingShape;
      all_uniform = all_uniform && shapes_[arg].uniform();
    }
    return all_uniform ? kUniformShape : of_strided(value);
  }

  Shape of_load(const Value& value) const {
    const MemAccess& access = function_.mem[value.imm];
    if (access.is_volatile) return kVaryingShape;
    for (const ValueId arg : value.args) {
      if (!shapes_[arg].uniform()) return kVaryingShape;
    }
    switch (access.space) {
      case Space::kGlobal:
      case Space::kConstant:
      case Space::kShadowGlobal:
        return kUniformShape;
      case Space::kWorkgroup:
      case Space::kShadowWorkgroup:
        return options_.packed ? kVaryingShape : kUniformShape;
      case Space::kPrivate:
      case Space::kGeneric:
        return same_in_all_lanes_[value.args[0]] ? kUniformShape : kVaryingShape;
      case Space::kShadow:
        return kVaryingShape;
    }
    return kVaryingShape;
  }

  Shape of_builtin(const Value& value) const {
    const bool in_line = options_.linear_x;
    const bool restarts = options_.packed;  // with each group of the batch
    const bool along_x = value.imm == 0;
    switch (value.op) {
      case Op::kGlobalId:
        if (!in_line) return kVaryingShape;
        return along_x ? strided(value.kind, 1) : kUniformShape;
      case Op::kLocalId:
        if (!in_line || (restarts && along_x)) return kVaryingShape;
        return along_x ? strided(value.kind, 1) : kUniformShape;
      case Op::kLocalLinearId:
        return restarts ? kVaryingShape : strided(value.kind, 1);
      case Op::kGlobalLinearId:
        return in_line ? strided(value.kind, 1) : kVaryingShape;
      case Op::kGroupId:
        return restarts && (!in_line || along_x) ? kVaryingShape : kUniformShape;
      default:
        return kUniformShape;
    }
  }

  // Strides wrap like the values do.
  static Shape strided(Kind kind, std::uint64_t stride) {
    return {Shape::Rank::kStrided, sign_extend(stride, kind)};
  }

  std::uint64_t stride_of(const Value& value, std::size_t arg) const {
    return static_cast<std::uint64_t>(shapes_[value.args[arg]].stride);
  }
  std::optional<std::uint64_t> constant(const Value& value, std::size_t arg) const {
    const Value& operand = function_.values[value.args[arg]];
    if (operand.op != Op::kConst) return std::nullopt;
    return operand.imm;
  }

  // Operands are strided, one at least with a stride.
  Shape of_strided(const Value& value) const {
    switch (value.op) {
      case Op::kIAdd:
        return strided(value.kind, stride_of(value, 0) + stride_of(value, 1));
      case Op::kISub:
        return strided(value.kind, stride_of(value, 0) - stride_of(value, 1));
      case Op::kSNegate:
      case Op::kTruncate:
        return strided(value.kind,
                       value.op == Op::kSNegate ? 0 - stride_of(value, 0) : stride_of(value, 0));
      case Op::kIMul:
        if (const auto right = constant(value, 1))
          return strided(value.kind, stride_of(value, 0) * *right);
        if (const auto left = constant(value, 0))
          return strided(value.kind, stride_of(value, 1) * *left);
        return kVaryingShape;
      case Op::kShiftLeftLogical:
        if (const auto shift = constant(value, 1)) {
          return strided(value.kind, stride_of(value, 0) << (*shift % width_bits(value.kind)));
        }
        return kVaryingShape;
      case Op::kSignExtend:
      case Op::kZeroExtend:
        if (!extends_exactly(value.args[0])) return kVaryingShape;
        return strided(value.kind, stride_of(value, 0));
      default:
        return kVaryingShape;
    }
  }

  // True if widening keeps `scalar + stride * lane`: no lane's value has its sign bit set.
  bool extends_exactly(ValueId id) const {
    const std::int64_t stride = shapes_[id].stride;
    if (stride == 0) return true;
    const Kind kind = function_.values[id].kind;
    return width_bits(kind) >= 32 && bounds_[id] <= kind_mask(kind) >> 1 &&
           stride > -kMaxExactStride && stride < kMaxExactStride;
  }

  Shape of_address(const Value& value) const {
    for (const ValueId arg : value.args) {
      if (shapes_[arg].varying()) return kVaryingShape;
    }
    std::uint64_t stride = stride_of(value, 0);
    if (value.args.size() > 1) {
      if (value.extend != Extend::kNone && !extends_exactly(value.args[1])) return kVaryingShape;
      stride += stride_of(value, 1) * value.imm;
    }
    return strided(value.kind, stride);
  }

  Function& function_;
  const LowerOptions& options_;
  BlockOrder order_;
  Dominators dominators_;
  LoopForest forest_;
  std::vector<BlockId> lines_;
  UseLists uses_;
  UnsignedBounds bounds_;
  std::vector<bool> same_in_all_lanes_;  // private memory at these addresses
  DivergenceJoins joins_;
  std::vector<Shape> shapes_;
  std::vector<bool> queued_;
  std::vector<ValueId> queue_;
};

}  // namespace

void analyse_divergence(Function& function, const LowerOptions& options) {
  Divergence(function, options).run();
}

}  // namespace transpire::vm::lir
