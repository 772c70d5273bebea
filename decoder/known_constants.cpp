// See known_constants.h. The components of each vector are computed once, when its operation is
// decoded, so nested operations take time linear in the number of words. Members of structures and
// arrays are found by following insertions and extractions, at most kMostSteps.
#include "decoder/known_constants.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace transpire::decoder {
namespace {

using Components = std::vector<KnownScalar>;
using Path = std::vector<std::uint32_t>;

constexpr std::uint32_t kMostSteps = 2 * kMaxConstantDepth;

bool is_integral(const Type& type) {
  return type.kind == Type::Kind::kInt || type.kind == Type::Kind::kBool;
}

const Type& component_of(const Type& type) {
  return type.kind == Type::Kind::kVector ? *type.element : type;
}

std::size_t count_of(const Type& type) {
  return type.kind == Type::Kind::kVector ? static_cast<std::size_t>(type.count) : 1;
}

std::uint32_t scalar_width(const Type& type) {
  return type.kind == Type::Kind::kBool ? 1 : type.width_bits;
}

bool is_scalar_or_vector(const Type& type) {
  return type.is_scalar() || type.kind == Type::Kind::kVector;
}

std::optional<Components> zeros(const Type& type) {
  if (!is_scalar_or_vector(type)) return std::nullopt;
  return Components(count_of(type), KnownScalar{{0, scalar_width(component_of(type))}, {}, 0});
}

/// Walks from a composite towards one of its parts.
class Walk {
 public:
  Walk(const Context& context, const Type& result, Id composite,
       std::span<const std::uint32_t> path)
      : context_(context), result_(result), at_(composite), path_(path.begin(), path.end()) {}

  std::optional<Components> run() {
    for (std::uint32_t steps = 0; steps < kMostSteps; ++steps) {
      const Constant* constant = context_.module.constant(at_);
      if (constant == nullptr) return std::nullopt;
      if (path_.empty() || constant->type->kind == Type::Kind::kVector) return end();
      if (constant->kind == Constant::Kind::kNull || constant->kind == Constant::Kind::kUndef)
        return zeros(result_);
      if (constant->kind == Constant::Kind::kComposite ? !enter(*constant) : !pass(*constant))
        return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  /// At a scalar or a vector: the whole value, or one component.
  std::optional<Components> end() const {
    std::optional<Components> all = known_components(context_, at_);
    if (!all || path_.empty()) return all;
    if (path_.size() != 1 || path_[0] >= all->size()) return std::nullopt;
    return Components{(*all)[path_[0]]};
  }

  bool enter(const Constant& composite) {
    const bool is_matrix = composite.type->is_cooperative_matrix();
    if (path_[0] >= (is_matrix ? composite.type->count : composite.elements.size())) return false;
    at_ = composite.element(path_[0]);
    path_.erase(path_.begin());
    return true;
  }

  /// Follows an operation that gives a structure or an array.
  bool pass(const Constant& operation) {
    if (operation.kind != Constant::Kind::kOperation) return false;
    const std::span<const std::uint32_t> operands = operation.elements;
    switch (operation.operation) {
      case spv::Op::OpCompositeInsert:
        return pass_insertion(operands);
      case spv::Op::OpCompositeExtract:
        if (operands.empty()) return false;
        at_ = operands[0];
        path_.insert(path_.begin(), operands.begin() + 1, operands.end());
        return path_.size() <= kMostSteps;
      case spv::Op::OpSelect: {
        if (operands.size() != 3) return false;
        const std::optional<Components> condition = known_components(context_, operands[0]);
        if (!condition || condition->size() != 1) return false;
        at_ = operands[(*condition)[0].value.bits != 0 ? 1 : 2];
        return true;
      }
      default:
        return false;
    }
  }

  bool pass_insertion(std::span<const std::uint32_t> operands) {
    if (operands.size() < 3) return false;
    const std::span<const std::uint32_t> into = operands.subspan(2);
    const std::size_t common = std::min(into.size(), path_.size());
    if (!std::equal(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(common),
                    path_.begin())) {
      at_ = operands[1];
      return true;
    }
    if (into.size() > path_.size()) return false;  // inserts only a part of the wanted value
    at_ = operands[0];
    path_.erase(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(into.size()));
    return true;
  }

  const Context& context_;
  const Type& result_;
  Id at_;
  Path path_;
};

double float_of(FoldOperand operand) {
  return operand.width_bits == 32
             ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits)))
             : std::bit_cast<double>(operand.bits);
}

/// For products, sums and quotients of two floats, rounding to double and then to float gives the
/// correctly rounded float.
std::uint64_t bits_of_float(double value, std::uint32_t width_bits) {
  return width_bits == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                          : std::bit_cast<std::uint64_t>(value);
}

double modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::optional<double> fold_floats(spv::Op op, std::span<const FoldOperand> operands) {
  const double a = float_of(operands[0]);
  if (op == spv::Op::OpFNegate) return -a;
  if (op == spv::Op::OpFConvert) return a;
  if (operands.size() != 2) return std::nullopt;
  const double b = float_of(operands[1]);
  switch (op) {
    case spv::Op::OpFAdd:
      return a + b;
    case spv::Op::OpFSub:
      return a - b;
    case spv::Op::OpFMul:
      return a * b;
    case spv::Op::OpFDiv:
      return a / b;
    case spv::Op::OpFRem:
      return std::fmod(a, b);
    case spv::Op::OpFMod:
      return modulo(a, b);
    default:
      return std::nullopt;
  }
}

/// The integer value of a float; none if the type does not have it, because the result is then
/// undefined.
std::optional<std::uint64_t> integer_of(double value, bool is_signed, std::uint32_t width_bits) {
  const double limit = std::ldexp(1.0, static_cast<int>(width_bits) - (is_signed ? 1 : 0));
  const double whole = std::trunc(value);
  if (!(whole < limit) || !(whole >= (is_signed ? -limit : 0.0))) return std::nullopt;
  const std::uint64_t bits = is_signed
                                 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole))
                                 : static_cast<std::uint64_t>(whole);
  return width_bits >= 64 ? bits : bits & ((std::uint64_t{1} << width_bits) - 1);
}

double number_of(FoldOperand integer, bool is_signed) {
  if (!is_signed) return static_cast<double>(integer.bits);
  const std::uint32_t unused = 64 - integer.width_bits;
  return static_cast<double>(static_cast<std::int64_t>(integer.bits << unused) >> unused);
}

/// One component of an operation that takes or gives floats.
std::optional<std::uint64_t> fold_with_floats(spv::Op op, std::span<const FoldOperand> operands,
                                              std::uint32_t width_bits) {
  if (op == spv::Op::OpConvertFToU || op == spv::Op::OpConvertFToS)
    return integer_of(float_of(operands[0]), op == spv::Op::OpConvertFToS, width_bits);
  if (op == spv::Op::OpBitcast)
    return operands[0].width_bits == width_bits ? std::optional(operands[0].bits) : std::nullopt;
  if (op == spv::Op::OpSelect && operands.size() == 3)
    return operands[operands[0].bits != 0 ? 1 : 2].bits;
  if (op == spv::Op::OpConvertSToF || op == spv::Op::OpConvertUToF) {
    const double number = number_of(operands[0], op == spv::Op::OpConvertSToF);
    // A long must be rounded to float once, not by way of double.
    if (width_bits == 32 && std::abs(number) > 0x1p53) return std::nullopt;
    return bits_of_float(number, width_bits);
  }
  const std::optional<double> value = fold_floats(op, operands);
  return value ? std::optional(bits_of_float(*value, width_bits)) : std::nullopt;
}

/// One component of an operation, with the reason if it is undefined.
class Component {
 public:
  Component(spv::Op op, std::span<const KnownScalar> operands) : op_(op) {
    for (const KnownScalar& operand : operands) operands_.push_back(operand.value);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool selected =
          op != spv::Op::OpSelect || i == 0 || i == (operands[0].value.bits != 0 ? 1u : 2u);
      if (selected && operands[i].undefined != Undefined::kNo) inherited_ = operands[i];
    }
  }

  /// `undefined_by` stays 0 if this operation itself is undefined.
  std::optional<KnownScalar> of_integers(std::uint32_t width_bits) const {
    if (fold_operand_count(op_) != operands_.size()) return std::nullopt;
    KnownScalar result{{fold(op_, operands_, width_bits), width_bits}, {}, 0};
    result.undefined = undefined_result(op_, operands_);
    return inheriting(result);
  }
  std::optional<KnownScalar> of_floats(std::uint32_t width_bits) const {
    const auto bits = fold_with_floats(op_, operands_, width_bits);
    if (!bits) return std::nullopt;
    return inheriting({{*bits, width_bits}, {}, 0});
  }

 private:
  KnownScalar inheriting(KnownScalar result) const {
    if (result.undefined != Undefined::kNo) return result;
    result.undefined = inherited_.undefined;
    result.undefined_by = inherited_.undefined_by;
    return result;
  }

  spv::Op op_;
  std::vector<FoldOperand> operands_;
  KnownScalar inherited_;
};

