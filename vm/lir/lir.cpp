// LIR's own operations: adding values, argument slots, printing. verify() stands in
// verify.cpp.
#include "vm/lir/lir.h"

#include <fmt/format.h>

#include <bit>

#include "base/narrow.h"
#include "base/rule.h"
#include "vm/lir/budget.h"
#include "vm/program/immediates.h"

namespace transpire::vm::lir {
namespace {

std::uint64_t low_bits(Kind kind, std::uint64_t bits) {
  const std::uint32_t width = width_bits(kind);
  return width == 0 || width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

const char* space_name(Space space) {
  switch (space) {
    case Space::kGlobal:
      return "global";
    case Space::kConstant:
      return "constant";
    case Space::kWorkgroup:
      return "workgroup";
    case Space::kPrivate:
      return "private";
    case Space::kGeneric:
      return "generic";
    case Space::kShadowGlobal:
      return "shadow of global";
    case Space::kShadowWorkgroup:
      return "shadow of workgroup";
    case Space::kShadow:
      return "shadow";
  }
  return "?";
}

std::string spell_constant(const Value& value) {
  switch (value.kind) {
    case Kind::kBool:
      return value.imm != 0 ? "true" : "false";
    case Kind::kF32:
      return fmt::format("f32:{}",
                         std::bit_cast<float>(narrow<std::uint32_t>(value.imm & 0xffffffffu)));
    case Kind::kF64:
      return fmt::format("f64:{}", std::bit_cast<double>(value.imm));
    case Kind::kF16:
      return fmt::format("f16:{:#06x}", value.imm);
    default: {
      const unsigned unused = 64 - width_bits(value.kind);
      const auto number = static_cast<std::int64_t>(value.imm << unused) >> unused;
      return fmt::format("{}:{}", kind_name(value.kind), number);
    }
  }
}

class Printer {
 public:
  explicit Printer(const Function& function) : f_(function) {}

  std::string run() {
    fmt::format_to(out(), "kernel {}\n", f_.name);
    header();
    for (BlockId b = 0; b < f_.blocks.size(); ++b) block(b);
    return std::move(text_);
  }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  std::string spell(ValueId id) const {
    if (id >= f_.values.size()) return "%?";
    const Value& value = f_.values[id];
    return value.op == Op::kConst ? spell_constant(value) : fmt::format("%{}", id);
  }

  void header() {
    for (const Parameter& p : f_.parameters) {
      static constexpr const char* kKinds[] = {"value", "pointer", "by value", "unsupported"};
      fmt::format_to(out(), "  parameter {}: {}, slots {}+{}{}\n", p.name,
                     kKinds[static_cast<int>(p.kind)], p.first_slot, p.slot_count,
                     p.no_write ? ", no write" : "");
    }
    std::uint32_t slot = workgroup_slot(0);
    for (const WorkgroupVariable& v : f_.workgroup_variables)
      fmt::format_to(out(), "  workgroup {}: {} bytes, slot {}\n", v.name, v.size_bytes, slot++);
    for (const ProgramVariable& v : f_.program_variables)
      fmt::format_to(out(), "  {} {}: {} bytes, slot {}\n", v.is_constant ? "constant" : "global",
                     v.name, v.size_bytes, slot++);
    for (const PrivateVariable& v : f_.private_variables)
      fmt::format_to(out(), "  private {}: {} bytes, slot {}\n", v.name, v.size_bytes, slot++);
    for (ValueId id = 0; id < f_.values.size(); ++id)
      if (f_.values[id].op == Op::kArgument) line(id);
  }

  std::uint32_t workgroup_slot(std::uint32_t i) const { return f_.workgroup_slot(i); }

  void block(BlockId id) {
    const Block& b = f_.blocks[id];
    fmt::format_to(out(), "b{}:", id);
    for (std::size_t i = 0; i < b.preds.size(); ++i)
      fmt::format_to(out(), "{} b{}", i == 0 ? " from" : "", b.preds[i]);
    text_ += '\n';
    for (const ValueId phi : b.phis) line(phi);
    for (const ValueId value : b.instructions) line(value);
    if (b.terminator == kNoValue) return;
    line(b.terminator, &b);
  }

  void line(ValueId id, const Block* terminated = nullptr) {
    const Value& v = f_.values[id];
    text_ += "  ";
    if (v.kind != Kind::kVoid) fmt::format_to(out(), "%{} {} = ", id, kind_name(v.kind));
    text_ += info(v.op).name;
    if (!memory(v)) {
      for (std::size_t i = 0; i < v.args.size(); ++i)
        fmt::format_to(out(), "{}{}", i == 0 ? " " : ", ", spell(v.args[i]));
      immediate(v);
    }
    if (terminated != nullptr) targets(*terminated);
    if (v.spread == Spread::kUniform) text_ += "  ; uniform";
    if (v.spread == Spread::kAffine) fmt::format_to(out(), "  ; affine {}", v.stride);
    text_ += '\n';
  }

  void copy_check(const CopyCheck& check) {
    fmt::format_to(out(), " ({} bytes, {})", check.bytes, check.writes ? "written" : "read");
  }

  void immediate(const Value& v) {
    switch (info(v.op).imm) {
      case Imm::kNumber:
      case Imm::kDimension:
      case Imm::kPrintf:
      case Imm::kEnqueue:
        fmt::format_to(out(), " [{}]", v.imm);
        return;
      case Imm::kRounding: {
        static constexpr const char* kModes[] = {"", " rtz", " rtp", " rtn"};
        text_ += kModes[v.imm & 3];
        return;
      }
      case Imm::kAccess:
      case Imm::kCopy:
        if (v.imm < f_.mem.size()) access(v, f_.mem[v.imm]);
        return;
      case Imm::kGroup:
        return group(v.op, GroupOperation::decode(v.imm));
      case Imm::kProduct:
        return product(ProductOperation::decode(v.imm));
      case Imm::kWait: {
        const auto [event_bytes, checked] = WaitOperation::decode(v.imm);
        fmt::format_to(out(), " (events of {} bytes{})", event_bytes, checked ? ", checked" : "");
        return;
      }
      case Imm::kCopyCheck:
        return copy_check(CopyCheck::decode(v.imm));
      case Imm::kAliasCheck:
        text_ += AliasCheck::decode(v.imm).writes ? " (written)" : " (read)";
        return;
      case Imm::kRuleCheck: {
        const RuleCheck check = RuleCheck::decode(v.imm);
        fmt::format_to(out(), " ({}", rule_id(static_cast<Rule>(check.rule)));
        if (check.remark != 0 && check.remark <= f_.remarks.size())
          fmt::format_to(out(), ": {}", f_.remarks[check.remark - 1]);
        text_ += ')';
        return;
      }
      case Imm::kPipe: {
        const PipeOperation operation = PipeOperation::decode(v.imm);
        fmt::format_to(out(), " ({}{})", operation.writes ? "write" : "read",
                       operation.capacity ? ", capacity" : "");
        return;
      }
      case Imm::kImage:
        return image(ImageOperation::decode(v.imm));
      case Imm::kQuery:
        return query(ImageQuery::decode(v.imm));
      case Imm::kOpcode:
        fmt::format_to(out(), " {}", decoder::opcode_name(static_cast<spv::Op>(v.imm)));
        return;
      default:
        return;
    }
  }

  /// ` (2d array, f32 coordinates, level, f32x4)`
  void image(const ImageOperation& operation) {
    static constexpr const char* kDetails[] = {"", ", level", ", gradients"};
    fmt::format_to(out(), " ({}d{}, {} coordinates{}{}, {}x{})", operation.dimensions,
                   operation.arrayed ? " array" : "", operation.float_coordinates ? "f32" : "i32",
                   kDetails[static_cast<int>(operation.detail) % 3],
                   operation.has_sample ? ", sample" : "", kind_name(operation.kind),
                   operation.components);
  }

  void query(const ImageQuery& query) {
    static constexpr const char* kWhat[] = {"size",  "layers", "format",
                                            "order", "levels", "samples"};
    fmt::format_to(out(), " ({}d{}, {} {})", query.dimensions, query.arrayed ? " array" : "",
                   kWhat[static_cast<int>(query.what) % 6], query.dimension);
  }

  /// ` (16 x 8 x 4, sub-group of 32)`: the product has 16 rows and 8 columns.
  void product(const ProductOperation& operation) {
    fmt::format_to(out(), " ({} x {} x {}, sub-group of {})", operation.rows, operation.columns,
                   operation.inner, operation.items);
  }

  /// ` (fadd inclusive, sub-group of 32)`
  void group(Op op, GroupOperation operation) {
    static constexpr const char* kCombines[] = {"iadd", "fadd", "imul", "fmul", "smin",
                                                "umin", "fmin", "smax", "umax", "fmax",
                                                "and",  "or",   "xor"};
    static constexpr const char* kScans[] = {"reduce", "inclusive", "exclusive"};
    text_ += " (";
    if (op == Op::kGroupCombine || op == Op::kGroupCombineAmong)
      fmt::format_to(out(), "{} {}, ", kCombines[static_cast<int>(operation.combine)],
                     kScans[static_cast<int>(operation.scan)]);
    if (operation.size == 0)
      text_ += "work-group)";
    else
      fmt::format_to(out(), "{} of {})", operation.uniform ? "whole sub-group" : "sub-group",
                     operation.size);
  }

  /// Addresses and accesses: ` %1 + %2 * 4 + 8`, then the stored values and what is accessed.
  bool memory(const Value& v) {
    if (v.op == Op::kAddress) {
      place(v, v.args.size(), static_cast<std::int64_t>(v.imm), v.imm2);
      return true;
    }
    const bool is_access = v.op == Op::kLoad || v.op == Op::kStore;
    if (!is_access || v.imm >= f_.mem.size()) return false;
    const MemAccess& m = f_.mem[v.imm];
    const std::size_t values = v.op == Op::kStore ? m.components : 0;
    place(v, v.args.size() - values, m.scale, m.offset);
    for (std::size_t i = v.args.size() - values; i < v.args.size(); ++i)
      fmt::format_to(out(), ", {}", spell(v.args[i]));
    access(v, m);
    return true;
  }

  /// ` (global i32x4, align 16, volatile)`; of a copy ` (workgroup i8x4 from global, align 1)`
  void access(const Value& v, const MemAccess& m) {
    fmt::format_to(out(), " ({} {}", space_name(m.space), kind_name(m.kind));
    if (m.components > 1) fmt::format_to(out(), "x{}", m.components);
    if (info(v.op).imm == Imm::kCopy) fmt::format_to(out(), " from {}", space_name(m.source_space));
    fmt::format_to(out(), ", align {}{}", m.align_bytes, m.is_volatile ? ", volatile" : "");
    if (v.op == Op::kAsyncCopy)
      fmt::format_to(out(), ", stride of the {}{}", m.scale != 0 ? "target" : "source",
                     m.offset != 0 ? ", checked" : "");
    for (std::size_t i = 0; i < m.parts.size(); ++i)
      fmt::format_to(out(), "{}{}+{}", i == 0 ? ", parts " : " ", m.parts[i].first,
                     m.parts[i].components);
    if (m.no_write_parameter != 0) fmt::format_to(out(), ", no write {}", m.no_write_parameter - 1);
    text_ += ')';
  }

  void place(const Value& v, std::size_t operands, std::int64_t scale, std::int64_t offset) {
    static constexpr const char* kExtends[] = {"", "s32 ", "u32 "};
    fmt::format_to(out(), " {}", spell(v.args[0]));
    const char* extend = kExtends[static_cast<int>(v.extend)];
    if (operands == 2)
      fmt::format_to(out(), " + {}{} * {}", extend, spell(v.args[1]), scale);
    else if (operands == 3)
      fmt::format_to(out(), " + {}({} + {}) * {}", extend, spell(v.args[1]), spell(v.args[2]),
                     scale);
    if (offset != 0) fmt::format_to(out(), " + {}", offset);
  }

  void targets(const Block& b) {
    for (std::size_t i = 0; i < b.targets.size(); ++i)
      fmt::format_to(out(), "{} b{}", i == 0 && f_.values[b.terminator].args.empty() ? "" : ",",
                     b.targets[i]);
    for (const SwitchCase& c : b.cases) fmt::format_to(out(), ", {}: {}", c.value, c.target);
  }

  const Function& f_;
  std::string text_;
};

}  // namespace

std::uint32_t result_components(const Function& function, const Value& value) {
  if (is_image_read(value.op)) return ImageOperation::decode(value.imm).components;
  if (value.op == Op::kGroupProduct) return ProductOperation::decode(value.imm).results();
  const bool is_load = value.op == Op::kLoad && value.imm < function.mem.size();
  return is_load ? function.mem[value.imm].components : 0;
}

Kind operand_kind(const Value& value) {
  switch (info(value.op).shape) {
    case Shape::kCompare:
    case Shape::kTest:
    case Shape::kFloatInt:
      return value.from;
    case Shape::kMask:
    case Shape::kMaskUnary:
      return Kind::kBool;
    default:
      return value.kind;
  }
}

ValueId Function::add(Value value) {
  take(cost::kValue + value.args.size() * cost::kOperand);
  work();
  values.push_back(std::move(value));
  return narrow<ValueId>(values.size() - 1);
}

ValueId Function::constant(Kind kind, std::uint64_t bits) {
  bits = low_bits(kind, bits);
  const auto [entry, is_new] = constants.try_emplace({kind, bits}, kNoValue);
  if (!is_new && entry->second < values.size()) {
    const Value& known = values[entry->second];
    if (known.op == Op::kConst && known.kind == kind && known.imm == bits) return entry->second;
  }
  Value value;
  value.op = Op::kConst;
  value.kind = value.from = kind;
  value.imm = bits;
  return entry->second = add(std::move(value));
}

std::uint32_t Function::workgroup_slot(std::uint32_t index) const {
  std::uint32_t slots = 0;
  for (const Parameter& parameter : parameters) slots += parameter.slot_count;
  return slots + index;
}

std::uint32_t Function::program_slot(std::uint32_t index) const {
  return workgroup_slot(narrow<std::uint32_t>(workgroup_variables.size())) + index;
}

bool Function::may_share(Space a, Space b) const {
  if (a == b) return true;
  const auto any = [&](Space space) { return a == space || b == space; };
  // The targets of constant pointers change only in such launches.
  if (any(Space::kConstant))
    return constants_change && (any(Space::kGlobal) || any(Space::kGeneric));
  if (memory::is_shadow(a) || memory::is_shadow(b))
    return any(Space::kShadow) && memory::is_shadow(a) && memory::is_shadow(b);
  return any(Space::kGeneric);
}

std::uint32_t Function::private_slot(std::uint32_t index) const {
  return program_slot(narrow<std::uint32_t>(program_variables.size())) + index;
}

std::string print(const Function& function) { return Printer(function).run(); }

}  // namespace transpire::vm::lir
