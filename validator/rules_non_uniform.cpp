// SPIR-V 1.3, 3.32.24: scopes and constant operands of non-uniform group instructions, and which
// group operation each instruction has. Types are the table of signatures'.
#include <fmt/format.h>

#include <bit>

#include "decoder/view/opcode_sets.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_non_uniform {
namespace {

using decoder::OperandKind;
using spv::GroupOperation;
using spv::Op;

#define TRANSPIRE_SECTION "SPIR-V 1.3, 3.32.24 \"Non-Uniform Instructions\""

constexpr ValidationRule kSubgroupOnly{
    "V0030", TRANSPIRE_SECTION "; OpenCL Extension Specification 3.0, cl_khr_subgroup_ballot",
    "non-uniform group instructions have the execution scope Subgroup",
    "OpenCL has them for sub-groups only. OpGroupAll, OpGroupIAdd and the like work on the whole "
    "work-group."};
constexpr ValidationRule kOperation{
    "V0031", TRANSPIRE_SECTION " and 3.38 \"Group Operation\"",
    "a group operation is Reduce, InclusiveScan or ExclusiveScan, or of non-uniform arithmetic "
    "ClusteredReduce; then a cluster size is given, a constant power of two",
    "ClusteredReduce takes one more operand, the cluster size: an OpConstant of 1, 2, 4, 8 and so "
    "on."};
constexpr ValidationRule kConstantLane{
    "V0032", TRANSPIRE_SECTION ", OpGroupNonUniformBroadcast",
    "before SPIR-V 1.5, the work-item that OpGroupNonUniformBroadcast reads from is a constant",
    "Raise the version in the header to 1.5, or use OpGroupNonUniformShuffle.", InField::kWarning};

/// Operands of non-uniform instructions: Execution, Operation or Value, X or Delta, ClusterSize.
constexpr std::size_t kLane = 2, kClusterSize = 3;

class NonUniform {
 public:
  explicit NonUniform(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Instruction& in = view_.at(i);
      if (in.info == nullptr || in.shape != Shape::kGood || !is_group(in.op)) continue;
      const bool non_uniform = in.info->name.starts_with("OpGroupNonUniform");
      if (non_uniform) check_scope(i);
      check_operation(i, non_uniform);
      if (in.op == Op::OpGroupNonUniformRotateKHR) check_cluster_size(i);
      if (in.op == Op::OpGroupNonUniformBroadcast || in.op == Op::OpGroupNonUniformQuadBroadcast)
        check_lane(i);
    }
  }

 private:
  /// A scope that is no number of SPIR-V's is the environment's matter.
  void check_scope(std::uint32_t i) {
    const auto scope = view_.constant_value(view_.word(i, 0));
    if (!scope || *scope > 0xffff || *scope == static_cast<std::uint64_t>(spv::Scope::Subgroup))
      return;
    const std::string_view name =
        decoder::enumerant_name(OperandKind::kScope, static_cast<std::uint32_t>(*scope));
    if (!name.empty())
      context_.report(kSubgroupOnly, Place::at(i, 0),
                      fmt::format("expected the execution scope Subgroup for {}, found {}",
                                  view_.at(i).info->name, name));
  }

  void check_operation(std::uint32_t i, bool non_uniform) {
    const int at = view_.find_operand(i, OperandKind::kGroupOperation);
    if (at < 0) return;
    const std::uint32_t operation = view_.word(i, static_cast<std::size_t>(at));
    switch (static_cast<GroupOperation>(operation)) {
      case GroupOperation::Reduce:
      case GroupOperation::InclusiveScan:
      case GroupOperation::ExclusiveScan:
        return;
      case GroupOperation::ClusteredReduce:
        if (non_uniform && view_.at(i).op != Op::OpGroupNonUniformBallotBitCount)
          return check_clustered(i, at);
        break;
      default:
        break;
    }
    const std::string_view name = decoder::enumerant_name(OperandKind::kGroupOperation, operation);
    context_.report(
        kOperation, Place::at(i, at),
        fmt::format("expected Reduce, InclusiveScan or ExclusiveScan for {}, found {}",
                    view_.at(i).info->name, name.empty() ? fmt::to_string(operation) : name));
  }

  void check_clustered(std::uint32_t i, int operation) {
    if (view_.has_operand(i, kClusterSize)) return check_cluster_size(i);
    context_.report(kOperation, Place::at(i, operation),
                    "expected a cluster size behind the operands of ClusteredReduce");
  }

  /// The value that a specialization constant will have is not known.
  void check_cluster_size(std::uint32_t i) {
    if (!view_.has_operand(i, kClusterSize)) return;
    const Id id = view_.word(i, kClusterSize);
    const auto place = Place::at(i, static_cast<int>(kClusterSize));
    const auto size = view_.constant_value(id);
    if (!is_constant(view_.op_of(id)))
      context_.report(
          kOperation, place,
          fmt::format("expected a constant as the cluster size, found {}", context_.name(id)));
    else if (size && !std::has_single_bit(*size))
      context_.report(kOperation, place,
                      fmt::format("expected a power of two as the cluster size, found {}", *size));
  }

  void check_lane(std::uint32_t i) {
    constexpr std::uint32_t kAnyLaneSince = 0x00010500;
    const Id lane = view_.word(i, kLane);
    if (view_.version() >= kAnyLaneSince || is_constant(view_.op_of(lane))) return;
    context_.report(kConstantLane, Place::at(i, static_cast<int>(kLane)),
                    fmt::format("expected a constant before SPIR-V 1.5 for {}, found {}",
                                view_.at(i).info->name, context_.name(lane)));
  }

  Context& context_;
  const ModuleView& view_;
};

void check(Context& context) { NonUniform(context).check(); }

constexpr const ValidationRule* kRules[] = {&kSubgroupOnly, &kOperation, &kConstantLane};

}  // namespace
}  // namespace rules_non_uniform

const Family kNonUniformFamily{"non-uniform", rules_non_uniform::kRules, rules_non_uniform::check};

}  // namespace transpire::validator
