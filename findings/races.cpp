#include "findings/races.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "analysis/handle_use.h"
#include "analysis/paths.h"
#include "analysis/value_flow.h"
#include "decoder/execution_models.h"
#include "findings/divergence.h"
#include "findings/near_miss.h"
#include "findings/texts.h"
#include "races/race.h"

namespace transpire::findings {
namespace {

using vm::exec::BarrierBetween;
using vm::exec::RacingAccess;
using vm::exec::Unshared;

const vm::Source& source_at(const vm::Inst* instruction, const FindingContext& context) {
  return context.program.source_of(instruction);
}

/// "store", "atomic read-modify-write", "asynchronous copy"
std::string_view noun_of(vm::AccessKind kind, const vm::Inst* instruction,
                         const FindingContext& context) {
  if (is_async_copy(instruction, context.program)) return "asynchronous copy";
  switch (kind) {
    case vm::AccessKind::kLoad:
      return "load";
    case vm::AccessKind::kStore:
      return "store";
    case vm::AccessKind::kAtomicLoad:
      return "atomic load";
    case vm::AccessKind::kAtomicStore:
      return "atomic store";
    case vm::AccessKind::kAtomic:
      break;
  }
  const spv::Op op = source_at(instruction, context).op;
  return decoder::opcode_class(op) == "Atomic" ? order_noun(op) : "atomic access";
}

bool are_copies(const scheduler::Finding& found, const FindingContext& context) {
  return is_async_copy(found.instruction, context.program) ||
         is_async_copy(found.other->instruction, context.program);
}

/// The flag of a barrier that orders what is at the address.
std::string_view fence_flag(const scheduler::Finding& found, const FindingContext& context) {
  const memory::Region region =
      found.allocation != nullptr ? found.allocation->region : memory::Region::kBuffer;
  if (region == memory::Region::kWorkgroup) return "CLK_LOCAL_MEM_FENCE";
  const bool has_own =
      region == memory::Region::kImage && !analysis::lacks_image_fences(context.module);
  return has_own ? "CLK_IMAGE_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
}

// ---- Where the two stand ------------------------------------------------------------------------

/// True if one instruction, in one chain of calls, made both accesses.
bool are_of_one_instruction(const scheduler::Finding& found, const FindingContext& context) {
  const vm::Source& own = source_at(found.instruction, context);
  const vm::Source& other = source_at(found.other->instruction, context);
  return own.word_offset != 0 && own.word_offset == other.word_offset &&
         own.called_from == other.called_from;
}

/// True if the two accesses are the load and the store of one `*p += 1`: both go through the same pointer, and the stored value
/// derives from the loaded one.
bool are_of_one_update(const scheduler::Finding& found, const FindingContext& context) {
  const vm::Source& own = source_at(found.instruction, context);
  const vm::Source& other = source_at(found.other->instruction, context);
  const bool loads = own.op == spv::Op::OpLoad && other.op == spv::Op::OpStore;
  if (!loads && !(own.op == spv::Op::OpStore && other.op == spv::Op::OpLoad)) return false;
  analysis::Values values(context.module);
  const analysis::FlowPlace load = values.place_of(loads ? own : other, context.program);
  const analysis::FlowPlace store = values.place_of(loads ? other : own, context.program);
  if (load.in == nullptr || load.in != store.in || load.call != store.call ||
      load.instruction().operands[0] != store.instruction().operands[0])
    return false;
  const analysis::FlowValue stored = store.value(store.instruction().operands[1]);
  return analysis::ValueFlow(values).find({&stored, 1}, {&load, 1}).has_value();
}

// ---- Atomics ------------------------------------------------------------------------------------

/// Among whom an atomic orders, as far as a constant says it.
struct StatedScope {
  spv::Scope scope = spv::Scope::Device;
  bool is_widened = false;  ///< as relaxed ones of the work-group's are
};

std::optional<StatedScope> scope_of(const vm::Inst* instruction, const FindingContext& context) {
  analysis::Values values(context.module);
  const analysis::FlowPlace place =
      values.place_of(source_at(instruction, context), context.program);
  if (place.in == nullptr || place.instruction().operands.size() < 3) return std::nullopt;
  const auto operands = place.instruction().operands;
  const decoder::Constant* const scope = context.module.constant(operands[1]);
  const decoder::Constant* const semantics = context.module.constant(operands[2]);
  if (scope == nullptr || semantics == nullptr) return std::nullopt;
  StatedScope stated{static_cast<spv::Scope>(scope->bits)};
  stated.is_widened = races::may_have_no_scope(
      stated.scope, races::Semantics::decode(static_cast<std::uint32_t>(semantics->bits)));
  if (stated.is_widened) stated.scope = spv::Scope::Device;
  return stated;
}

/// ", for their scopes are memory_scope_device and memory_scope_work_group": why two atomics race.
std::string why_scopes_part(const scheduler::Finding& found, const FindingContext& context) {
  const auto own = scope_of(found.instruction, context);
  const auto other = scope_of(found.other->instruction, context);
  if (!own || !other) return ", for their scopes do not include each other";
  if (own->scope == other->scope)
    return fmt::format(", for {} does not hold both work-items", scope_text(own->scope));
  const auto text_of = [](const StatedScope& stated) {
    return fmt::format("{}{}", scope_text(stated.scope),
                       stated.is_widened ? " (as relaxed ones count)" : "");
  };
  return fmt::format(", for their scopes are {} and {}", text_of(*own), text_of(*other));
}

/// The narrowest scope that holds both, or a wider one that one of them has.
std::string scopes_help(const scheduler::Finding& found, const FindingContext& context) {
  spv::Scope scope = found.other->in_group ? spv::Scope::Workgroup : spv::Scope::Device;
  for (const vm::Inst* each : {found.instruction, found.other->instruction})
    if (const auto stated = scope_of(each, context); stated && stated->scope < scope)
      scope = stated->scope;
  return fmt::format("both atomics need one scope that holds the two work-items: {}",
                     scope_text(scope));
}

// ---- Asynchronous copies ------------------------------------------------------------------------

/// For a copy and an access in the same group. A copy is made between its call and the wait for its event.
std::string copy_help(const scheduler::Finding& found, const FindingContext& context) {
  const vm::exec::RacingAccess& other = *found.other;
  const bool is_own = is_async_copy(found.instruction, context.program);
  const vm::Inst* const access = is_own ? other.instruction : found.instruction;
  const std::string_view noun = noun_of(is_own ? other.kind : other.own, access, context);
  const std::string wait =
      fmt::format("wait_group_events for the copy's event before the {}", noun);
  const std::string fence = fmt::format("a barrier with {} between the {} and the copy",
                                        fence_flag(found, context), noun);
  const vm::Source& copy = source_at(is_own ? found.instruction : other.instruction, context);
  const vm::Source* const at = analysis::beside(source_at(access, context), copy, context.program);
  analysis::Values values(context.module);
  const analysis::FlowPlace from = values.place_of(copy, context.program),
                            to = at == nullptr ? analysis::FlowPlace{}
                                               : values.place_of(*at, context.program);
  if (from.in != nullptr && from.in == to.in) {
    const bool is_behind = analysis::leads_to(*from.in, from.spot, to.spot);
    const bool is_before = analysis::leads_to(*from.in, to.spot, from.spot);
    if (!is_behind) return fence + " orders the two";
    if (!is_before || analysis::leads_to(*from.in, from.spot, to.spot, spv::Op::OpGroupWaitEvents))
      return wait + " orders the two; a barrier does not";
  }
  return fmt::format("{} orders the two, or {} that comes behind it", wait, fence);
}

/// For two accesses of one instruction: no barrier could stand between them.
std::string one_instruction_help(const scheduler::Finding& found, const FindingContext& context) {
  const bool is_image =
      found.allocation != nullptr && found.allocation->region == memory::Region::kImage;
  std::string text =
      fmt::format("one instruction made both: each work-{} needs a {} of its own",
                  are_copies(found, context) ? "group" : "item", is_image ? "texel" : "place");
  analysis::Values values(context.module);
  const vm::Source& source = source_at(found.instruction, context);
  if (found.other->in_group && analysis::is_in_loop(source, values, context.program))
    return text + fmt::format(", or a barrier with {} must part the rounds of the loop",
                              fence_flag(found, context));
  if (is_image || are_copies(found, context)) return text;
  text += ", or an atomic function must take its place";
  return found.other->in_group ? text : text + ", or ones that release and acquire stand around it";
}

// ---- Barriers -----------------------------------------------------------------------------------

/// Where some work-items store for the others.
std::string handover(const scheduler::Finding& found, const FindingContext& context) {
  const RacingAccess& other = *found.other;
  const bool stores = does_write(other.own), stored = does_write(other.kind);
  if (stores == stored) return {};
  const vm::Source& own = source_at(found.instruction, context);
  const vm::Source& before = source_at(other.instruction, context);
  const std::string branch =
      stores ? own_branch(own, before, context) : own_branch(before, own, context);
  if (branch.empty()) return {};
  const std::string only = ": only work-items that the branch at " + branch + " lets through store";
  return stores ? only + ", while others may still load what was there"
                : only + ", and others load it";
}

/// A fence that stands where a barrier should.
std::string fence_between(const scheduler::Finding& found, const FindingContext& context) {
  analysis::Values values(context.module);
  const analysis::Pair pair =
      analysis::pair_of(source_at(found.other->instruction, context),
                        source_at(found.instruction, context), values, context.program);
  if (!pair.is_known() || !pair.is_way()) return {};
  const decoder::Instruction* fence = nullptr;
  const bool goes_round = analysis::leads_to(*pair.from.in, pair.from.spot, pair.to.spot,
                                             [&fence](const decoder::Instruction& each) {
                                               if (each.op != spv::Op::OpMemoryBarrier)
                                                 return false;
                                               fence = &each;
                                               return true;
                                             });
  if (goes_round || fence == nullptr) return {};
  const std::uint32_t function = pair.from.in->function.id;
  const vm::Source source{fence->word_offset, fence->op, fence->line, function, 0};
  return fmt::format("; the fence at {} makes nobody wait", context.places.spell(source));
}

// ---- Availability and visibility ----------------------------------------------------------------

/// "the store is private". `own`, `other`: nouns of the later and the earlier access.
std::string why_unshared(Unshared why, std::string_view own, std::string_view other) {
  switch (why) {
    case Unshared::kOtherPrivate:
      return fmt::format("the {} before it is private", other);
    case Unshared::kOwnPrivate:
      return "it is private";
    case Unshared::kNotAvailable:
      return fmt::format("nothing makes the {} available", other);
    case Unshared::kNotVisible:
      return fmt::format("nothing makes the {} visible to the {}", other, own);
    case Unshared::kOtherIncoherent:
      return fmt::format("the memory of the {} is not coherent", other);
    case Unshared::kOwnIncoherent:
      return "its memory is not coherent";
    case Unshared::kNone:
      break;
  }
  return {};
}

std::string unshared_help(Unshared why) {
  switch (why) {
    case Unshared::kOtherPrivate:
    case Unshared::kOwnPrivate:
      return "both need the memory operand NonPrivatePointer: in GLSL 'nonprivate', 'coherent' or "
             "one of its kin";
    case Unshared::kNotAvailable:
      return "MakePointerAvailable at the store makes it available, or MakeAvailable in a release "
             "between the two, for a scope that holds both work-items";
    case Unshared::kNotVisible:
      return "MakePointerVisible at the load makes the store visible, or MakeVisible in an acquire "
             "between the two, for a scope that holds both work-items";
    default:
      return "declare the buffer, or its member, 'coherent'";
  }
}

// ---- Languages ----------------------------------------------------------------------------------

/// The words of OpenCL C in the text, in those of SPIR-V and GLSL for a shader that is not made of OpenCL C.
std::string in_own_words(std::string text, const FindingContext& context) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"CLK_LOCAL_MEM_FENCE", "WorkgroupMemory semantics (barrier() in GLSL)"},
      {"CLK_GLOBAL_MEM_FENCE", "UniformMemory semantics (memoryBarrierBuffer() in GLSL)"},
      {"CLK_IMAGE_MEM_FENCE", "ImageMemory semantics (memoryBarrierImage() in GLSL)"},
      {"memory_scope_device", "Device"},
      {"memory_scope_work_group", "Workgroup"},
      {"memory_scope_sub_group", "Subgroup"},
      {"memory_scope_work_item", "Invocation"},
      {"memory_order_release", "Release"},
      {"memory_order_acquire", "Acquire"},
      {"memory_order_acq_rel", "AcquireRelease"}};
  const decoder::Module& module = context.module;
  if (decoder::row_of(module.memory_model).model == spv::ExecutionModel::Kernel ||
      module.source_language == spv::SourceLanguage::OpenCL_C)
    return text;
  for (const auto& [word, own] : kWords)
    for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; at += own.size())
      text.replace(at, word.size(), own);
  return text;
}

}  // namespace

