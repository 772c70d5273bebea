// ENV-2.1-16, 17 and ENV-7.2.8-01: which types and memory atomics work on.
#include <fmt/format.h>

#include "decoder/module.h"
#include "decoder/view/opcode_sets.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_env_atomics {
namespace {

constexpr ValidationRule kAtomicType{
    .id = "ENV-2.1-16",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1 and 7.2.8",
    .statement =
        "atomics work on integers of 32 bits, and of 64 bits with the cl_khr_int64 atomics "
        "extensions",
    .hint =
        "Bitcast a float to an integer for loads, stores and exchanges. For 64 bits, name "
        "cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics in the device's description.",
    .in_field = InField::kWarning};
constexpr ValidationRule kAtomicPointer{
    .id = "ENV-2.1-17",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1, 3.3, 4.3 and 5.3",
    .statement =
        "atomics take pointers to Function, Workgroup and CrossWorkgroup, and from OpenCL 2.0 on "
        "to Generic",
    .hint = "Keep the object in global or local memory."};
constexpr ValidationRule kWorkgroupScope{
    .id = "ENV-7.2.8-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.8",
    .statement = "64-bit atomics with WorkgroupMemory semantics have the scope Workgroup",
    .hint =
        "Use the scope Workgroup: local memory is not visible beyond it. This rule holds in OpenCL "
        "1.2 too, whose other atomics have the scope Device: see TSP-V0022."};

constexpr std::uint32_t kWorkgroupMemory =
    static_cast<std::uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory);

bool is_flag(spv::Op op) {
  return op == spv::Op::OpAtomicFlagTestAndSet || op == spv::Op::OpAtomicFlagClear;
}

/// The type that the atomic works on: of its result, or of what is stored.
Id type_of_atomic(const ModuleView& view, std::uint32_t i) {
  const Instruction& in = view.at(i);
  return in.type_id != 0 ? in.type_id : view.type_of(view.word(i, 3));
}

bool adds_floats(spv::Op op) {
  return op == spv::Op::OpAtomicFAddEXT || op == spv::Op::OpAtomicFMinEXT ||
         op == spv::Op::OpAtomicFMaxEXT;
}

void check_type(Context& context, std::uint32_t i) {
  const ModuleView& view = context.view;
  const spv::Op op = view.at(i).op;
  // Capabilities of their own say which floats the instructions of extensions take.
  if (is_flag(op) || adds_floats(op)) return;
  const Id type = type_of_atomic(view, i);
  // Narrower integers and what is no scalar are against SPIR-V itself (UNI-26).
  if (!view.is_int(type, 64) && !view.is_float(type)) return;
  const bool wide = context.device.has("cl_khr_int64_base_atomics") ||
                    context.device.has("cl_khr_int64_extended_atomics");
  if (view.is_int(type, 64) && wide) return;
  context.report(kAtomicType, Place::at(i, view.at(i).type_id != 0 ? Place::kType : 3),
                 fmt::format("expected an integer of {}, found {}",
                             wide ? "32 or 64 bits" : "32 bits", context.type(type)));
}

void check_pointer(Context& context, std::uint32_t i) {
  const Id pointer = context.view.word(i, 0);
  const auto storage = context.view.storage_class(context.view.type_of(pointer));
  if (!storage || *storage == spv::StorageClass::Function ||
      *storage == spv::StorageClass::Workgroup || *storage == spv::StorageClass::CrossWorkgroup)
    return;
  if (*storage == spv::StorageClass::Generic && context.at_least(20)) return;
  context.report(
      kAtomicPointer, Place::at(i, 0),
      fmt::format("expected a pointer to Function, Workgroup{} CrossWorkgroup{}, found {}",
                  context.at_least(20) ? "," : " or", context.at_least(20) ? " or Generic" : "",
                  context.type(context.view.type_of(pointer))));
}

void check_scope(Context& context, std::uint32_t i) {
  const ModuleView& view = context.view;
  if (!view.is_int(type_of_atomic(view, i), 64)) return;
  const auto scope = view.constant_value(view.word(i, 1));
  const auto semantics = view.constant_value(view.word(i, 2));
  if (!scope || !semantics || (*semantics & kWorkgroupMemory) == 0 ||
      *scope == static_cast<std::uint64_t>(spv::Scope::Workgroup))
    return;
  context.report(
      kWorkgroupScope, Place::at(i, 1),
      fmt::format("expected the scope Workgroup with WorkgroupMemory semantics, found {}",
                  decoder::enumerant_name(decoder::OperandKind::kScope,
                                          static_cast<std::uint32_t>(*scope))));
}

void check(Context& context) {
  for (std::uint32_t i = 0; i < context.view.instructions().size(); ++i) {
    const Instruction& in = context.view.at(i);
    if (!in.info || in.info->class_name != "Atomic" || in.shape != Shape::kGood) continue;
    check_pointer(context, i);
    check_type(context, i);
    check_scope(context, i);
  }
}

constexpr const ValidationRule* kRules[] = {&kAtomicType, &kAtomicPointer, &kWorkgroupScope};

}  // namespace
}  // namespace rules_env_atomics

const Family kEnvAtomicsFamily{"atomics", rules_env_atomics::kRules, rules_env_atomics::check};

}  // namespace transpire::validator
