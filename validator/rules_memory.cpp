// SPIR-V 1.0, 2.4, 3.7 and 3.32.8: variables, loads and stores, copies, access chains, lifetimes.
#include <fmt/format.h>

#include <bit>

#include "decoder/pointer_ops.h"
#include "decoder/untyped.h"
#include "decoder/view/memory_operands.h"
#include "decoder/view/opcode_sets.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"
#include "validator/type_hints.h"

namespace transpire::validator {
namespace rules_memory {
namespace {

using spv::Op;
using spv::StorageClass;

constexpr ValidationRule kImportedInitializer{
    "UNI-08", "SPIR-V 1.0, 2.16.1", "a variable that is imported has no initializer",
    "The module that exports the variable initializes it."};
constexpr ValidationRule kPointer{"UNI-20", "SPIR-V 1.0, 2.16.1 and 3.32.8",
                                  "loads, stores and copies go through pointers",
                                  "Make a pointer with OpAccessChain or OpConvertUToPtr first."};
constexpr ValidationRule kLocalVariable{
    "UNI-29", "SPIR-V 1.0, 2.4",
    "variables of functions have the storage class Function and stand at the start of the first "
    "block; variables outside of functions have another class",
    "Move OpVariable to the start of the function's first block.", InField::kWarning};
constexpr ValidationRule kReadOnly{
    "UNI-30", "SPIR-V 1.0, 3.7",
    "variables of Input and UniformConstant are only read, and those of Input have no initializer",
    "Copy the value to a variable of the class Function and change that."};
constexpr ValidationRule kVariableClass{
    "UNI-31", "SPIR-V 1.0, 3.32.8 OpVariable",
    "a variable's storage class is that of its pointer type, and not Generic",
    "Declare the variable where its memory is and cast the pointer with OpPtrCastToGeneric."};
constexpr ValidationRule kUndefinedInitializer{
    "V0026", "SPIR-V 1.0, 3.32.8 OpVariable",
    "a variable's initializer is a constant or a variable outside of functions, not OpUndef",
    "Leave the initializer out: memory without one is undefined as well. llvm-spirv gives "
    "variables of the class Workgroup an OpUndef.",
    InField::kIgnored};
constexpr ValidationRule kCopySize{"UNI-37", "SPIR-V 1.0, 3.32.8 OpCopyMemorySized",
                                   "a constant size of OpCopyMemorySized is not zero",
                                   "Leave the copy out."};
constexpr ValidationRule kIndexes{
    "UNI-38", "SPIR-V 1.0, 3.32.8 OpAccessChain",
    "the indexes of an access chain lead through composites only, and into structures by integer "
    "constants that name a member",
    "Members count from 0; an index into a structure is an OpConstant."};
constexpr ValidationRule kNullIndex{
    "V0043", "SPIR-V 1.0, 3.32.8 OpAccessChain",
    "the first member of a structure is named by an OpConstant of 0, not by OpConstantNull",
    "Write OpConstant with the value 0. Clang's own backend writes OpConstantNull.",
    InField::kWarning};
constexpr ValidationRule kAlignment{
    "V0047", "SPIR-V 1.0, 3.20 Alignment and 3.26 Aligned", "an alignment is a power of two",
    "Write the intended power of two. Transpire replaces another number by the largest power of "
    "two that divides it: clang's own backend writes 128 as 0xffffff80.",
    InField::kWarning};
constexpr ValidationRule kLifetime{
    "UNI-41", "SPIR-V 1.0, 3.32.17 OpLifetimeStart",
    "OpLifetimeStart and OpLifetimeStop name a pointer of the class Function, with size 0 unless "
    "it points to void",
    "Give the variable itself and size 0. Current producers give a pointer to bytes and its size.",
    InField::kWarning};

class Memory {
 public:
  explicit Memory(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) check_instruction(i);
    for (const Op op : {Op::OpLoad, Op::OpStore, Op::OpCopyMemory, Op::OpCopyMemorySized})
      for (const std::uint32_t i : view_.all(op))
        each_memory_operand(view_, i, [&](spv::MemoryAccessMask bit, std::size_t n) {
          if (bit == spv::MemoryAccessMask::Aligned) check_alignment(i, n);
        });
    for (const std::uint32_t i : view_.all(Op::OpDecorate))
      if (static_cast<spv::Decoration>(view_.word(i, 1)) == spv::Decoration::Alignment)
        check_alignment(i, 2);
  }

