#include "findings/findings.h"

#include <fmt/format.h>

#include <bit>

#include "base/excerpt.h"
#include "base/rule_facts.h"
#include "findings/causes.h"
#include "findings/origins.h"
#include "findings/races.h"
#include "findings/related.h"
#include "findings/spelled.h"
#include "findings/waiting.h"
#include "memory/image.h"
#include "transpire/half.hpp"

namespace transpire::findings {
namespace {

std::string_view noun(const memory::Allocation& allocation) {
  switch (allocation.region) {
    case memory::Region::kBuffer:
      return "buffer";
    case memory::Region::kConstant:
      return "constant";
    case memory::Region::kWorkgroup:
      return "local memory";
    case memory::Region::kPrivate:
      return "private variable";
    case memory::Region::kImage:
      return "image";
    case memory::Region::kPipe:
      return "pipe";
  }
  return "memory";
}

}  // namespace

std::string spell(const memory::Allocation& allocation, const FindingContext& context) {
  return fmt::format("{} '{}'", noun(allocation), context.space.name(allocation));
}

namespace {

const vm::Source& source_of(const vm::Inst* instruction, const FindingContext& context) {
  static const vm::Source nowhere;
  if (instruction == nullptr) return nowhere;
  return context.program.source_of(instruction);
}

/// "load", "store", "copy" or "atomic access": what the instruction does to memory.
std::string_view action(const scheduler::Finding& found, spv::Op op) {
  const RuleFacts facts = facts_of(found.rule);
  if (decoder::opcode_class(op) == "Atomic") return "atomic access";
  if (!facts.access.empty()) return facts.access;
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

std::int64_t offset_in(const memory::Allocation& allocation, std::uint64_t address) {
  return static_cast<std::int64_t>(address - allocation.begin);
}

std::string_view position(const memory::Allocation& allocation, std::uint64_t address) {
  const std::int64_t offset = offset_in(allocation, address);
  if (offset < 0) return "before the start of";
  return static_cast<std::uint64_t>(offset) >= allocation.size_bytes ? "past the end of"
                                                                     : "across the end of";
}

std::string misaligned(const scheduler::Finding& found, const std::string& access,
                       const FindingContext& context) {
  const std::uint32_t align = context.program.site_of(found.instruction).align_bytes;
  std::string text = "misaligned " + access;
  if (found.allocation != nullptr)
    text += fmt::format(" at offset {} of {}", offset_in(*found.allocation, found.address),
                        spell(*found.allocation, context));
  if (align > 1) text += fmt::format(": expected a multiple of {}", align);
  return text;
}

/// "store with index 2 outside an array of 2 elements in private variable 's'"
std::string outside_array(const scheduler::Finding& found, spv::Op op,
                          const FindingContext& context) {
  const std::uint64_t count = context.program.site_of(found.instruction).elements;
  std::string text = fmt::format("{} with index {} outside an array of {} element{}",
                                 action(found, op), found.index, count, count == 1 ? "" : "s");
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
std::string titled_message(const scheduler::Finding& found, const std::string& target,
                           const FindingContext& context) {
  const RulePage* page = find_rule(std::string(rule_id(found.rule)));
  const std::string title = page != nullptr ? page->title : std::string("a finding");
  const std::string_view detail = remark(found, context);
  if (is_run_rule(found.rule)) return std::string(detail);
  if (found.allocation != nullptr && found.allocation->region == memory::Region::kImage)
    return fmt::format("{}: {}", title, target);
  return detail.empty() ? title : fmt::format("{}: {}", title, detail);
}

/// Names the buffer that had an address in an earlier launch; a kernel may have kept it.
std::optional<memory::AddressBook::Known> earlier_buffer(std::uint64_t address,
                                                         const FindingContext& context) {
  const memory::AddressMap map = context.space.map();
  return context.book.find((address >> map.slot_shift) - map.first_slot);
}

/// For an address in no allocation.
std::string stray_message(std::uint64_t address, const std::string& access,
                          const FindingContext& context) {
  const auto known = earlier_buffer(address, context);
  if (!known)
    return fmt::format("{} at address {:#x}, which belongs to no allocation", access, address);
  return fmt::format("{} at address {:#x} of {} of an earlier launch, which {}", access, address,
                     known->name, known->is_there ? "is no argument of this one" : "is gone");
}

std::string message(const scheduler::Finding& found, spv::Op op, const FindingContext& context) {
  const std::string access = fmt::format("{}-byte {}", found.size_bytes, action(found, op));
  const std::string target =
      found.allocation != nullptr ? spell(*found.allocation, context) : std::string("memory");
  switch (found.rule) {
    case Rule::kR0001:
      return access + " through a null pointer";
    case Rule::kR0002:
      return stray_message(found.address, access, context);
    case Rule::kR0020:
    case Rule::kR0021:
    case Rule::kR0022:
      if (found.allocation == nullptr) return access + " outside the bounds of any allocation";
      return fmt::format("{} {} {}", access, position(*found.allocation, found.address), target);
    case Rule::kR0023:
      return misaligned(found, access, context);
    case Rule::kR0024:
      return fmt::format("{} to read-only {}", access, target);
    case Rule::kR0025:
      return fmt::format("{} to {} through an argument that promises not to write", access, target);
    case Rule::kR0026:
      return fmt::format("{} to {} outside its lifetime", access, target);
    case Rule::kR0027:
      return fmt::format("{} from write-only {}", access, target);
    case Rule::kR0028:
      return outside_array(found, op, context);
    case Rule::kR0030:
      return fmt::format("in-bounds access chain to offset {} of {}", found.index, target);
    case Rule::kR0040:
    case Rule::kR0041:
      return parted_message(found.rule, op);
    case Rule::kR0048:
      return stalled_message(found, context);
    case Rule::kR0068:
      if (found.allocation == nullptr) return titled_message(found, target, context);
      return fmt::format("printf prints string literals, and this string is in {}", target);
    case Rule::kR0100:
      return race_message(found, target, context);
    case Rule::kR0101:
      return undefined_message(found, target, context);
    case Rule::kL0001:
      return fmt::format("a work-item of kernel '{}' ran more than {} instructions",
                         context.launch.kernel, context.launch.limits.max_steps);
    case Rule::kL0002:
      return fmt::format("kernel '{}' ran longer than {:g} s", context.launch.kernel,
                         context.launch.limits.timeout_seconds);
    case Rule::kL0004:
      return "what kernels enqueued takes all the memory that the launch may have";
    case Rule::kL0008:
      return fmt::format("kernel '{}' was interrupted", context.launch.kernel);
    case Rule::kL0005:
      return fmt::format("the printf buffer of {} bytes is full: {} call{} dropped",
                         context.max_printf_bytes, found.count,
                         found.count == 1 ? " was" : "s were");
    default:
      return titled_message(found, target, context);
  }
}

/// "work-item: global (64,0,0), group (1,0,0), local (0,0,0); 64 times in all"
std::string describe_items(const scheduler::Finding& found, const FindingContext& context) {
  std::string text = found.other && is_async_copy(found.instruction, context.program)
                         ? "work-group: " + spelled(found.first.group_id)
                         : "work-item: " + spelled(found.first);
  if (facts_of(found.rule).is_limit) {
    if (found.count <= 1) return text;
    if (found.rule == Rule::kR0048) return text;
    return text + fmt::format("; {} {}", found.count,
                              found.waiting.size() > 1 ? "were stopped" : "stood here");
  }
  if (found.count <= 1 || found.rule == Rule::kR0040) return text;
  return text + fmt::format("; {} times {}", found.count,
                            context.end == LaunchResult::End::kCompleted
                                ? "in all"
                                : "until the launch ended");
}

std::string spell_operand(std::uint64_t bits, vm::Kind kind, bool is_signed) {
  switch (kind) {
    case vm::Kind::kF16:
      return fmt::format("{}", half_to_float(static_cast<std::uint16_t>(bits)));
    case vm::Kind::kF32:
      return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case vm::Kind::kF64:
      return fmt::format("{}", std::bit_cast<double>(bits));
    default:
      break;
  }
  if (!is_signed) return fmt::to_string(bits);
  const unsigned unused = 64 - vm::width_bits(kind);
  return fmt::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

const memory::Image* image_of(const scheduler::Finding& found) {
  if (found.allocation == nullptr || found.allocation->region != memory::Region::kImage)
    return nullptr;
  return memory::image_of(*found.allocation);
}

/// As many coordinates, which are the first operands: "(4, 0)".
std::string spell_coordinates(const scheduler::Finding& found, std::size_t count,
                              const FindingContext& context) {
  const vm::Program& program = context.program;
  const vm::Site& site = program.site_of(found.instruction);
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += (text.empty() ? "" : ", ") +
            spell_operand(found.operands[i], program.told_values[site.first_told + i].kind, true);
  return count == 1 ? text : "(" + text + ")";
}

/// Which texel of an image lies at an offset: "(3, 1)", of a mipmap "(3, 1) of level 2".
std::string spell_texel(const memory::Image& image, std::uint64_t offset) {
  std::uint32_t number = image.levels - 1;
  while (number > 0 && offset < image.level[number].offset) --number;
  const memory::ImageLevel& level = image.level[number];
  std::uint64_t left = offset - level.offset;
  const std::size_t count = memory::coordinates(image.dim);
  std::string text;
  for (std::size_t k = count; k-- > 0;) {
    const std::uint64_t at = level.pitch[k] == 0 ? 0 : left / level.pitch[k];
    left -= at * level.pitch[k];
    text = text.empty() ? fmt::to_string(at) : fmt::format("{}, {}", at, text);
  }
  if (count > 1) text = "(" + text + ")";
  return image.levels > 1 ? fmt::format("{} of level {}", text, number) : text;
}

/// "4 x 3 texels", "4 x 3 texels and 2 layers"
std::string spell_size(const memory::Image& image, const memory::ImageLevel& level) {
  const std::uint32_t axes = memory::sampled_axes(image.dim);
  std::string text;
  for (std::uint32_t k = 0; k < axes; ++k)
    text += fmt::format("{}{}", k == 0 ? "" : " x ", level.size[k]);
  text += axes == 1 && level.size[0] == 1 ? " texel" : " texels";
  if (memory::is_array(image.dim))
    text += fmt::format(" and {} layer{}", level.size[axes], level.size[axes] == 1 ? "" : "s");
  return text;
}

/// Where the first work-item was outside of the image, and how large that is.
std::string outside_image_help(const scheduler::Finding& found, const FindingContext& context) {
  const memory::Image* const image = image_of(found);
  if (image == nullptr) return {};
  const std::size_t count = memory::coordinates(image->dim);
  if (found.operands.size() < count) return {};
  const auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(found.operands[i]); };
  std::size_t next = count;
  std::uint32_t level = 0;
  // In a read or write without a sampler a level, a sample, or both follow.
  if (next < found.operands.size() && (next + 1 < found.operands.size() || image->samples == 1))
    level = number(next++);
  if (level >= image->levels)
    return fmt::format("the level is {}, the image has {}", static_cast<std::int32_t>(level),
                       image->levels);
  if (next < found.operands.size() && number(next) >= image->samples)
    return fmt::format("the sample is {}, the image has {}",
                       static_cast<std::int32_t>(number(next)), image->samples);
  return fmt::format("work-item {} is at {}, {} has {}", spelled(found.first.global_id),
                     spell_coordinates(found, count, context),
                     level == 0 ? "the image" : fmt::format("level {} of the image", level),
                     spell_size(*image, image->level[level]));
}

/// "operands: 7, 0", of vectors "operands: (7, 1), (0, 2)", "operand: 1e+30"; empty where the instruction tells of none.
std::string describe_operands(const scheduler::Finding& found, const FindingContext& context) {
  const vm::Program& program = context.program;
  const vm::Site& site = program.site_of(found.instruction);
  const std::size_t components = site.told_components;
  if (found.operands.empty() || found.rule == Rule::kR0045) return {};
  if (vm::info(site.op).imm == vm::Imm::kImage) {
    const memory::Image* const image = image_of(found);
    if (image == nullptr || facts_of(found.rule).concerns != RuleFacts::Concerns::kCoordinates)
      return {};
    const std::size_t count = memory::coordinates(image->dim);
    if (found.operands.size() < count) return {};
    return "coordinates: " + spell_coordinates(found, count, context);
  }
  std::string text = found.operands.size() == components ? "operand: " : "operands: ";
  for (std::size_t i = 0; i < found.operands.size(); ++i) {
    const bool begins = components > 1 && i % components == 0;
    const bool ends = components > 1 && i % components == components - 1;
    const bool is_signed = (site.signed_told >> i / components & 1) != 0;
    if (i != 0) text += ", ";
    if (begins) text += '(';
    text +=
        spell_operand(found.operands[i], program.told_values[site.first_told + i].kind, is_signed);
    if (ends) text += ')';
  }
  return text;
}

void add_notes(const scheduler::Finding& found, const FindingContext& context,
               Diagnostic& diagnostic) {
  if (found.instruction != nullptr) {
    diagnostic.notes.push_back(describe_items(found, context));
    if (std::string operands = describe_operands(found, context); !operands.empty())
      diagnostic.notes.push_back(std::move(operands));
  }
  if (const memory::Image* const image = image_of(found);
      image != nullptr && found.rule == Rule::kR0100)
    diagnostic.notes.push_back("texel: " +
                               spell_texel(*image, found.address - found.allocation->begin));
  if (found.allocation != nullptr)
    diagnostic.notes.push_back(
        fmt::format("address: {}, offset {}, size {}", spell(*found.allocation, context),
                    offset_in(*found.allocation, found.address), found.allocation->size_bytes));
  if (found.other) diagnostic.notes.push_back(describe_other(*found.other, context));
  add_related(found, context, diagnostic);
  if (found.rule == Rule::kR0101) add_origins(found, context, diagnostic);
  add_waiting(found, context, diagnostic);
  const RuleFacts::Concerns concerns = facts_of(found.rule).concerns;
  if (concerns == RuleFacts::Concerns::kGroup || concerns == RuleFacts::Concerns::kSubgroup)
    diagnostic.notes.emplace_back(
        "afterwards: what the work-items of this group exchange depends on the "
        "instruction set");
}

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
  const std::uint64_t items = context.ids.global_size[0];
  if (elements == 0 || items <= elements || found.first.global_id[0] < elements) return {};
  if (offset_in(*found.allocation, found.address) < 0) return {};
  return fmt::format("the launch covers {} work-items for {} elements; guard with 'if (i < n)'",
                     items, elements);
}

std::string null_help(const FindingContext& context) {
  for (std::size_t i = 0; i < context.launch.arguments.size(); ++i)
    if (context.launch.arguments[i].kind == Argument::Kind::kNull)
      return fmt::format("argument '{}' is null in this launch",
                         context.program.parameters[i].name);
  return {};
}

std::string help(const scheduler::Finding& found, const FindingContext& context) {
  switch (found.rule) {
    case Rule::kR0001:
      return null_help(context);
    case Rule::kR0002:
      return earlier_buffer(found.address, context) ? "a launch reaches its own arguments alone: "
                                                      "make the buffer one of them, or use shared "
                                                      "memory"
                                                    : std::string();
    case Rule::kR0020:
    case Rule::kR0021:
    case Rule::kR0022:
      return bounds_help(found, context);
    case Rule::kR0100:
      return race_help(found, context);
    case Rule::kR0070:
    case Rule::kR0071:
      return outside_image_help(found, context);
    case Rule::kR0040:
      return parted_help(found, source_of(found.instruction, context).op);
    case Rule::kR0048:
      return stalled_help(found, context);
    case Rule::kL0001:
      return "raise the limit, or look for an endless loop";
    case Rule::kL0002:
      return "raise the limit, or find an endless loop with a limit on steps";
    case Rule::kL0005:
      return "raise the limit, or print less";
    default:
      return {};
  }
}

Finding describe(const scheduler::Finding& found, const FindingContext& context) {
  Finding finding;
  const vm::Source& source = source_of(found.instruction, context);
  Diagnostic& diagnostic = finding.diagnostic;
  diagnostic = make_diagnostic(found.rule, message(found, source.op, context));
  if (is_run_rule(found.rule))
    if (const RulePage* page = find_rule(diagnostic.rule)) diagnostic.clause = page->clause;
  diagnostic.input = context.module.input_name;
  if (source.word_offset != 0) {
    const Places& places = context.places;
    diagnostic.instruction = decoder::opcode_name(source.op);
    places.show(source.word_offset, source.line, diagnostic);
    diagnostic.frames = places.frames(context.program, source);
  }
  diagnostic.help = help(found, context);
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
  if (cause.source.known()) return fmt::format("{} at {}", cause.rule, spelled(cause.source));
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
  for (const scheduler::Finding& each : found) findings.push_back(describe(each, context));
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
