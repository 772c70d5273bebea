#include "findings/operands.h"

#include <fmt/format.h>

#include <bit>

#include "base/rule_facts.h"
#include "findings/texts.h"
#include "memory/image.h"
#include "transpire/half.hpp"

namespace transpire::findings {
namespace {

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
            spell_operand(found.operands[i], program.reported_values[site.first_reported + i].kind,
                          true);
  return count == 1 ? text : "(" + text + ")";
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

}  // namespace

std::string spell_texel(const scheduler::Finding& found) {
  const memory::Image* const image = image_of(found);
  if (image == nullptr) return {};
  const std::uint64_t offset = found.address - found.allocation->begin;
  std::uint32_t number = image->levels - 1;
  while (number > 0 && offset < image->level[number].offset) --number;
  const memory::ImageLevel& level = image->level[number];
  std::uint64_t left = offset - level.offset;
  const std::size_t count = memory::coordinates(image->dim);
  std::string text;
  for (std::size_t k = count; k-- > 0;) {
    const std::uint64_t at = level.pitch[k] == 0 ? 0 : left / level.pitch[k];
    left -= at * level.pitch[k];
    text = text.empty() ? fmt::to_string(at) : fmt::format("{}, {}", at, text);
  }
  if (count > 1) text = "(" + text + ")";
  return image->levels > 1 ? fmt::format("{} of level {}", text, number) : text;
}

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
  return fmt::format("work-item {} is at {}, {} has {}", text_of(found.first.global_id),
                     spell_coordinates(found, count, context),
                     level == 0 ? "the image" : fmt::format("level {} of the image", level),
                     spell_size(*image, image->level[level]));
}

std::string describe_operands(const scheduler::Finding& found, const FindingContext& context) {
  const vm::Program& program = context.program;
  const vm::Site& site = program.site_of(found.instruction);
  const std::size_t components = site.reported_components;
  const RuleFacts::Concerns concerns = facts_of(found.rule).concerns;
  if (found.operands.empty() || concerns == RuleFacts::Concerns::kGroupOperand) return {};
  if (vm::info(site.op).imm == vm::Imm::kImage) {
    const memory::Image* const image = image_of(found);
    if (image == nullptr || concerns != RuleFacts::Concerns::kCoordinates) return {};
    const std::size_t count = memory::coordinates(image->dim);
    if (found.operands.size() < count) return {};
    return "coordinates: " + spell_coordinates(found, count, context);
  }
  std::string text = found.operands.size() == components ? "operand: " : "operands: ";
  for (std::size_t i = 0; i < found.operands.size(); ++i) {
    const bool begins = components > 1 && i % components == 0;
    const bool ends = components > 1 && i % components == components - 1;
    const bool is_signed = (site.signed_reported >> i / components & 1) != 0;
    if (i != 0) text += ", ";
    if (begins) text += '(';
    text += spell_operand(found.operands[i], program.reported_values[site.first_reported + i].kind,
                          is_signed);
    if (ends) text += ')';
  }
  return text;
}

}  // namespace transpire::findings