bool may_have_floats(const Type& type) {
  return type.kind == Type::Kind::kFloat && (type.width_bits == 32 || type.width_bits == 64);
}

/// Operations on each component by itself. A scalar condition chooses between whole vectors.
std::optional<Components> each(const Context& context, const Type& result, spv::Op op,
                               std::span<const Id> ids) {
  const Type& component = component_of(result);
  bool has_floats = !is_integral(component);
  if (has_floats && !may_have_floats(component)) return std::nullopt;
  std::vector<Components> operands;
  for (const Id id : ids) {
    std::optional<Components> known = known_components(context, id);
    if (!known || (known->size() != 1 && known->size() != count_of(result))) return std::nullopt;
    const Type& type = component_of(*context.module.type_of(id));
    if (!is_integral(type) && !may_have_floats(type)) return std::nullopt;
    has_floats = has_floats || !is_integral(type);
    operands.push_back(std::move(*known));
  }
  if (operands.empty()) return std::nullopt;
  Components made;
  for (std::size_t n = 0; n < count_of(result); ++n) {
    std::vector<KnownScalar> of_component;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_condition = op == spv::Op::OpSelect && i == 0;
      if (operands[i].size() != count_of(result) && !is_condition) return std::nullopt;
      of_component.push_back(operands[i][operands[i].size() == 1 ? 0 : n]);
    }
    const Component one(op, of_component);
    const auto value = has_floats ? one.of_floats(scalar_width(component))
                                  : one.of_integers(scalar_width(component));
    if (!value) return std::nullopt;
    made.push_back(*value);
  }
  return made;
}

std::optional<Components> shuffle(const Context& context, std::span<const std::uint32_t> operands) {
  if (operands.size() < 2) return std::nullopt;
  std::optional<Components> all = known_components(context, operands[0]);
  const std::optional<Components> second = known_components(context, operands[1]);
  if (!all || !second || all->empty()) return std::nullopt;
  all->insert(all->end(), second->begin(), second->end());
  Components made;
  for (const std::uint32_t number : operands.subspan(2)) {
    if (number == 0xffffffffu)
      made.push_back({{0, (*all)[0].value.width_bits}, {}, 0});
    else if (number < all->size())
      made.push_back((*all)[number]);
    else
      return std::nullopt;
  }
  return made;
}

/// Inserts into a vector. Walk follows insertions into structures and arrays.
std::optional<Components> insert(const Context& context, std::span<const std::uint32_t> operands) {
  if (operands.size() != 3) return std::nullopt;
  const std::optional<Components> object = known_components(context, operands[0]);
  std::optional<Components> into = known_components(context, operands[1]);
  if (!object || object->size() != 1 || !into || operands[2] >= into->size()) return std::nullopt;
  (*into)[operands[2]] = (*object)[0];
  return into;
}

}  // namespace

std::optional<Components> known_components(const Context& context, Id id) {
  const Constant* constant = context.module.constant(id);
  if (constant == nullptr || !is_scalar_or_vector(*constant->type)) return std::nullopt;
  switch (constant->kind) {
    case Constant::Kind::kScalar:
      return Components{{{constant->bits, scalar_width(*constant->type)},
                         constant->undefined,
                         constant->undefined_by}};
    case Constant::Kind::kNull:
    case Constant::Kind::kUndef:
      return zeros(*constant->type);
    case Constant::Kind::kComposite: {
      Components all;
      for (const Id element : constant->elements) {
        const std::optional<Components> one = known_components(context, element);
        if (!one || one->size() != 1) return std::nullopt;
        all.push_back((*one)[0]);
      }
      return all;
    }
    default:
      break;
  }
  const auto known = context.known_operations.find(id);
  if (known == context.known_operations.end()) return std::nullopt;
  return known->second;
}

std::optional<Components> known_result(const Context& context, const Type& result, spv::Op op,
                                       std::span<const std::uint32_t> operands) {
  if (!is_scalar_or_vector(result)) return std::nullopt;
  std::optional<Components> made;
  if (op == spv::Op::OpCompositeExtract)
    made = operands.empty() ? std::nullopt
                            : Walk(context, result, operands[0], operands.subspan(1)).run();
  else if (op == spv::Op::OpVectorShuffle)
    made = shuffle(context, operands);
  else if (op == spv::Op::OpCompositeInsert)
    made = insert(context, operands);
  else
    made = each(context, result, op, operands);
  // Another rule reports types that do not fit.
  if (!made || made->size() != count_of(result)) return std::nullopt;
  for (const KnownScalar& scalar : *made)
    if (scalar.value.width_bits != scalar_width(component_of(result))) return std::nullopt;
  return made;
}

}  // namespace transpire::decoder
