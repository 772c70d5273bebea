// Computes addresses as the handlers of loads do, by the form that the Site says.
#include "vm/exec/read_address.h"

#include <cstring>

#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

template <class T>
T at(const Batch& batch, std::uint32_t offset, std::uint32_t lane = 0) {
  T value;
  std::memcpy(&value, batch.registers + offset + lane * sizeof(T), sizeof(T));
  return value;
}

/// The index of an access with 32-bit indexes.
std::uint64_t widened(const Access& access, std::uint32_t index) {
  return access.zero_extend
             ? std::uint64_t{index}
             : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(index)});
}

/// The address for a lane. Nothing if the present registers do not say it.
std::optional<std::uint64_t> address_of(const Batch& batch, const Inst& inst, std::uint32_t lane) {
  const SiteAddress form = batch.program->site_of(&inst).form;
  if (form == kNoAddress) return std::nullopt;
  if (form == kAddressRow) return at<std::uint64_t>(batch, inst.a, lane);
  const Access& access = *inst.access;
  const auto scale = static_cast<std::uint64_t>(access.scale);
  const std::uint64_t base =
      at<std::uint64_t>(batch, inst.a) + static_cast<std::uint64_t>(access.offset);
  switch (form) {
    case kScalarAddress:
      return base;
    case HandlerTable::kUniformAddress:
      return base + at<std::uint64_t>(batch, inst.b) * scale;
    case HandlerTable::kAffine64:
      return base + at<std::uint64_t>(batch, inst.b) * scale +
             static_cast<std::uint64_t>(access.byte_stride) * lane;
    case HandlerTable::kAffine32:
      return base +
             widened(access, at<std::uint32_t>(batch, inst.b) +
                                 static_cast<std::uint32_t>(access.index_stride) * lane) *
                 scale +
             static_cast<std::uint64_t>(access.byte_stride - access.index_stride * access.scale) *
                 lane;
    case HandlerTable::kRow32:
      return base + widened(access, at<std::uint32_t>(batch, inst.b, lane)) * scale;
    case HandlerTable::kRow64:
      return base + at<std::uint64_t>(batch, inst.b, lane) * scale;
    default:  // an index plan has no single address register
      return std::nullopt;
  }
}

}  // namespace

std::optional<ReadAddress> read_address(const Batch& batch, const Inst& instruction,
                                        std::uint32_t lane) {
  const auto address = address_of(batch, instruction, lane);
  if (!address) return std::nullopt;
  return ReadAddress{*address, instruction.access->bytes};
}

const std::byte* comparator(const Batch& batch, const Inst& instruction, std::uint32_t lane) {
  if (batch.program->site_of(&instruction).op != Op::kAtomicCompareExchange) return nullptr;
  return batch.registers + instruction.c + lane * instruction.access->bytes;
}

}  // namespace transpire::vm::exec