 private:
  void check_instruction(std::uint32_t i);
  void check_variable(std::uint32_t i);
  void check_initializer(std::uint32_t i, StorageClass storage, Id type);
  void check_store(std::uint32_t i);
  void check_copy(std::uint32_t i);
  void check_size(std::uint32_t i);
  void check_chain(std::uint32_t i);
  Id check_index(std::uint32_t i, std::size_t n, Id type);
  void check_lifetime(std::uint32_t i);
  void check_alignment(std::uint32_t i, std::size_t n) {
    const std::uint32_t bytes = view_.word(i, n);
    if (view_.has_operand(i, n) && !std::has_single_bit(bytes))
      context_.report(kAlignment, Place::at(i, static_cast<int>(n)),
                      fmt::format("expected a power of two, found {}", bytes));
  }

  /// The type of a pointer operand; 0, with a report, if it is no pointer.
  Id pointer_type(std::uint32_t i, std::size_t n, const ValidationRule& rule) {
    const Id id = view_.word(i, n);
    const Id type = is_value(view_, id) ? view_.type_of(id) : 0;
    if (is_pointer(view_, type)) return type;
    context_.report(rule, Place::at(i, static_cast<int>(n)),
                    fmt::format("expected a pointer, found {}", context_.type(type)));
    return 0;
  }
  /// Checks that the target of pointer `n` may be written.
  void want_writable(std::uint32_t i, std::size_t n, Id type) {
    const auto storage = view_.storage_class(type);
    if (storage == StorageClass::Input || storage == StorageClass::UniformConstant)
      context_.report(
          kReadOnly, Place::at(i, static_cast<int>(n)),
          fmt::format("expected memory that can be written, found {}", context_.type(type)));
  }

