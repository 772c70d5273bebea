// SPIR-V 1.0, 3.32.11: casts between storage classes, bit casts.
#include <fmt/format.h>

#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"

namespace transpire::validator {
namespace rules_casts {
namespace {

using spv::Op;
using spv::StorageClass;

constexpr ValidationRule kGenericCast{
    "UNI-40", "SPIR-V 1.0, 3.32.8 OpGenericPtrMemSemantics and 3.32.11",
    "casts lead from Workgroup, CrossWorkgroup or Function to Generic, or back",
    "Load from UniformConstant and Input memory directly: it has no Generic pointers."};

/// True if one is a multiple of the other.
bool divides(std::uint32_t a, std::uint32_t b) {
  return a != 0 && b != 0 && (a % b == 0 || b % a == 0);
}

bool is_concrete(std::optional<StorageClass> storage) {
  return storage == StorageClass::Workgroup || storage == StorageClass::CrossWorkgroup ||
         storage == StorageClass::Function || storage == StorageClass::CodeSectionINTEL ||
         storage == StorageClass::DeviceOnlyINTEL || storage == StorageClass::HostOnlyINTEL;
}

constexpr ValidationRule kVectorAddress{
    "V0014", "SPIR-V 1.5, 3.32.11 \"Conversion Instructions\", OpBitcast",
    "OpBitcast between a pointer and a vector of integers came with SPIR-V 1.5",
    "Go through an integer as wide as the pointer: cast the pointer to the integer, and the "
    "integer to the vector.",
    InField::kWarning};

constexpr ValidationRule kBooleanBits{
    "V0015", "SPIR-V 1.0, 3.32.11 \"Conversion Instructions\", OpBitcast",
    "OpBitcast does not take Booleans, which have no bits",
    "Select 1 or 0 by each Boolean and combine the numbers. Clang's optimiser writes vectors of "
    "Booleans as one integer with a bit for each.",
    InField::kWarning};

class Conversions {
 public:
  explicit Conversions(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Instruction& in = view_.at(i);
      const bool constant = in.op == Op::OpSpecConstantOp;
      check_instruction(i, constant ? static_cast<Op>(view_.word(i, 0)) : in.op, constant ? 1 : 0);
    }
  }

 private:
  void check_instruction(std::uint32_t i, Op op, std::size_t n);
  void check_cast(std::uint32_t i, Op op, std::size_t n);
  void check_bitcast(std::uint32_t i, std::size_t n);
  void check_pointer_bitcast(std::uint32_t i, Id from, Id to);

  void report_class(std::uint32_t i, int operand, std::string_view wanted, Id type) {
    context_.report(kGenericCast, Place::at(i, operand),
                    fmt::format("expected {}, found {}", wanted, context_.type(type)));
  }

