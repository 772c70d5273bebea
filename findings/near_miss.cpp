#include "findings/near_miss.h"

#include <fmt/format.h>

#include "analysis/handle_use.h"
#include "analysis/paths.h"
#include "races/happens_before.h"

namespace transpire::findings {
namespace {

using vm::exec::NearMiss;

std::string_view flag_of(std::uint32_t bit) {
  if (bit == races::Semantics::kLocalBit) return "CLK_LOCAL_MEM_FENCE";
  return bit == races::Semantics::kImageBit ? "CLK_IMAGE_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
}

/// Puts the parts of a near miss into words.
class Words {
 public:
  Words(const NearMiss& miss, const scheduler::Finding& found, const FindingContext& context)
      : miss_(miss), found_(found), context_(context) {}

  std::string help() const {
    using Why = NearMiss::Why;
    switch (miss_.why) {
      case Why::kRelaxedStore:
        return fmt::format(
            "the {} reads what the {} stored, but that one is relaxed: with memory_order_release "
            "it would order the two",
            named(miss_.second), named(miss_.first));
      case Why::kRelaxedLoad:
        return fmt::format(
            "the {} reads what the {} stored and released, but is relaxed itself: with "
            "memory_order_acquire it would order the two",
            named(miss_.second), named(miss_.first));
      case Why::kRelaxed:
        return relaxed();
      case Why::kReleaseMemory:
        return fmt::format(
            "the {} has no {}, so the {} behind it does not release what stands in front of it",
            named(miss_.third), flag_of(miss_.lacking), named(miss_.first));
      case Why::kAcquireMemory:
        return fmt::format(
            "the {} has no {}, so the {} in front of it does not acquire for what stands behind it",
            named(miss_.third), flag_of(miss_.lacking), named(miss_.second));
      case Why::kObjectMemory:
        return fmt::format(
            "the {} and the {} order {} memory, where their object lies, and no other: both with "
            "memory_order_seq_cst, or two fences with the flags of both memories, would order the "
            "two",
            named(miss_.first), named(miss_.second), miss_.object_is_local ? "local" : "global");
      case Why::kScopes:
        return scopes();
      case Why::kReplaced:
        return fmt::format(
            "the {} of another work-item ends the release sequence of the {}, so the {} does not "
            "acquire it: an atomic read-modify-write there would continue it",
            named(miss_.third), named(miss_.first), named(miss_.second));
      case Why::kTwoObjects:
        return two_objects();
    }
    return {};
  }

 private:
  const vm::Source& source(const vm::Inst* instruction) const {
    return context_.program.source_of(instruction);
  }

  /// "atomic store at k.cl:7:3"
  std::string named(const vm::Inst* instruction) const {
    const vm::Source& at = source(instruction);
    return fmt::format("{} at {}", order_noun(at.op), context_.places.spell(at));
  }

  std::string relaxed() const {
    if (source(miss_.first).word_offset == source(miss_.second).word_offset)
      return fmt::format(
          "the {} reads what it stored for another work-item, but is relaxed: with "
          "memory_order_acq_rel it would order the two",
          named(miss_.first));
    return fmt::format(
        "the {} reads what the {} stored, but both are relaxed: memory_order_acquire at the one "
        "and memory_order_release at the other{} would order the two",
        named(miss_.second), named(miss_.first),
        analysis::lacks_image_fences(context_.module) ? " (OpenCL C 2.0)" : "");
  }

  std::string scopes() const {
    const auto first = static_cast<spv::Scope>(miss_.first_scope);
    const auto second = static_cast<spv::Scope>(miss_.second_scope);
    const std::string_view needed = scope_text(
        found_.other->in_group && first > spv::Scope::Device && second > spv::Scope::Device
            ? spv::Scope::Workgroup
            : spv::Scope::Device);
    const std::string of = miss_.third == nullptr ? "" : " of the " + named(miss_.third);
    const std::string they =
        first == second
            ? fmt::format("{}{} does not hold both work-items", scope_text(first), of)
            : fmt::format("the scopes{} are {} and {}", of.empty() ? "" : " of what orders them",
                          scope_text(first), scope_text(second));
    return fmt::format("the {} reads what the {} stored, but {}: both need {}", named(miss_.second),
                       named(miss_.first), they, needed);
  }

  /// "buffer 'locks', offset 4"
  std::string object(std::uint64_t address) const {
    const memory::Allocation* const found = context_.space.nearest(address);
    if (found == nullptr) return "memory";
    const std::uint64_t offset = address - found->begin;
    const std::string name = spell(*found, context_);
    return offset == 0 ? name : fmt::format("{}, offset {}", name, offset);
  }

  std::string two_objects() const {
    return fmt::format(
        "the {} is of {}, the {} of {}: two objects order nothing, be they locks or flags, so "
        "both accesses need the same one",
        named(miss_.first), object(miss_.first_object), named(miss_.second),
        object(miss_.second_object));
  }

  const NearMiss& miss_;
  const scheduler::Finding& found_;
  const FindingContext& context_;
};

/// True if the accesses stand on the sides of the atomics that they would be ordered on, for all that is known.
bool fits(const NearMiss& miss, const scheduler::Finding& found, const FindingContext& context) {
  const vm::Program& program = context.program;
  analysis::Values values(context.module);
  const auto pair = [&](const vm::Inst* from, const vm::Inst* to) {
    return analysis::pair_of(program.source_of(from), program.source_of(to), values, program);
  };
  const analysis::Pair before = pair(found.other->instruction, miss.first);
  const analysis::Pair behind = pair(miss.second, found.instruction);
  if ((before.is_known() && !before.is_way()) || (behind.is_known() && !behind.is_way()))
    return false;
  // A counter of a loop's rounds is no lock.
  const bool is_counter =
      miss.why == NearMiss::Why::kRelaxed &&
      program.source_of(miss.first).word_offset == program.source_of(miss.second).word_offset;
  return !is_counter || !analysis::is_in_loop(program.source_of(miss.first), values, program);
}

}  // namespace

std::string near_miss_help(const scheduler::Finding& found, const FindingContext& context) {
  for (const NearMiss& miss : found.other->near)
    if (fits(miss, found, context)) return Words(miss, found, context).help();
  return {};
}

std::string_view order_noun(spv::Op op) {
  switch (op) {
    case spv::Op::OpAtomicStore:
    case spv::Op::OpAtomicFlagClear:
      return "atomic store";
    case spv::Op::OpAtomicLoad:
      return "atomic load";
    case spv::Op::OpMemoryBarrier:
      return "fence";
    case spv::Op::OpControlBarrier:
    case spv::Op::OpControlBarrierArriveINTEL:
    case spv::Op::OpControlBarrierWaitINTEL:
    case spv::Op::OpMemoryNamedBarrier:
      return "barrier";
    default:
      return "atomic read-modify-write";
  }
}

std::string_view scope_text(spv::Scope scope) {
  switch (scope) {
    case spv::Scope::CrossDevice:
      return "memory_scope_all_svm_devices";
    case spv::Scope::Device:
      return "memory_scope_device";
    case spv::Scope::Workgroup:
      return "memory_scope_work_group";
    case spv::Scope::Subgroup:
      return "memory_scope_sub_group";
    case spv::Scope::Invocation:
      return "memory_scope_work_item";
    default:
      return "another scope";
  }
}

}  // namespace transpire::findings
