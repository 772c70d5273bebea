#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "base/rule_facts.h"
#include "decoder/newer_opcodes.h"
#include "findings/operands.h"
#include "findings/origins.h"
#include "findings/races.h"
#include "findings/related.h"
#include "findings/waiting.h"
#include "memory/null_descriptor.h"

namespace transpire::findings {
namespace {

/// "load", "store", "copy" or "atomic access": what the instruction does to memory.
std::string_view action(const scheduler::Finding& found, const FindingContext& context) {
  const RuleFacts facts = facts_of(found.rule);
  const spv::Op op = source_of(found.instruction, context).op;
  if (decoder::opcode_class(op) == "Atomic") return "atomic access";
  if (!facts.access.empty()) return facts.access;
  if (op == decoder::kOpCooperativeMatrixLoadKHR) return "load";
  if (op == decoder::kOpCooperativeMatrixStoreKHR) return "store";
  switch (op) {
    case spv::Op::OpStore:
      return "store";
    case spv::Op::OpLoad:
      return "load";
    case spv::Op::OpCopyMemory:
    case spv::Op::OpCopyMemorySized:
      return "copy";
    default:
      return facts.other_access;
  }
}

/// "4-byte load"
std::string spell_access(const scheduler::Finding& found, const FindingContext& context) {
  return fmt::format("{}-byte {}", found.size_bytes, action(found, context));
}

std::string_view position(const memory::Allocation& allocation, std::uint64_t address) {
  const std::int64_t offset = offset_in(allocation, address);
  if (offset < 0) return "before the start of";
  return static_cast<std::uint64_t>(offset) >= allocation.size_bytes ? "past the end of"
                                                                     : "across the end of";
}

std::string outside_bounds(const scheduler::Finding& found, const FindingContext& context) {
  const std::string access = spell_access(found, context);
  if (found.allocation == nullptr) return access + " outside the bounds of any allocation";
  return fmt::format("{} {} {}", access, position(*found.allocation, found.address),
                     target_of(found, context));
}

/// "store with index 2 outside an array of 2 elements in private variable 's'"
std::string outside_array(const scheduler::Finding& found, const FindingContext& context) {
  const std::uint64_t count = context.program.site_of(found.instruction).number;
  std::string text = fmt::format("{} with index {} outside an array of {} element{}",
                                 action(found, context), found.index, count, count == 1 ? "" : "s");
  if (found.allocation != nullptr) text += fmt::format(" in {}", spell(*found.allocation, context));
  return text;
}

/// The builder's remark on a check, beside its rule (lir::Function::remarks); empty if it has none.
std::string_view remark(const scheduler::Finding& found, const FindingContext& context) {
  if (found.instruction == nullptr) return {};
  const vm::Program& program = context.program;
  const std::uint32_t number = program.site_of(found.instruction).remark;
  return number == 0 ? std::string_view{} : program.remarks[number - 1];
}

/// The rule's title, and what is known besides.
std::string titled(const scheduler::Finding& found, const FindingContext& context) {
  const RulePage* page = find_rule(std::string(rule_id(found.rule)));
  const std::string title = page != nullptr ? page->title : std::string("a finding");
  const std::string_view detail = remark(found, context);
  if (is_run_rule(found.rule)) return std::string(detail);
  if (found.allocation != nullptr && found.allocation->region == memory::Region::kImage)
    return fmt::format("{}: {}", title, target_of(found, context));
  return detail.empty() ? title : fmt::format("{}: {}", title, detail);
}

std::string misaligned(const scheduler::Finding& found, const FindingContext& context) {
  if (!remark(found, context).empty()) return titled(found, context);
  const std::uint32_t align = context.program.site_of(found.instruction).align_bytes;
  std::string text = "misaligned " + spell_access(found, context);
  if (found.allocation != nullptr)
    text += fmt::format(" at offset {} of {}", offset_in(*found.allocation, found.address),
                        spell(*found.allocation, context));
  if (align > 1) text += fmt::format(": expected a multiple of {}", align);
  return text;
}

/// Names the buffer that had an address in an earlier launch; a kernel may have kept it.
std::optional<memory::AddressBook::Known> earlier_buffer(const scheduler::Finding& found,
                                                         const FindingContext& context) {
  const memory::AddressMap map = context.space.map();
  return context.book.find((found.address >> map.slot_shift) - map.first_slot);
}

/// For an address in no allocation.
std::string stray(const scheduler::Finding& found, const FindingContext& context) {
  const auto known = earlier_buffer(found, context);
  const std::string access =
      fmt::format("{} at address {:#x}", spell_access(found, context), found.address);
  if (!known) return access + ", which belongs to no allocation";
  return fmt::format("{} of {} of an earlier launch, which {}", access, known->name,
                     known->is_there ? "is no argument of this one" : "is gone");
}

std::string printed_string(const scheduler::Finding& found, const FindingContext& context) {
  if (found.allocation == nullptr) return titled(found, context);
  return "printf prints string literals, and this string is in " + target_of(found, context);
}

std::string printf_dropped(const scheduler::Finding& found, const FindingContext& context) {
  return fmt::format("the printf buffer of {} bytes is full: {} call{} dropped",
                     context.max_printf_bytes, found.count, found.count == 1 ? " was" : "s were");
}

// ---- Help ---------------------------------------------------------------------------------------

/// Elements of the buffer as the kernel's parameter sees it; 0 when it is bound to no pointer
/// parameter.
std::uint64_t element_count(const memory::Allocation& allocation, const FindingContext& context) {
  const std::string& name = context.space.name(allocation);
  const auto& parameters = context.program.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Argument& argument = context.launch.arguments[i];
    if (argument.kind != Argument::Kind::kBuffer ||
        argument.memory->bytes().data() != allocation.host)
      continue;
    const std::uint64_t element_bytes = parameters[i].element_bytes;
    if (element_bytes != 0 && !name.empty()) return allocation.size_bytes / element_bytes;
  }
  return 0;
}

/// Running off a buffer with as many elements as one expected work-items is the commonest mistake.
std::string bounds_help(const scheduler::Finding& found, const FindingContext& context) {
  if (found.allocation == nullptr || found.allocation->region != memory::Region::kBuffer) return {};
  const std::uint64_t elements = element_count(*found.allocation, context);
  const std::uint64_t items =
      context.part != nullptr ? context.part->global_size[0] : context.ids.global_size[0];
  if (elements == 0 || items <= elements || found.first.global_id[0] < elements) return {};
  if (offset_in(*found.allocation, found.address) < 0) return {};
  return fmt::format("the launch covers {} work-items for {} elements; guard with 'if (i < n)'",
                     items, elements);
}

bool is_null(std::uint64_t argument, const FindingContext& context) {
  const std::vector<Argument>& arguments = context.launch.arguments;
  return argument < arguments.size() && arguments[argument].kind == Argument::Kind::kNull;
}

std::string null_text(std::size_t argument, const FindingContext& context) {
  return fmt::format("argument '{}' is null in this launch",
                     context.program.parameters[argument].name);
}

std::string null_handle_help(const scheduler::Finding& found, const FindingContext& context) {
  const std::uint64_t argument = memory::argument_of_image(found.address);
  return is_null(argument, context) ? null_text(argument, context) : "";
}

std::string null_help(const scheduler::Finding& found, const FindingContext& context) {
  const std::size_t count = context.launch.arguments.size();
  const std::uint64_t argument =
      memory::NullBuffers(count, context.space.map().slot_shift).argument(found.address);
  if (is_null(argument, context) && context.program.parameters[argument].has_size_slot)
    return null_text(argument, context);
  // Other arguments that are null, and far indexes, do not say which one it is.
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_null(i, context)) continue;
    if (only) return "more than one argument is null in this launch";
    only = i;
  }
  return only ? null_text(*only, context) : "";
}

