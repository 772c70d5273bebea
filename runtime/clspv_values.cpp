#include "runtime/clspv_values.h"

#include <algorithm>
#include <cstring>

#include "memory/image_format.h"
#include "runtime/state.h"

namespace transpire::runtime {
namespace {

using decoder::ClspvFact;
using decoder::ClspvOp;
using enum decoder::ClspvOperand;

/// Words of clspv's samplers: a bit for normalized coordinates, three bits for the addressing mode, which are those of
/// Sampler::Addressing, two for the filter.
constexpr std::uint32_t kNormalized = 1, kAddressingShift = 1, kAddressingMask = 7, kNearest = 0x10,
                        kLinear = 0x20;

std::uint32_t mask_of(const Sampler& sampler) {
  return static_cast<std::uint32_t>(sampler.addressing) << kAddressingShift |
         (sampler.linear ? kLinear : kNearest) | (sampler.normalized ? kNormalized : 0);
}

/// The value of a constant that the launch's sizes give, in one dimension.
std::uint64_t size_of(ClspvOp op, const vm::exec::LaunchIds& ids, const Region& region,
                      std::size_t d) {
  switch (op) {
    case ClspvOp::kPushConstantGlobalOffset:
      return ids.global_offset[d];
    case ClspvOp::kPushConstantEnqueuedLocalSize:
      return ids.enqueued_local_size[d];
    case ClspvOp::kPushConstantGlobalSize:
      return ids.global_size[d];
    case ClspvOp::kPushConstantRegionOffset:
      return region.first[d] + ids.global_offset[d];
    case ClspvOp::kPushConstantNumWorkgroups:
      return ids.num_groups[d];
    default:  // PushConstantRegionGroupOffset
      return region.first[d] / ids.enqueued_local_size[d];
  }
}

/// The format of an image argument; nothing if it is null.
const memory::ImageFormat* format_of(const Argument& argument) {
  return argument.texels ? &argument.texels->state()->image->image.format : nullptr;
}

/// Integers of 32 bits; none for facts that ask for something else. The launch's arguments fit their parameters.
std::vector<std::uint32_t> words_of(const ClspvFact& fact, const Launch& launch,
                                    const vm::exec::LaunchIds& ids, const Region& region) {
  const auto format = [&] { return format_of(launch.arguments[fact[kOrdinal]]); };
  switch (fact.op) {
    case ClspvOp::kImageArgumentInfoChannelOrderPushConstant:
    case ClspvOp::kImageArgumentInfoChannelOrderUniform:
      return {format() == nullptr ? 0 : memory::row_of(format()->order).api};
    case ClspvOp::kImageArgumentInfoChannelDataTypePushConstant:
    case ClspvOp::kImageArgumentInfoChannelDataTypeUniform:
      return {format() == nullptr ? 0 : memory::row_of(format()->type).api};
    case ClspvOp::kNormalizedSamplerMaskPushConstant:
      return {mask_of(launch.arguments[fact[kOrdinal]].sampling)};
    default:
      break;
  }
  std::vector<std::uint32_t> words;
  if (fact.op >= ClspvOp::kPushConstantGlobalOffset &&
      fact.op <= ClspvOp::kPushConstantRegionGroupOffset)
    for (std::size_t d = 0; d < 3; ++d)
      words.push_back(static_cast<std::uint32_t>(size_of(fact.op, ids, region, d)));
  return words;
}

}  // namespace

std::vector<std::byte> value_of(const ClspvFact& fact, const Launch& launch,
                                const vm::exec::LaunchIds& ids, const Region& region) {
  std::vector<std::byte> value;
  if (decoder::is_value(fact.op)) {
    value = launch.arguments[fact[kOrdinal]].bytes;
  } else {
    const std::vector<std::uint32_t> words = words_of(fact, launch, ids, region);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(words));
    value.assign(bytes.begin(), bytes.end());
  }
  value.resize(std::min<std::size_t>(value.size(), fact[kSize]));
  return value;
}

void write(std::span<std::byte> target, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (offset >= target.size() || bytes.empty()) return;
  std::memcpy(target.data() + offset, bytes.data(),
              std::min<std::uint64_t>(bytes.size(), target.size() - offset));
}

Sampler sampler_of(std::uint32_t mask) {
  Sampler sampler;
  sampler.addressing = static_cast<Sampler::Addressing>(mask >> kAddressingShift & kAddressingMask);
  sampler.linear = (mask & kLinear) != 0;
  sampler.normalized = (mask & kNormalized) != 0;
  return sampler;
}

}  // namespace transpire::runtime