  Context& context_;
  const ModuleView& view_;
};

void Conversions::check_instruction(std::uint32_t i, Op op, std::size_t n) {
  switch (op) {
    case Op::OpPtrCastToGeneric:
    case Op::OpGenericCastToPtr:
    case Op::OpGenericCastToPtrExplicit:
      check_cast(i, op, n);
      break;
    case Op::OpGenericPtrMemSemantics: {
      const Id type = view_.type_of(view_.word(i, n));
      if (view_.storage_class(type) != StorageClass::Generic)
        report_class(i, static_cast<int>(n), "a Generic pointer", type);
      break;
    }
    case Op::OpBitcast:
      check_bitcast(i, n);
      break;
    default:
      break;
  }
}

void Conversions::check_cast(std::uint32_t i, Op op, std::size_t n) {
  const Id from = view_.type_of(view_.word(i, n));
  const Id to = view_.at(i).type_id;
  const auto source = view_.storage_class(from);
  const auto target = view_.storage_class(to);
  constexpr std::string_view kConcrete =
      "a pointer to Workgroup, CrossWorkgroup or Function memory";
  constexpr std::string_view kGeneric = "a Generic pointer";
  const bool to_generic = op == Op::OpPtrCastToGeneric;
  if (to_generic ? !is_concrete(source) : source != StorageClass::Generic) {
    report_class(i, static_cast<int>(n), to_generic ? kConcrete : kGeneric, from);
  } else if (to_generic ? target != StorageClass::Generic : !is_concrete(target)) {
    report_class(i, Place::kType, to_generic ? kGeneric : kConcrete, to);
  } else if (op == Op::OpGenericCastToPtrExplicit &&
             static_cast<StorageClass>(view_.word(i, n + 1)) != target) {
    context_.report(kGenericCast, Place::at(i, static_cast<int>(n) + 1),
                    fmt::format("expected the storage class of the result, {}", context_.type(to)));
  } else if (!is_untyped_pointer(view_, from) && !is_untyped_pointer(view_, to) &&
             view_.pointee(from) != view_.pointee(to)) {
    context_.report(kOperandTypes, Place::at(i, Place::kType),
                    fmt::format("expected a pointer to the operand's {}, found {}",
                                context_.type(view_.pointee(from)), context_.type(to)),
                    {}, "A change of the storage class keeps the pointee: OpBitcast changes that.");
  }
}

void Conversions::check_bitcast(std::uint32_t i, std::size_t n) {
  const Id from = is_value(view_, view_.word(i, n)) ? view_.type_of(view_.word(i, n)) : 0;
  const Id to = view_.at(i).type_id;
  const std::uint64_t bits = bit_width(view_, from);
  const bool is_bools = is_vector(view_, from) && is_bool(view_, view_.component_type(from));
  if (is_bools && view_.is_int(to, component_count(view_, from))) {
    context_.report(kBooleanBits, Place::at(i, static_cast<int>(n)),
                    fmt::format("expected a pointer, a number or a vector of numbers, found {}",
                                context_.type(from)));
  } else if (bits == 0) {
    context_.report(kOperandTypes, Place::at(i, static_cast<int>(n)),
                    fmt::format("expected a pointer, a number or a vector of numbers, found {}",
                                context_.type(from)));
  } else if (bit_width(view_, to) == 0) {
    context_.report(kOperandTypes, Place::at(i, Place::kType),
                    fmt::format("expected a pointer, a number or a vector of numbers, found {}",
                                context_.type(to)));
  } else if (is_pointer(view_, from) || is_pointer(view_, to)) {
    check_pointer_bitcast(i, from, to);
  } else if (bits != bit_width(view_, to) ||
             !divides(component_count(view_, from), component_count(view_, to))) {
    context_.report(kOperandTypes, Place::at(i, Place::kType),
                    fmt::format("expected a type of {} bits, found {}", bits, context_.type(to)),
                    {}, "A bitcast keeps all bits; conversions change the width.");
  }
}

/// A pointer may be cast to a pointer of the same storage class or to an integer of the same width,
/// and from these.
void Conversions::check_pointer_bitcast(std::uint32_t i, Id from, Id to) {
  const bool both = is_pointer(view_, from) && is_pointer(view_, to);
  const Id other = is_pointer(view_, from) ? to : from;
  const bool as_wide = bit_width(view_, from) == bit_width(view_, to);
  if (both ? view_.storage_class(from) == view_.storage_class(to) : view_.is_int(other) && as_wide)
    return;
  if (!both && as_wide && view_.is_int(view_.component_type(other))) {
    if (view_.version() < 0x00010500)
      context_.report(kVectorAddress, Place::at(i, Place::kType),
                      fmt::format("expected an integer scalar before SPIR-V 1.5, found {}",
                                  context_.type(other)));
    return;
  }
  context_.report(
      kOperandTypes, Place::at(i, Place::kType),
      fmt::format("expected a pointer of the operand's storage class or an integer as wide for {}, "
                  "found {}",
                  context_.type(from), context_.type(to)));
}

void check(Context& context) { Conversions(context).check(); }

constexpr const ValidationRule* kRules[] = {&kGenericCast, &kVectorAddress, &kBooleanBits};

}  // namespace
}  // namespace rules_casts

const Family kCastFamily{"casts", rules_casts::kRules, rules_casts::check};

}  // namespace transpire::validator
