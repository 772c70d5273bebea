#include "findings/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/excerpt.h"
#include "base/rule_facts.h"
#include "findings/causes.h"
#include "findings/operands.h"
#include "findings/races.h"
#include "findings/related.h"
#include "findings/texts.h"
#include "findings/waiting.h"
#include "findings/words.h"

namespace transpire::findings {
namespace {

/// Private memory may also be a table of descriptors that a shader indexes, or push constants: variables of the module that the launch fills.
std::string_view noun_of_variable(const memory::Allocation& allocation,
                                  const FindingContext& context) {
  const vm::PrivateVariable& variable = context.program.private_variables[allocation.index];
  for (const vm::Parameter& parameter : context.program.parameters)
    if (parameter.storage_class == spv::StorageClass::PushConstant &&
        parameter.private_variable == allocation.index)
      return "push constants";
  const bool is_declared = context.program.sources[variable.source].word_offset != 0;
  const auto is_table = [&](const decoder::Variable& each) {
    return each.name == variable.name && (each.storage_class == spv::StorageClass::StorageBuffer ||
                                          each.storage_class == spv::StorageClass::Uniform ||
                                          each.storage_class == spv::StorageClass::UniformConstant);
  };
  const bool has_table = !is_declared && std::ranges::any_of(context.module.variables, is_table);
  return has_table ? "descriptors" : "private variable";
}

std::string_view noun(const memory::Allocation& allocation, const FindingContext& context) {
  switch (allocation.region) {
    case memory::Region::kBuffer:
      return "buffer";
    case memory::Region::kConstant:
      return "constant";
    case memory::Region::kWorkgroup:
      return "local memory";
    case memory::Region::kPrivate:
      return noun_of_variable(allocation, context);
    case memory::Region::kImage:
      return "image";
    case memory::Region::kPipe:
      return "pipe";
  }
  return "memory";
}

}  // namespace

std::string spell(const memory::Allocation& allocation, const FindingContext& context) {
  return fmt::format("{} '{}'", noun(allocation, context), context.space.name(allocation));
}

std::string target_of(const scheduler::Finding& found, const FindingContext& context) {
  return found.allocation != nullptr ? spell(*found.allocation, context) : "memory";
}

const vm::Source& source_of(const vm::Inst* instruction, const FindingContext& context) {
  static const vm::Source nowhere;
  return instruction == nullptr ? nowhere : context.program.source_of(instruction);
}

std::int64_t offset_in(const memory::Allocation& allocation, std::uint64_t address) {
  return static_cast<std::int64_t>(address - allocation.begin);
}

namespace {

/// "work-item: global (64,0,0), group (1,0,0), local (0,0,0); 64 times in all"
std::string describe_items(const scheduler::Finding& found, const FindingContext& context) {
  std::string text = found.other && is_async_copy(found.instruction, context.program)
                         ? "work-group: " + text_of(found.first.group_id)
                         : "work-item: " + text_of(found.first);
  const RuleFacts facts = facts_of(found.rule);
  if (found.count <= 1 || !facts.tells_count) return text;
  if (facts.is_limit)
    return text + fmt::format("; {} {}", found.count,
                              found.waiting.size() > 1 ? "were stopped" : "stood here");
  return text + fmt::format("; {} times {}", found.count,
                            context.end == LaunchResult::End::kCompleted
                                ? "in all"
                                : "until the launch ended");
}

void add_notes(const scheduler::Finding& found, const FindingContext& context,
               Diagnostic& diagnostic) {
  if (found.instruction != nullptr) {
    diagnostic.notes.push_back(describe_items(found, context));
    if (std::string operands = describe_operands(found, context); !operands.empty())
      diagnostic.notes.push_back(std::move(operands));
  }
  if (std::string texel = found.other ? spell_texel(found) : ""; !texel.empty())
    diagnostic.notes.push_back("texel: " + std::move(texel));
  if (found.allocation != nullptr)
    diagnostic.notes.push_back(
        fmt::format("address: {}, offset {}, size {}", spell(*found.allocation, context),
                    offset_in(*found.allocation, found.address), found.allocation->size_bytes));
  if (found.other) diagnostic.notes.push_back(describe_other(*found.other, context));
  add_related(found, context, diagnostic);
  add_waiting(found, context, diagnostic);
  add_notes_of(found, context, diagnostic);
  const RuleFacts::Concerns concerns = facts_of(found.rule).concerns;
  if (concerns == RuleFacts::Concerns::kGroup || concerns == RuleFacts::Concerns::kSubgroup)
    diagnostic.notes.emplace_back(
        "afterwards: what the work-items of this group exchange depends on the "
        "instruction set");
}

Finding describe(const scheduler::Finding& found, const FindingContext& context) {
  Finding finding;
  const vm::Source& source = source_of(found.instruction, context);
  Diagnostic& diagnostic = finding.diagnostic;
  diagnostic = make_diagnostic(found.rule, message_of(found, context));
  if (is_run_rule(found.rule))
    if (const RulePage* page = find_rule(diagnostic.rule)) diagnostic.clause = page->clause;
  diagnostic.input = context.module.input_name;
  if (source.word_offset != 0) {
    const Places& places = context.places;
    diagnostic.instruction = decoder::opcode_name(source.op);
    places.show(source.word_offset, source.line, diagnostic);
    diagnostic.frames = places.frames(context.program, source);
  }
  diagnostic.help = help_of(found, context);
  add_notes(found, context, diagnostic);
  finding.count = found.count;
  finding.global_id = found.first.global_id;
  finding.group_id = found.first.group_id;
  finding.local_id = found.first.local_id;
  finding.access_bytes = found.size_bytes;
  if (found.allocation != nullptr) {
    finding.allocation = context.space.name(*found.allocation);
    finding.offset_bytes = offset_in(*found.allocation, found.address);
  }
  return finding;
}

/// "TSP-R0020 at heat.cl:31:5"
std::string spell(const Cause& cause) {
  if (cause.source.known()) return fmt::format("{} at {}", cause.rule, text_of(cause.source));
  return cause.word_offset ? fmt::format("{} at word {}", cause.rule, *cause.word_offset)
                           : cause.rule;
}

/// In front of the other notes.
void add_cause_note(Finding& finding) {
  std::string note;
  if (finding.follows_from)
    note = "follows from " + spell(*finding.follows_from);
  else if (finding.is_first_cause())
    note = finding.consequences == 1
               ? std::string("first cause: a finding below follows from this one")
               : fmt::format("first cause: {} findings below follow from this one",
                             finding.consequences);
  if (!note.empty())
    finding.diagnostic.notes.insert(finding.diagnostic.notes.begin(), std::move(note));
}

}  // namespace

void append_described(const std::vector<scheduler::Finding>& found, const FindingContext& context,
                      std::vector<Finding>& findings) {
  if (found.empty()) return;
  const std::size_t before = findings.size();
  for (const scheduler::Finding& each : found)
    findings.push_back(context.part != nullptr ? describe(in_whole(each, *context.part), context)
                                               : describe(each, context));
  const auto causes = find_causes(found, context.module, context.program);
  for (std::size_t i = found.size(); i-- > 0;) {  // a cause comes before its consequences
    if (!causes[i]) continue;
    Finding& cause = findings[before + *causes[i]];
    findings[before + i].follows_from =
        Cause{before + *causes[i], cause.diagnostic.rule, cause.diagnostic.source,
              cause.diagnostic.word_offset};
    cause.consequences += 1 + findings[before + i].consequences;
  }
  for (std::size_t i = before; i < findings.size(); ++i) add_cause_note(findings[i]);
}

void shift_causes(std::vector<Finding>& findings, std::size_t before) {
  for (Finding& finding : findings)
    if (finding.follows_from) finding.follows_from->finding += before;
}

}  // namespace transpire::findings