  Context& context_;
  const ModuleView& view_;
};

void Memory::check_instruction(std::uint32_t i) {
  switch (decoder::typed_op(view_.at(i).op)) {
    case Op::OpVariable:
      check_variable(i);
      break;
    case Op::OpLoad:
      if (const Id type = pointer_type(i, 0, kPointer);
          type != 0 && pointee_seen_as(view_, type, view_.at(i).type_id) != view_.at(i).type_id)
        context_.report(
            kOperandTypes, Place::at(i, Place::kType),
            fmt::format("expected the type that the pointer points to, {}, found {}",
                        context_.type(view_.pointee(type)), context_.type(view_.at(i).type_id)),
            {}, "A load gives what is there; OpBitcast of the pointer comes before it.");
      break;
    case Op::OpStore:
      check_store(i);
      break;
    case Op::OpCopyMemory:
    case Op::OpCopyMemorySized:
      check_copy(i);
      break;
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
    case Op::OpPtrAccessChain:
    case Op::OpInBoundsPtrAccessChain:
      check_chain(i);
      break;
    case Op::OpLifetimeStart:
    case Op::OpLifetimeStop:
      check_lifetime(i);
      break;
    default:
      break;
  }
}

void Memory::check_variable(std::uint32_t i) {
  const Instruction& in = view_.at(i);
  const auto storage = static_cast<StorageClass>(view_.word(i, 0));
  if (!is_pointer(view_, in.type_id)) {
    context_.report(
        kOperandTypes, Place::at(i, Place::kType),
        fmt::format("expected a pointer type, found {}", context_.type(in.type_id)), {},
        "A variable's result is its address: declare a pointer of its storage class to its type.");
    return;
  }
  const Op pointee = view_.op_of(view_.pointee(in.type_id));
  if (pointee == Op::OpTypeVoid || pointee == Op::OpTypeFunction) {
    context_.report(
        kOperandTypes, Place::at(i, Place::kType),
        fmt::format("expected a pointer to an object, found {}", context_.type(in.type_id)), {},
        "Declare the variable with the type of what it holds.");
  } else if (storage == StorageClass::Generic) {
    context_.report(kVariableClass, Place::at(i, 0),
                    "expected a class that has memory, found Generic");
  } else if (view_.storage_class(in.type_id) != storage) {
    context_.report(kVariableClass, Place::at(i, 0),
                    fmt::format("expected the storage class of {}", context_.type(in.type_id)));
  } else if ((in.function != kNone) != (storage == StorageClass::Function)) {
    context_.report(kLocalVariable, Place::at(i, 0),
                    in.function != kNone
                        ? "expected the storage class Function in a function"
                        : "expected another class than Function outside of functions");
  } else if (in.function != kNone) {
    const Function& function = view_.functions()[in.function];
    bool leading = in.block == function.first_block;
    for (std::uint32_t before = i; leading && before-- > function.first;) {
      const Op op = view_.at(before).op;
      if (op == Op::OpLabel || is_variable(view_, view_.at(before).result_id)) break;
      // Debug information of a function may stand between its variables.
      leading = op == Op::OpLine || op == Op::OpNoLine || op == Op::OpUndef || op == Op::OpExtInst;
    }
    if (!leading)
      context_.report(kLocalVariable, Place::at(i),
                      "expected variables at the start of the function's first block");
  }
  if (in.op == Op::OpVariable && view_.has_operand(i, 1))
    check_initializer(i, storage, view_.pointee(in.type_id));
}

void Memory::check_initializer(std::uint32_t i, StorageClass storage, Id type) {
  const Id value = view_.word(i, 1);
  const Op op = view_.op_of(value);
  const Decoration* linkage =
      view_.decoration(view_.at(i).result_id, spv::Decoration::LinkageAttributes);
  if (linkage) {
    const int kind = view_.find_operand(linkage->instruction, decoder::OperandKind::kLinkageType);
    if (kind >= 0 &&
        static_cast<spv::LinkageType>(view_.word(
            linkage->instruction, static_cast<std::size_t>(kind))) == spv::LinkageType::Import)
      context_.report(kImportedInitializer, Place::at(i, 1),
                      "expected no initializer for a variable that is imported",
                      {{"the decoration", linkage->instruction}});
  }
  if (storage == StorageClass::Input)
    context_.report(kReadOnly, Place::at(i, 1), "expected no initializer for an Input variable");
  const bool global = op == Op::OpVariable && view_.at(view_.definition(value)).function == kNone;
  if (op == Op::OpUndef && view_.type_of(value) == type)
    context_.report(kUndefinedInitializer, Place::at(i, 1),
                    fmt::format("expected a constant or no initializer, found {}, an OpUndef",
                                context_.name(value)));
  else if (!is_constant(op) && !global && op != Op::OpUndef)
    context_.report(kOperandTypes, Place::at(i, 1),
                    fmt::format("expected a constant or a variable outside of functions, found {}",
                                context_.name(value)),
                    {}, "Store other values with OpStore, in the function.");
  else if (view_.type_of(value) != type)
    context_.report(kOperandTypes, Place::at(i, 1),
                    fmt::format("expected an initializer of type {}, found {}", context_.type(type),
                                context_.type(view_.type_of(value))),
                    {}, "Declare the constant with the variable's type.");
}

void Memory::check_store(std::uint32_t i) {
  const Id type = pointer_type(i, 0, kPointer);
  if (type == 0) return;
  want_writable(i, 0, type);
  const Id value = view_.word(i, 1);
  const Id stored = is_value(view_, value) ? view_.type_of(value) : 0;
  if (stored == 0 || stored != pointee_seen_as(view_, type, stored))
    context_.report(
        kOperandTypes, Place::at(i, 1),
        fmt::format("expected an object of the type that the pointer points to, {}, "
                    "found {}",
                    context_.type(view_.pointee(type)), context_.type(view_.type_of(value))),
        {}, hint_for_types(view_, view_.type_of(value), view_.pointee(type)));
}

void Memory::check_copy(std::uint32_t i) {
  const Id target = pointer_type(i, 0, kPointer);
  const Id source = pointer_type(i, 1, kPointer);
  if (target == 0 || source == 0) return;
  want_writable(i, 0, target);
  if (view_.at(i).op == Op::OpCopyMemorySized) {
    check_size(i);
    return;
  }
  if (is_untyped_pointer(view_, target) && is_untyped_pointer(view_, source)) {
    context_.report(
        kOperandTypes, Place::at(i),
        "expected a typed pointer, which says how much is copied, found two untyped ones", {},
        "OpCopyMemorySized copies bytes.");
    return;
  }
  const Id copied = pointee_seen_as(view_, target, view_.pointee(source));
  if (copied != pointee_seen_as(view_, source, copied))
    context_.report(
        kOperandTypes, Place::at(i),
        fmt::format("expected two pointers to the same type, found {} and {}",
                    context_.type(view_.pointee(target)), context_.type(view_.pointee(source))),
        {}, "OpBitcast makes a pointer to another type; OpCopyMemorySized copies bytes.");
}

void Memory::check_size(std::uint32_t i) {
  const Id size = view_.word(i, 2);
  if (!is_value(view_, size) || !view_.is_int(view_.type_of(size)))
    context_.report(
        kOperandTypes, Place::at(i, 2),
        fmt::format("expected an integer scalar, found {}", context_.type(view_.type_of(size))), {},
        hint_for_class(view_, view_.type_of(size), TypeClass::kInt));
  else if (view_.constant_value(size) == 0u)
    context_.report(kCopySize, Place::at(i, 2), "expected a size of at least 1, found 0");
}

/// The type that index `n` selects in `type`; 0, with a report, if there is none.
Id Memory::check_index(std::uint32_t i, std::size_t n, Id type) {
  const Id index = view_.word(i, n);
  const auto place = Place::at(i, static_cast<int>(n));
  const Op op = view_.op_of(type);
  if (op != Op::OpTypeStruct && op != Op::OpTypeArray && op != Op::OpTypeRuntimeArray &&
      op != Op::OpTypeVector && op != Op::OpTypeMatrix) {
    context_.report(
        kIndexes, place,
        fmt::format("expected no index into {}, which has no parts", context_.type(type)));
    return 0;
  }
  if (!is_value(view_, index) || !view_.is_int(view_.type_of(index))) {
    context_.report(kOperandTypes, place,
                    fmt::format("expected an integer scalar as an index, found {}",
                                context_.type(view_.type_of(index))),
                    {}, hint_for_class(view_, view_.type_of(index), TypeClass::kInt));
    return 0;
  }
  if (op != Op::OpTypeStruct) return view_.word(view_.definition(type), 0);
  // Values are known only for OpConstant and OpConstantNull.
  const auto value = view_.constant_value(index);
  if (!value) {
    context_.report(kIndexes, place,
                    fmt::format("expected an OpConstant as the index into a structure, found {}",
                                context_.name(index)));
    return 0;
  }
  if (view_.op_of(index) == Op::OpConstantNull)
    context_.report(kNullIndex, place,
                    fmt::format("expected an OpConstant as the index into a structure, found {}, "
                                "an OpConstantNull",
                                context_.name(index)));
  const Id part = part_type(view_, type, *value);
  if (part == 0)
    context_.report(
        kIndexes, place,
        fmt::format("expected a member of {}, which has {}, found {}", context_.type(type),
                    view_.operand_count(view_.definition(type)), *value),
        {{"the structure", view_.definition(type)}});
  return part;
}

void Memory::check_chain(std::uint32_t i) {
  const Op op = decoder::typed_op(view_.at(i).op);
  const bool is_untyped = op != view_.at(i).op;  // the type as which the base is seen comes first
  std::size_t at = is_untyped ? 1 : 0;
  const Id base = pointer_type(i, at++, kOperandTypes);
  if (base == 0) return;
  if (decoder::has_element_operand(op)) {
    const Id element = view_.word(i, at);
    if (!is_value(view_, element) || !view_.is_int(view_.type_of(element))) {
      context_.report(kOperandTypes, Place::at(i, static_cast<int>(at)),
                      fmt::format("expected an integer scalar as the element, found {}",
                                  context_.type(view_.type_of(element))),
                      {}, hint_for_class(view_, view_.type_of(element), TypeClass::kInt));
      return;
    }
    ++at;
  }
  Id type = is_untyped ? view_.word(i, 0) : view_.pointee(base);
  for (; at < view_.operand_count(i); ++at) {
    type = check_index(i, at, type);
    if (type == 0) return;
  }
  const Id result = view_.at(i).type_id;
  if (is_pointer(view_, result) && is_untyped == is_untyped_pointer(view_, result) &&
      pointee_seen_as(view_, result, type) == type &&
      view_.storage_class(result) == view_.storage_class(base))
    return;
  context_.report(
      kOperandTypes, Place::at(i, Place::kType),
      fmt::format("expected a pointer to {} of the base's storage class, found {}",
                  context_.type(type), context_.type(result)),
      {}, "The indexes lead to that type: declare the result as a pointer to it, or change them.");
}

void Memory::check_lifetime(std::uint32_t i) {
  const Id type = pointer_type(i, 0, kLifetime);
  if (type == 0) return;
  if (view_.storage_class(type) != StorageClass::Function)
    context_.report(
        kLifetime, Place::at(i, 0),
        fmt::format("expected a pointer of the class Function, found {}", context_.type(type)));
  else if (view_.word(i, 1) != 0 && !is_untyped_pointer(view_, type) &&
           view_.op_of(view_.pointee(type)) != Op::OpTypeVoid)
    context_.report(kLifetime, Place::at(i, 1),
                    fmt::format("expected size 0 for a pointer to {}, found {}",
                                context_.type(view_.pointee(type)), view_.word(i, 1)));
}

void check(Context& context) { Memory(context).check(); }

constexpr const ValidationRule* kRules[] = {&kImportedInitializer,
                                            &kPointer,
                                            &kLocalVariable,
                                            &kReadOnly,
                                            &kVariableClass,
                                            &kUndefinedInitializer,
                                            &kCopySize,
                                            &kIndexes,
                                            &kNullIndex,
                                            &kAlignment,
                                            &kLifetime};

}  // namespace
}  // namespace rules_memory

const Family kMemoryFamily{"memory", rules_memory::kRules, rules_memory::check};

}  // namespace transpire::validator