bool is_async_copy(const vm::Inst* instruction, const vm::Program& program) {
  return instruction != nullptr && program.site_of(instruction).op == vm::Op::kAsyncCopy;
}

std::string race_message(const scheduler::Finding& found, const FindingContext& context) {
  const RacingAccess& other = *found.other;
  const std::string_view own = noun_of(other.own, found.instruction, context);
  const std::string_view noun = noun_of(other.kind, other.instruction, context);
  const std::string target = target_of(found, context);
  const bool is_copy = is_async_copy(found.instruction, context.program);
  std::string text =
      is_copy ? fmt::format("{} {} {}", own, does_write(other.own) ? "to" : "from", target)
              : fmt::format("{}-byte {} of {}", found.size_bytes, own, target);
  if (other.unshared != Unshared::kNone)
    return fmt::format("{} comes behind {} of another work-item, but {}", text, with_article(noun),
                       why_unshared(other.unshared, own, noun));
  text += " races with " + with_article(noun);
  if (is_async_copy(other.instruction, context.program))
    return text + (is_copy ? " of another work-group" : " that is not over");
  text += is_copy ? " of a work-item" : " of another work-item";
  if (is_atomic(other.own) && is_atomic(other.kind))
    text += in_own_words(why_scopes_part(found, context), context);
  return text;
}

