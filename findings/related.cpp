#include "findings/related.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/paths.h"
#include "findings/texts.h"
#include "vm/exec/related.h"

namespace transpire::findings {
namespace {

using vm::exec::Related;
using vm::exec::Relation;

struct Row {
  Relation relation;
  /// {place} is where, {who} by whom; {name}, {value} and {other} are Related's.
  std::string_view text;
};

constexpr Row kRows[] = {
    {Relation::kCopyBegan, "the copy began at {place} by {who}"},
    {Relation::kLoadedThrough, "loaded through '{name}' at {place} by {who}"},
    {Relation::kStoredThrough, "stored through '{name}' at {place} by {who}"},
    {Relation::kThrough, "this access is through '{name}'"},
    {Relation::kThroughRestrict, "this access is through '{name}', which is restrict"},
    {Relation::kTexelWritten, "written at {place} by {who}"},
    {Relation::kReserveFailed,
     "reserving failed at {place} by {who}: {value} packets were asked for, and {other} could be "
     "had"},
    {Relation::kReserved, "{value} packets were reserved at {place} by {who}"},
    {Relation::kCommitted, "committed at {place} by {who}"},
    {Relation::kEventMade, "the event was made at {place} by {who}"},
    {Relation::kEventReleased, "released at {place} by {who}"},
    {Relation::kStatusSet, "its status was set at {place} by {who}"},
    {Relation::kWaitsForUser,
     "waits for a user event, made at {place} by {who}, whose status nobody set"},
    {Relation::kWaitsForCommand, "waits for the command that was enqueued at {place} by {who}"},
    {Relation::kOperand, "{name}: {value} in {who}"},
    {Relation::kLifeEnded, "its lifetime ends at {place}"},
    {Relation::kLifeBegins, "its lifetime begins at {place}"},
};

std::string place_text(const Related& related, const FindingContext& context) {
  if (related.instruction == nullptr) return {};
  const vm::Program& program = related.program != nullptr ? *related.program : context.program;
  const vm::Source& source = program.source_of(related.instruction);
  const Places& places = context.places;
  return places.spell(source) + calls_text(places.frames(program, source));
}

std::string who_text(const Related& related) {
  switch (related.by) {
    case Related::By::kNobody:
      break;
    case Related::By::kItem:
      return "work-item " + text_of(related.item);
    case Related::By::kGroup:
      return "work-group " + text_of(related.item.group_id);
    case Related::By::kSameItem:
      return "the same work-item";
  }
  return "another work-item";
}

/// Handles and addresses are no numbers for people.
std::string value_text(std::uint64_t value) {
  return value > 0xffffffffu ? fmt::format("{:#x}", value) : fmt::to_string(value);
}

/// The operand for which the check tells what the work-item has, and the least and the most of the group.
std::vector<Related> group_operand(const scheduler::Finding& found, const FindingContext& context) {
  constexpr std::size_t kOwn = 0, kLeast = 1, kMost = 2, kCount = 3;
  if (found.operands.size() != kCount) return {};
  const std::uint32_t remark = context.program.site_of(found.instruction).remark;
  Related own;
  own.relation = Relation::kOperand;
  own.by = Related::By::kItem;
  own.item = found.first;
  if (remark != 0) own.name = context.program.remarks[remark - 1];
  Related other = own;
  own.value = found.operands[kOwn];
  other.by = Related::By::kNobody;
  other.value = found.operands[own.value == found.operands[kLeast] ? kMost : kLeast];
  return {own, other};
}

/// Where a private variable's lifetime ended before the access, or else where it begins.
std::vector<Related> lifetime_of(const scheduler::Finding& found, const FindingContext& context) {
  if (found.allocation == nullptr || found.allocation->region != memory::Region::kPrivate)
    return {};
  const vm::Program& program = context.program;
  analysis::Values values(context.module);
  const vm::Source& own = program.source_of(found.instruction);
  std::vector<Related> ends, begins;
  for (const vm::Inst& inst : program.code) {
    const vm::Site& site = program.site_of(&inst);
    const bool is_end = site.op == vm::Op::kLifetimeStop;
    if ((!is_end && site.op != vm::Op::kLifetimeStart) || site.number != found.allocation->index)
      continue;
    const analysis::Pair pair = analysis::pair_of(program.source_of(&inst), own, values, program);
    if (is_end && pair.is_known() && !pair.is_way()) continue;
    (is_end ? ends : begins)
        .push_back(
            vm::exec::by_same_item(is_end ? Relation::kLifeEnded : Relation::kLifeBegins, &inst));
  }
  // A call that a variable ends with says less than what ended it in there.
  const auto is_call = [&](const Related& end) {
    return program.source_of(end.instruction).op == spv::Op::OpFunctionCall;
  };
  if (!std::ranges::all_of(ends, is_call)) std::erase_if(ends, is_call);
  return ends.empty() ? begins : ends;
}

void add(const std::vector<Related>& all, const FindingContext& context, Diagnostic& diagnostic) {
  for (const Related& each : all) {
    std::string note = spell(each, context);
    if (std::ranges::find(diagnostic.notes, note) == diagnostic.notes.end())
      diagnostic.notes.push_back(std::move(note));
  }
}

}  // namespace

std::string spell(const Related& related, const FindingContext& context) {
  const Row* const row = std::ranges::find(kRows, related.relation, &Row::relation);
  if (row == std::end(kRows)) return {};
  return fmt::format(fmt::runtime(row->text), fmt::arg("place", place_text(related, context)),
                     fmt::arg("who", who_text(related)), fmt::arg("name", related.name),
                     fmt::arg("value", value_text(related.value)),
                     fmt::arg("other", value_text(related.other_value)));
}

void add_related(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic) {
  add(found.related, context, diagnostic);
}

void add_group_operand(const scheduler::Finding& found, const FindingContext& context,
                       Diagnostic& diagnostic) {
  add(group_operand(found, context), context, diagnostic);
}

void add_lifetime(const scheduler::Finding& found, const FindingContext& context,
                  Diagnostic& diagnostic) {
  add(lifetime_of(found, context), context, diagnostic);
}

}  // namespace transpire::findings
