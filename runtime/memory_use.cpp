#include "runtime/memory_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/rule.h"
#include "findings/texts.h"
#include "memory/translate.h"
#include "vm/exec/work_item.h"

namespace transpire {
namespace runtime {
namespace {

using Conflict = races::Footprint::Conflict;

std::string_view word_of(vm::AccessKind kind) {
  switch (kind) {
    case vm::AccessKind::kLoad:
      return "load";
    case vm::AccessKind::kStore:
      return "store";
    default:
      return "atomic access";
  }
}

std::optional<vm::exec::WorkItem> work_item_of(const races::Toucher& by,
                                               const MemoryUseState& use) {
  constexpr std::uint32_t kUnknown = races::Toucher::kMany;  // and above
  if (by.item >= kUnknown || by.group >= kUnknown) return std::nullopt;
  return findings::in_whole(vm::exec::work_item_at(use.ids, by.group, by.item),
                            use.part ? &*use.part : nullptr);
}

/// "races with: store at heat.cl:31:5 in 'put', called at heat.cl:40:3 in 'step' by work-item global (1,0,0), ..."
std::string describe_theirs(const Conflict& conflict, const MemoryUseState& other) {
  const MemoryUseState::Shown& shown = other.shown_at(conflict.other_place);
  const std::vector<Frame>& frames = shown.diagnostic.frames;
  std::string text = fmt::format(
      "{}: {} at {}{}", conflict.are_atomic() ? "meets" : "races with",
      word_of(conflict.other_kind), shown.place,
      frames.empty() ? fmt::format(" in '{}'", other.kernel) : findings::calls_text(frames));
  if (const auto item = work_item_of(conflict.other_by, other))
    text += " by work-item " + findings::text_of(*item);
  return text;
}

/// Says how the program can order the two kernels.
std::string help_of(Enqueued enqueued, bool are_atomic) {
  switch (enqueued) {
    case Enqueued::kByKernel:
      return "the event of the one in the wait list of the other orders the two";
    case Enqueued::kByOther:
      return "CLK_ENQUEUE_FLAGS_WAIT_KERNEL puts what a kernel enqueues behind all that the kernel "
             "itself does";
    case Enqueued::kAsParts:
      return "the two are of different work-groups: atomics that release and acquire order them, "
             "or two launches";
    case Enqueued::kByHost:
      break;
  }
  const std::string text = kWhatOrdersCommands;
  return are_atomic ? text + "; or share what they count in shared virtual memory" : text;
}

const MemoryUseState::Range* range_at(const MemoryUseState& use, const std::byte* at) {
  const auto found = std::ranges::find_if(use.ranges, [at](const MemoryUseState::Range& range) {
    return at >= range.bytes.data() && at < range.bytes.data() + range.bytes.size();
  });
  return found == use.ranges.end() ? nullptr : &*found;
}

/// An access in words: the instruction's ("store") and its target's ("buffer 'x'").
struct Access {
  std::string_view word;
  std::string target;