std::string describe_other(const RacingAccess& other, const FindingContext& context) {
  const vm::Source& source = source_at(other.instruction, context);
  const Places& places = context.places;
  std::string text =
      fmt::format("{}: {} at {}", other.unshared == Unshared::kNone ? "races with" : "behind",
                  noun_of(other.kind, other.instruction, context), places.spell(source));
  text += calls_text(places.frames(context.program, source));
  if (is_async_copy(other.instruction, context.program))
    return text + " by work-group " + text_of(other.item.group_id);
  return text + " by work-item " + text_of(other.item);
}

namespace {

std::string advice(const scheduler::Finding& found, const FindingContext& context) {
  const RacingAccess& other = *found.other;
  if (other.unshared != Unshared::kNone) return unshared_help(other.unshared);
  const bool is_image =
      found.allocation != nullptr && found.allocation->region == memory::Region::kImage;
  if (is_atomic(other.own) && is_atomic(other.kind)) return scopes_help(found, context);
  if (other.in_group && are_copies(found, context)) return copy_help(found, context);
  const std::string_view flag = fence_flag(found, context);
  switch (other.barrier) {
    case BarrierBetween::kOfOtherMemory:
      return fmt::format("the barrier between them has no {}", flag);
    case BarrierBetween::kNarrow:
      return "the memory scope of the barrier between them is narrower than the work-group";
    case BarrierBetween::kSplit:
      return "a split barrier orders what stands before its first half with what stands behind its "
             "second";
    case BarrierBetween::kNone:
      break;
  }
  if (std::string near = near_miss_help(found, context); !near.empty()) return near;
  if (!is_image && are_of_one_update(found, context))
    return "the load and the store are of one update: an atomic function in its place orders what "
           "work-items do there";
  if (are_of_one_instruction(found, context)) return one_instruction_help(found, context);
  if (!other.in_group && is_image)
    return "the two are of different work-groups: nothing but two launches orders what these do to "
           "an image";
  if (!other.in_group)
    return "the two are of different work-groups: atomics that release and acquire order them, or "
           "two launches";
  const bool one_is_atomic = is_atomic(other.kind) != is_atomic(other.own);
  return fmt::format("a barrier with {} between them orders the two{}{}{}", flag,
                     one_is_atomic ? "" : handover(found, context), fence_between(found, context),
                     one_is_atomic ? "; without one both must be atomic" : "");
}

}  // namespace

std::string race_help(const scheduler::Finding& found, const FindingContext& context) {
  return in_own_words(advice(found, context), context);
}

}  // namespace transpire::findings