std::string stray_help(const scheduler::Finding& found, const FindingContext& context) {
  if (!earlier_buffer(found, context)) return {};
  return "a launch reaches its own arguments alone: make the buffer one of them, or use shared "
         "memory";
}

// ---- The table ----------------------------------------------------------------------------------

/// A text with the names that spell() knows, or a function that makes it. Empty: none.
struct Phrase {
  std::string_view text{};
  std::string (*make)(const scheduler::Finding&, const FindingContext&) = nullptr;

  constexpr Phrase() = default;
  constexpr Phrase(const char* fixed) : text(fixed) {}
  constexpr Phrase(std::string (*function)(const scheduler::Finding&, const FindingContext&))
      : make(function) {}
};

struct RuleWords {
  Rule rule{};
  Phrase message = titled;
  Phrase help{};
  void (*add_notes)(const scheduler::Finding&, const FindingContext&, Diagnostic&) = nullptr;
};

constexpr RuleWords kRuleWords[] = {
    {Rule::kR0001, "{access} through a null pointer", null_help},
    {Rule::kR0002, stray, stray_help},
    {Rule::kR0020, outside_bounds, bounds_help},
    {Rule::kR0021, outside_bounds, bounds_help},
    {Rule::kR0022, outside_bounds, bounds_help},
    {Rule::kR0023, misaligned},
    {Rule::kR0024, "{access} to read-only {target}"},
    {Rule::kR0025, "{access} to {target} through an argument that promises not to write"},
    {Rule::kR0026, "{access} to {target} outside its lifetime", {}, add_lifetime},
    {Rule::kR0027, "{access} from write-only {target}"},
    {Rule::kR0028, outside_array},
    {Rule::kR0030, "in-bounds access chain to offset {index} of {target}"},
    {Rule::kR0040, divergence_message, divergence_help},
    {Rule::kR0041, divergence_message},
    {Rule::kR0045, titled, {}, add_group_operand},
    {Rule::kR0048, no_progress_message, no_progress_help, add_waiting_loops},
    {Rule::kR0068, printed_string},
    {Rule::kR0070, titled, outside_image_help},
    {Rule::kR0071, titled, outside_image_help},
    {Rule::kR0076, titled, null_handle_help},
    {Rule::kR0100, race_message, race_help},
    {Rule::kR0101, undefined_message, {}, add_origins},
    {Rule::kR0107, race_message, race_help},
    {Rule::kR0108, race_message, race_help},
    {Rule::kL0001, "a work-item of kernel '{kernel}' ran more than {steps} instructions",
     "raise the limit, or look for an endless loop"},
    {Rule::kL0002, "kernel '{kernel}' ran longer than {seconds:g} s",
     "raise the limit, or find an endless loop with a limit on steps"},
    {Rule::kL0004, "what kernels enqueued takes all the memory that the launch may have"},
    {Rule::kL0005, printf_dropped, "raise the limit, or print less"},
    {Rule::kL0008, "kernel '{kernel}' was interrupted"},
};

