// Checks an instruction against its row: classes of types, relations, and the messages for a
// mismatch.
#include "validator/signature_check.h"

#include <fmt/format.h>

#include "decoder/view/type_queries.h"
#include "validator/operand_rule.h"
#include "validator/type_hints.h"

namespace transpire::validator {

using spv::Op;

bool SignatureCheck::has_scalar_class(Id type, TypeClass wanted) const {
  const bool integer = view_.is_int(type), real = view_.is_float(type),
             boolean = is_bool(view_, type);
  switch (wanted) {
    case TypeClass::kInt:
    case TypeClass::kInts:
    case TypeClass::kIntv:
      return integer;
    case TypeClass::kFloat:
    case TypeClass::kFloats:
    case TypeClass::kFloatv:
      return real;
    case TypeClass::kBool:
    case TypeClass::kBools:
    case TypeClass::kBoolv:
      return boolean;
    case TypeClass::kNum:
    case TypeClass::kNums:
      return integer || real;
    default:
      return integer || real || boolean;
  }
}

bool SignatureCheck::has_class(Id type, TypeClass wanted) const {
  const bool is_vector_type = is_vector(view_, type);
  switch (wanted) {
    case TypeClass::kInt:
    case TypeClass::kFloat:
    case TypeClass::kBool:
    case TypeClass::kNum:
    case TypeClass::kScalar:
      return has_scalar_class(type, wanted);
    case TypeClass::kInts:
    case TypeClass::kFloats:
    case TypeClass::kBools:
    case TypeClass::kNums:
    case TypeClass::kScalars:
      return has_scalar_class(view_.component_type(type), wanted);
    case TypeClass::kDiscretes:
      return view_.is_int(view_.component_type(type)) || is_bool(view_, view_.component_type(type));
    case TypeClass::kIntv:
    case TypeClass::kFloatv:
    case TypeClass::kBoolv:
    case TypeClass::kVec:
      return is_vector_type && has_scalar_class(view_.component_type(type), wanted);
    case TypeClass::kGeometric:
      return view_.is_float(view_.component_type(type)) && component_count(view_, type) <= 4;
    case TypeClass::kCross:
      return is_vector_type && view_.is_float(view_.component_type(type)) &&
             component_count(view_, type) >= 3 && component_count(view_, type) <= 4;
    case TypeClass::kBallot:
      return is_vector_type && component_count(view_, type) == 4 &&
             view_.is_int(view_.component_type(type), 32);
    case TypeClass::kSize:
      return view_.is_int(type, address_width(view_));
    case TypeClass::kLocalid:
      return view_.is_int(view_.component_type(type)) && component_count(view_, type) <= 3;
    case TypeClass::kFn:
    case TypeClass::kAny:
      return true;
    default:
      return has_object_class(type, wanted);
  }
}

/// Classes of types that a single opcode declares, and structures.
bool SignatureCheck::has_object_class(Id type, TypeClass wanted) const {
  const Op op = view_.op_of(type);
  switch (wanted) {
    case TypeClass::kValue:
      return view_.is_type(type) && op != Op::OpTypeVoid && op != Op::OpTypeFunction;
    case TypeClass::kVoid:
      return op == Op::OpTypeVoid;
    case TypeClass::kStruct:
      return op == Op::OpTypeStruct;
    case TypeClass::kEvent:
      return op == Op::OpTypeEvent;
    case TypeClass::kDevevent:
      return op == Op::OpTypeDeviceEvent;
    case TypeClass::kQueue:
      return op == Op::OpTypeQueue;
    case TypeClass::kReserve:
      return op == Op::OpTypeReserveId;
    case TypeClass::kPipe:
      return op == Op::OpTypePipe;
    case TypeClass::kStorage:
      return op == Op::OpTypePipeStorage;
    case TypeClass::kBarrier:
      return op == Op::OpTypeNamedBarrier;
    case TypeClass::kPair:
      return op == Op::OpTypeStruct && part_count(view_, type) == 2u &&
             part_type(view_, type, 0) == part_type(view_, type, 1) &&
             view_.is_int(view_.component_type(part_type(view_, type, 0)));
    default:
      return is_pointer(view_, type) && is_pointer_to(type, wanted);
  }
}

bool SignatureCheck::is_pointer_to(Id type, TypeClass wanted) const {
  using spv::StorageClass;
  const auto storage = view_.storage_class(type).value_or(StorageClass::Max);
  const bool writable =
      storage == StorageClass::CrossWorkgroup || storage == StorageClass::Workgroup ||
      storage == StorageClass::Function || storage == StorageClass::Generic ||
      storage == StorageClass::DeviceOnlyINTEL || storage == StorageClass::HostOnlyINTEL;
  switch (wanted) {
    case TypeClass::kEventptr:
      return is_untyped_pointer(view_, type) || view_.op_of(view_.pointee(type)) == Op::OpTypeEvent;
    case TypeClass::kOutptr:
      return writable;
    case TypeClass::kInptr:
      return writable || storage == StorageClass::UniformConstant;
    case TypeClass::kGlobalptr:
      return storage == StorageClass::CrossWorkgroup;
    case TypeClass::kTextptr:
      return storage == StorageClass::UniformConstant &&
             (is_untyped_pointer(view_, type) || view_.is_int(view_.pointee(type), 8));
    default:
      return true;
  }
}

bool SignatureCheck::holds(std::uint32_t i, std::size_t first, Id type, Relation relation) const {
  const auto width = static_cast<std::uint32_t>(relation.other);
  if (relation.kind == ':') return component_width(view_, type) == width;
  if (relation.kind == '&')
    return is_untyped_pointer(view_, type) || view_.is_float(view_.pointee(type), width);
  const Id other = other_type(i, first, relation.other);
  if (!view_.is_type(other)) return true;  // reported at its own place
  return holds_between(type, other, relation.kind);
}

bool SignatureCheck::holds_between(Id type, Id other, char kind) const {
  const Id pointee = view_.pointee(type);
  const bool leads_anywhere = is_untyped_pointer(view_, type);
  switch (kind) {
    case '=':
      return type == other;
    case '#':
      return component_count(view_, type) == component_count(view_, other);
    case '%':
      return component_width(view_, type) == component_width(view_, other);
    case '!':
      return component_width(view_, type) != component_width(view_, other);
    case '.':
      return type == view_.component_type(other);
    case '^':
      return view_.component_type(type) == other;
    case ',':
      return view_.component_type(type) == view_.component_type(other);
    case '/':
      return component_width(view_, type) * 2 == component_width(view_, other);
    case '>':
      return leads_anywhere || pointee == other;
    case '<':
      return type == pointee_seen_as(view_, other, type);
    case '$':
      return leads_anywhere || pointee == view_.component_type(other);
    case '~':
      return leads_anywhere || (view_.is_int(view_.component_type(pointee), 32) &&
                                component_count(view_, pointee) == component_count(view_, other));
    case '@':
      return type == part_type(view_, other, 0);
    default:
      return true;
  }
}

std::string SignatureCheck::spell_relation(std::uint32_t i, std::size_t first,
                                           Relation relation) const {
  if (relation.kind == ':') return fmt::format("of {} bits", relation.other);
  if (relation.kind == '&') return fmt::format("to floats of {} bits", relation.other);
  const Id other = other_type(i, first, relation.other);
  const std::string type = context_.type(other);
  const std::string whose = relation.other == Relation::kResult
                                ? "the result's type"
                                : fmt::format("operand {}'s type", relation.other + 1);
  switch (relation.kind) {
    case '=':
      return fmt::format("of {}, {}", whose, type);
    case '#':
      return fmt::format("with as many components as {}, {}", whose, type);
    case '%':
      return fmt::format("as wide as {}, {}", whose, type);
    case '!':
      return fmt::format("of another width than {}, {}", whose, type);
    case '.':
      return fmt::format("of the component type of {}, {}", whose, type);
    case '^':
      return fmt::format("whose components have {}, {}", whose, type);
    case '>':
      return fmt::format("to {}, {}", whose, type);
    case '<':
      return fmt::format("of the type that {} points to, {}", whose,
                         context_.type(view_.pointee(other)));
    case ',':
      return fmt::format("of the component type of {}, {}", whose, type);
    case '/':
      return fmt::format("half as wide as {}, {}", whose, type);
    case '$':
      return fmt::format("to the component type of {}, {}", whose, type);
    case '~':
      return fmt::format("to 32-bit integers, as many as {}, {}, has components", whose, type);
    case '@':
      return fmt::format("of the members' type, {}", context_.type(part_type(view_, other, 0)));
    default:
      return {};
  }
}

std::string SignatureCheck::hint_for_relation(char kind, Id found, Id other) const {
  if (kind == '=' || kind == '%') return hint_for_types(view_, found, other);
  return kind == '#' ? hint_for_length(view_, found, other) : std::string();
}

/// Returns false after a report.
bool SignatureCheck::check_type(std::uint32_t i, int operand, std::size_t first, Id type,
                                const OperandSignature& wanted) {
  if (wanted.type_class == TypeClass::kAny) return true;
  // A result's type is declared, so a conversion is no help.
  const bool is_result = operand == Place::kType;
  const auto report = [&](const std::string& expected, std::string hint) {
    if (is_result)
      hint = "The instruction's result must have that type; convert what it gives afterwards.";
    context_.report(rule_, Place::at(i, operand),
                    fmt::format("expected {}, found {}", expected, context_.type(type)), {},
                    std::move(hint));
    return false;
  };
  if (!has_class(type, wanted.type_class))
    return report(std::string(describe(wanted.type_class)),
                  hint_for_class(view_, type, wanted.type_class));
  for (const Relation relation : wanted.relations) {
    if (relation.kind == 0 || holds(i, first, type, relation)) continue;
    if (relation.kind == '!')
      context_.report(kConversionWidth, Place::at(i, operand),
                      fmt::format("expected {} {}, found {}", describe(wanted.type_class),
                                  spell_relation(i, first, relation), context_.type(type)));
    else
      return report(
          fmt::format("{} {}", describe(wanted.type_class), spell_relation(i, first, relation)),
          hint_for_relation(relation.kind, type, other_type(i, first, relation.other)));
  }
  return true;
}

void SignatureCheck::check_instruction(std::uint32_t i, const Signature& signature,
                                       std::size_t first) {
  if (!check_type(i, Place::kType, first, view_.at(i).type_id, signature.result)) return;
  for (std::size_t n = 0; n < signature.operands.size(); ++n) {
    const OperandSignature& wanted = signature.operands[n];
    if (!view_.has_operand(i, first + n)) return;  // UNI-23 reports missing words
    const Id id = view_.word(i, first + n);
    const int operand = static_cast<int>(first + n);
    if (wanted.type_class == TypeClass::kAny) continue;
    const bool function = view_.op_of(id) == Op::OpFunction;
    if (function == (wanted.type_class == TypeClass::kFn)) {
      if (function) continue;
      if (is_value(view_, id)) {
        if (!check_type(i, operand, first, view_.type_of(id), wanted)) return;
        continue;
      }
    }
    context_.report(
        rule_, Place::at(i, operand),
        fmt::format("expected {}, found {}", describe(wanted.type_class), context_.name(id)));
    return;
  }
}

}  // namespace transpire::validator
