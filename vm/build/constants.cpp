#include "vm/build/constants.h"

#include <fmt/format.h>

#include <optional>

#include "base/narrow.h"
#include "vm/build/initial.h"

namespace transpire::vm::builder {
namespace {

constexpr unsigned kMaxConstantDepth = 256;

bool is_zero(const decoder::Constant& constant) {
  return constant.kind == decoder::Constant::Kind::kNull ||
         constant.kind == decoder::Constant::Kind::kUndef;
}

}  // namespace

Constants::Constants(Core& core, Temporaries& temporaries, Parts& parts, Checks& checks,
                     Dispatcher& dispatcher)
    : request_(core.request),
      position_(core.position),
      refusals_(core.refusals),
      writer_(core.writer),
      types_(core.types),
      ids_(core.ids),
      temporaries_(temporaries),
      parts_(parts),
      checks_(checks),
      dispatcher_(dispatcher) {}

Values Constants::value(const decoder::Constant& constant) {
  // An operation is computed where it is used; its values dominate nothing else.
  if (constant.kind == decoder::Constant::Kind::kOperation) return operation(constant);
  const auto known = known_.find(constant.id);
  if (known != known_.end()) return known->second;
  if (!refusals_.expect(constant.type != nullptr, "a constant has no type")) return {};
  const std::vector<Kind>& kinds = types_.layout(*constant.type).kinds;
  const std::uint64_t undefined_before = undefined_;
  ValueList values;
  if (types_.is_held(*constant.type)) {
    values = held(constant);
  } else {
    append(constant, values, 0);
  }
  bool fits = refusals_.failed() || values.size() == kinds.size();
  for (std::size_t c = 0; fits && !refusals_.failed() && c < kinds.size(); ++c)
    fits = writer_.kind_of(values[c]) == kinds[c];
  refusals_.expect(fits, "a constant's constituents are not of its type");
  const Values kept = ids_.keep(std::move(values));
  bool cacheable = !refusals_.failed() && undefined_ == undefined_before;
  for (const ValueId value : kept)
    cacheable = cacheable && writer_.function().values[value].block == kNoBlock;
  if (cacheable) known_[constant.id] = kept;
  return kept;
}

/// With --check=ub, in front of each instruction that uses it, once for all that the same operation left undefined.
void Constants::check_defined(const decoder::Constant& constant) {
  using decoder::Undefined;
  if (constant.undefined == Undefined::kNo || !request_.options.check_ub) return;
  ++undefined_;
  const auto place = std::pair{writer_.source(), writer_.current_block()};
  if (place != told_at_) told_.clear();
  told_at_ = place;
  if (!told_.insert(constant.undefined_by).second) return;
  const Rule rule = constant.undefined == Undefined::kDivisionByZero     ? Rule::kR0060
                    : constant.undefined == Undefined::kDivisionOverflow ? Rule::kR0061
                                                                         : Rule::kR0062;
  checks_.never(rule, writer_.constant(Kind::kBool, 1),
                fmt::format("by the specialisation of the constant {}",
                            request_.module.spell_id(constant.undefined_by)));
}

/// An OpSpecConstantOp is lowered like the instruction that it names, at its use.
Values Constants::operation(const decoder::Constant& constant) {
  Instruction instruction;
  instruction.op = constant.operation;
  instruction.type_id = constant.type == nullptr ? 0 : constant.type->id;
  instruction.result_id = constant.id;
  instruction.word_offset = constant.word_offset;
  instruction.operands = constant.elements;
  if (!refusals_.expect(operation_depth_ < kMaxConstantDepth,
                        "constant operations are nested too deep"))
    return {};
  writer_.count(1);  // an operation that uses itself through many others, twice each, would take
                     // exponential time
  if (refusals_.failed()) return {};
  ++operation_depth_;
  dispatcher_.dispatch(instruction);
  --operation_depth_;
  const auto result = position_.frame->bound.find(constant.id);
  if (refusals_.failed() || result == position_.frame->bound.end()) return {};
  const Values values = result->second.values;
  position_.frame->bound.erase(result);
  return values;
}

void Constants::append(const decoder::Constant& constant, ValueList& out, unsigned depth) {
  if (refusals_.failed() || !refusals_.expect(constant.type != nullptr && depth < kMaxConstantDepth,
                                              "a constant is nested too deep or has no type"))
    return;
  if (types_.layout(*constant.type).kinds.empty()) return;
  writer_.budget().work();
  if (!refusals_.expect(out.size() <= kMaxComponents,
                        "a constant has more constituents than its type"))
    return;
  const std::size_t before = out.size();
  switch (constant.kind) {
    case decoder::Constant::Kind::kScalar:
      check_defined(constant);
      out.push_back(writer_.constant(types_.scalar_kind(*constant.type), constant.bits));
      return;
    case decoder::Constant::Kind::kComposite:
      for (const Id element : constant.elements) {
        const decoder::Constant* part = request_.module.constant(element);
        if (part != nullptr) {
          append(*part, out, depth + 1);
        } else {
          append(ids_.value(element), out);
        }
      }
      // One constituent stands for all components.
      if (constant.type->is_cooperative_matrix() && out.size() == before + 1)
        out.resize(before + types_.layout(*constant.type).kinds.size(), out.back());
      return;
    case decoder::Constant::Kind::kNull:
      return append(temporaries_.zeros(*constant.type), out);
    case decoder::Constant::Kind::kUndef:
      return append(temporaries_.undefined(*constant.type), out);
    case decoder::Constant::Kind::kOperation:
      return append(operation(constant), out);
    case decoder::Constant::Kind::kSampler:
      return append_sampler(constant, out);
  }
}

void Constants::append_sampler(const decoder::Constant& constant, ValueList& out) {
  const std::optional<std::uint64_t> value = sampler_value(constant);
  if (refusals_.expect(value.has_value(), "a constant sampler has literals of no meaning"))
    out.push_back(writer_.constant(Kind::kI64, *value));
}

/// A large one, made before everything else, so once for all uses.
ValueList Constants::held(const decoder::Constant& constant) {
  if (is_zero(constant)) return temporaries_.zeros(*constant.type);
  ValueId temporary = kNoValue;
  writer_.in_prologue([&] {
    temporary = temporaries_.make(*constant.type);
    store(constant, {constant.type, temporary}, 0);
  });
  return {temporary};
}

void Constants::store(const decoder::Constant& constant, const Part& whole, unsigned depth) {
  if (refusals_.failed() || is_zero(constant)) return;
  if (constant.kind != decoder::Constant::Kind::kComposite)
    return refusals_.refuse(Rule::kU0007,
                            "a large constant that an operation makes is not supported");
  const Type& type = *whole.type;
  if (!refusals_.expect(
          depth < kMaxConstantDepth &&
              (type.is_cooperative_matrix() || constant.elements.size() == component_count(type)),
          "a constant's constituents are not of its type"))
    return;
  for (std::size_t i = 0; i < component_count(type) && !refusals_.failed(); ++i) {
    const Part part = parts_.component(whole, narrow<std::uint32_t>(i));
    if (refusals_.failed()) return;
    const decoder::Constant* element = request_.module.constant(constant.element(i));
    if (element != nullptr && element->type == part.type && types_.is_held(*part.type)) {
      store(*element, {part.type, parts_.address(part)}, depth + 1);
    } else {
      parts_.store(part, ids_.value(constant.element(i)));
    }
  }
}

}  // namespace transpire::vm::builder