static_assert(std::ranges::adjacent_find(kRuleWords, std::ranges::greater_equal{},
                                         &RuleWords::rule) == std::ranges::end(kRuleWords),
              "rows stand in the order of their rules, each rule once");

constexpr RuleWords kOtherRules{};

const RuleWords& words_of(Rule rule) {
  const RuleWords* const row = std::ranges::find(kRuleWords, rule, &RuleWords::rule);
  return row != std::end(kRuleWords) ? *row : kOtherRules;
}

std::string spell(const Phrase& phrase, const scheduler::Finding& found,
                  const FindingContext& context) {
  if (phrase.make != nullptr) return phrase.make(found, context);
  if (phrase.text.empty()) return {};
  return fmt::format(fmt::runtime(phrase.text), fmt::arg("access", spell_access(found, context)),
                     fmt::arg("target", target_of(found, context)), fmt::arg("index", found.index),
                     fmt::arg("kernel", context.launch.kernel),
                     fmt::arg("steps", context.launch.limits.max_steps),
                     fmt::arg("seconds", context.launch.limits.timeout_seconds));
}

}  // namespace

std::string message_of(const scheduler::Finding& found, const FindingContext& context) {
  return spell(words_of(found.rule).message, found, context);
}

std::string help_of(const scheduler::Finding& found, const FindingContext& context) {
  return spell(words_of(found.rule).help, found, context);
}

void add_notes_of(const scheduler::Finding& found, const FindingContext& context,
                  Diagnostic& diagnostic) {
  if (const auto add = words_of(found.rule).add_notes; add != nullptr)
    add(found, context, diagnostic);
}

}  // namespace transpire::findings