  std::string text_of() const { return fmt::format("{} of {}", word, target); }
};

/// A finding at the conflict's own instruction. `message` gets the Access.
template <class Message>
Finding make_finding(Rule rule, const Conflict& conflict, const MemoryUseState& own,
                     Message message) {
  const MemoryUseState::Range* const range = range_at(own, conflict.first);
  const bool has_name = range != nullptr && !range->name.empty();
  const std::string target =
      has_name ? fmt::format("{} '{}'", range->is_image ? "image" : "buffer", range->name)
               : "memory";
  Finding finding;
  Diagnostic& diagnostic = finding.diagnostic;
  diagnostic = own.shown_at(conflict.place).diagnostic;
  if (const auto item = work_item_of(conflict.by, own)) {
    diagnostic.notes.push_back("work-item: " + findings::text_of(*item));
    finding.global_id = item->global_id;
    finding.group_id = item->group_id;
    finding.local_id = item->local_id;
  }
  Diagnostic of_rule = make_diagnostic(rule, message(Access{word_of(conflict.kind), target}));
  diagnostic.rule = std::move(of_rule.rule);
  diagnostic.severity = of_rule.severity;
  diagnostic.message = std::move(of_rule.message);
  diagnostic.clause = std::move(of_rule.clause);
  if (range != nullptr) {
    finding.allocation = range->name;
    finding.offset_bytes = conflict.first - range->bytes.data();
    diagnostic.notes.push_back(fmt::format("address: {}, offset {}, size {}; {} byte{} in all",
                                           target, *finding.offset_bytes, range->bytes.size(),
                                           conflict.bytes, conflict.bytes == 1 ? "" : "s"));
  }
  finding.access_bytes = conflict.bytes;
  return finding;
}

/// "kernel 'f'"
std::string name_of_other(const MemoryUseState& own, const MemoryUseState& other,
                          Enqueued enqueued) {
  if (enqueued == Enqueued::kAsParts) return "another work-item";
  return other.kernel == own.kernel ? "another launch of the kernel"
                                    : fmt::format("kernel '{}'", other.kernel);
}

/// True for a conflict of kernels that the host enqueued in memory that is not shared virtual
/// memory.
bool is_plain_buffer(const Conflict& conflict, const MemoryUseState& own, Enqueued enqueued) {
  const MemoryUseState::Range* const range = range_at(own, conflict.first);
  return enqueued == Enqueued::kByHost && range != nullptr && range->is_argument;
}

/// True if atomics may order the kernels. Kernels that the host enqueued need atomics on memory
/// that both share; those of a parent may also order each other through other kernels.
bool may_order_themselves(const std::vector<Conflict>& conflicts, const MemoryUseState& own,
                          const MemoryUseState& other, Enqueued enqueued) {
  if (enqueued != Enqueued::kByHost)
    return own.footprint.uses_atomics() && other.footprint.uses_atomics();
  return std::ranges::any_of(conflicts, [&](const Conflict& conflict) {
    return conflict.are_atomic() && !is_plain_buffer(conflict, own, enqueued);
  });
}

}  // namespace

const MemoryUseState::Shown& MemoryUseState::shown_at(std::uint32_t place) const {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = shown_.try_emplace(place);
  if (!is_new) return at->second;
  const vm::Source& source = program->source_of(program->code.data() + place);
  const findings::Places& places = module->places();
  Diagnostic& diagnostic = at->second.diagnostic;
  diagnostic.input = module->module.input_name;
  if (source.word_offset != 0) {
    diagnostic.instruction = decoder::opcode_name(source.op);
    places.show(source.word_offset, source.line, diagnostic);
    diagnostic.frames = places.frames(*program, source);
  }
  at->second.place = places.spell(source);
  return at->second;
}

std::vector<MemoryUseState::Range> ranges_of(const memory::AddressSpace& space,
                                             const Launch& launch) {
  std::vector<MemoryUseState::Range> ranges;
  for (const memory::Allocation& allocation : space.allocations()) {
    if (const memory::Image* const image = memory::image_of(allocation); image != nullptr) {
      ranges.push_back({{image->texels, image->size_bytes}, space.name(allocation), true, true});
      continue;
    }
    if (allocation.region != memory::Region::kBuffer || allocation.is_shadow ||
        allocation.host == nullptr)
      continue;
    const auto is_this = [&](const Argument& argument) {
      return argument.kind == Argument::Kind::kBuffer &&
             argument.memory->state()->data == allocation.host;
    };
    ranges.push_back({{allocation.host, allocation.size_bytes},
                      space.name(allocation),
                      std::ranges::any_of(launch.arguments, is_this)});
  }
  return ranges;
}

std::string without_memory(std::string_view check) {
  return fmt::format("--check={} had no memory to look at all that the kernel touches", check);
}

void report_unchecked(std::string why, std::vector<Finding>& findings) {
  const Diagnostic reported = make_diagnostic(Rule::kL0010, std::move(why));
  if (std::ranges::any_of(findings, [&](const Finding& finding) {
        return finding.diagnostic.message == reported.message;
      }))
    return;
  findings.emplace_back().diagnostic = reported;
}

std::vector<Finding> describe_conflicts(const std::vector<Conflict>& conflicts,
                                        const MemoryUseState& own, const MemoryUseState& other,
                                        Enqueued enqueued) {
  std::vector<Finding> findings;
  const bool may_synchronise = may_order_themselves(conflicts, own, other, enqueued);
  for (const Conflict& conflict : conflicts) {
    const bool are_atomic = conflict.are_atomic();
    // Atomics order kernels, except those that the host enqueued, in memory that is not shared
    // virtual memory.
    const bool is_of_host = is_plain_buffer(conflict, own, enqueued);
    if ((are_atomic || may_synchronise) && !is_of_host) continue;
    const std::string theirs = findings::with_article(word_of(conflict.other_kind));
    const Rule rule = enqueued == Enqueued::kAsParts ? Rule::kR0100
                      : are_atomic                   ? Rule::kR0103
                                                     : Rule::kR0102;
    Finding& finding =
        findings.emplace_back(make_finding(rule, conflict, own, [&](const Access& access) {
          return fmt::format("{} {} {} of {}", access.text_of(),
                             are_atomic ? "meets" : "races with", theirs,
                             name_of_other(own, other, enqueued));
        }));
    finding.diagnostic.notes.push_back(describe_theirs(conflict, other));
    finding.diagnostic.help = help_of(enqueued, are_atomic);
  }
  return findings;
}

}  // namespace runtime

std::vector<Finding> MemoryUse::races_with(const MemoryUse& other) const {
  return runtime::describe_conflicts(state_->footprint.conflicts(other.state_->footprint), *state_,
                                     *other.state_, runtime::Enqueued::kByHost);
}

std::vector<Finding> MemoryUse::races_with(std::span<const std::byte> range, bool writes,
                                           const std::string& by) const {
  std::vector<Finding> findings;
  for (const runtime::Conflict& conflict : state_->footprint.in_range(range, !writes)) {
    Finding& finding = findings.emplace_back(
        runtime::make_finding(Rule::kR0102, conflict, *state_, [&](const runtime::Access& access) {
          return fmt::format("{} races with {}", access.text_of(), by);
        }));
    finding.diagnostic.help = runtime::kWhatOrdersCommands;
  }
  return findings;
}

std::vector<Finding> MemoryUse::in_mapped(std::span<const std::byte> range,
                                          bool for_writing) const {
  std::vector<Finding> findings;
  for (const runtime::Conflict& conflict : state_->footprint.in_range(range, !for_writing))
    findings.push_back(
        runtime::make_finding(Rule::kR0104, conflict, *state_, [&](const runtime::Access& access) {
          return fmt::format("{}, which the host has mapped for {}", access.text_of(),
                             for_writing ? "writing" : "reading");
        }));
  return findings;
}

std::vector<Finding> MemoryUse::in_unlisted(std::span<const std::byte> range) const {
  std::vector<Finding> findings;
  for (const runtime::Conflict& conflict : state_->footprint.in_range(range, false))
    findings.push_back(
        runtime::make_finding(Rule::kR0105, conflict, *state_, [&](const runtime::Access& access) {
          return fmt::format(
              "{} of shared virtual memory, which is neither an argument of the kernel nor named "
              "by clSetKernelExecInfo",
              access.word);
        }));
  return findings;
}

void MemoryUse::forget(std::span<const std::byte> range) const { state_->footprint.forget(range); }

std::uint64_t MemoryUse::size_bytes() const { return state_->footprint.size_bytes(); }

}  // namespace transpire
