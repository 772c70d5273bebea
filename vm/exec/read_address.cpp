// Computes addresses as the handlers of loads do, by the form of the address.
#include "vm/exec/read_address.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace transpire::vm::exec {
namespace {

template <class T>
T at(const Batch& batch, std::uint32_t offset, std::uint32_t lane = 0) {
  T value;
  std::memcpy(&value, batch.registers + offset + lane * sizeof(T), sizeof(T));
  return value;
}

/// The form of a load's address. Nothing for other instructions, and for loads of named private
/// variables.
std::optional<HandlerTable::AddressForm> form_of(const HandlerTable& table, Handler run) {
  if (run == table.load_uniform_bool ||
      std::ranges::find(table.load_uniform, run) != std::end(table.load_uniform))
    return HandlerTable::kUniformAddress;
  for (std::uint8_t form = 0; form < HandlerTable::kAddressForms; ++form) {
    bool found = false;
    for (std::uint8_t space = 0; space < HandlerTable::kSpaceClasses; ++space) {
      found |= run == table.load_bool[form][space];
      for (const auto& size : table.load) found |= run == size[form][space];
    }
    if (found) return static_cast<HandlerTable::AddressForm>(form);
  }
  return std::nullopt;
}

/// The address of a lane's load. Nothing if the present registers do not say it.
std::optional<std::uint64_t> load_address(const Batch& batch, const Inst& load,
                                          std::uint32_t lane) {
  const auto form = form_of(*batch.program->handlers, load.run);
  if (!form) return std::nullopt;
  const HandlerTable& table = *batch.program->handlers;
  const bool has_index =
      load.run != table.load_uniform_bool &&
      std::ranges::find(table.load_uniform, load.run) == std::end(table.load_uniform);
  const Access& access = *load.access;
  const auto base = at<std::uint64_t>(batch, load.a);
  const auto scale = static_cast<std::uint64_t>(access.scale);
  const auto offset = static_cast<std::uint64_t>(access.offset);
  const auto widened = [&access](std::uint32_t index) {
    return access.zero_extend
               ? std::uint64_t{index}
               : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(index)});
  };
  switch (*form) {
    case HandlerTable::kUniformAddress:
      return base + offset + (has_index ? at<std::uint64_t>(batch, load.b) * scale : 0);
    case HandlerTable::kAffine64:
      return base + at<std::uint64_t>(batch, load.b) * scale + offset +
             static_cast<std::uint64_t>(access.byte_stride) * lane;
    case HandlerTable::kAffine32:
      return base + offset +
             widened(at<std::uint32_t>(batch, load.b) +
                     static_cast<std::uint32_t>(access.index_stride) * lane) *
                 scale +
             static_cast<std::uint64_t>(access.byte_stride - access.index_stride * access.scale) *
                 lane;
    case HandlerTable::kRow32:
      return base + widened(at<std::uint32_t>(batch, load.b, lane)) * scale + offset;
    case HandlerTable::kRow64:
      return base + at<std::uint64_t>(batch, load.b, lane) * scale + offset;
    default:  // an index plan has no single address register
      return std::nullopt;
  }
}

}  // namespace

std::optional<ReadAddress> read_address(const Batch& batch, const Inst& instruction,
                                        std::uint32_t lane) {
  const Op op = batch.program->site_of(&instruction).op;
  std::optional<std::uint64_t> address;
  if (op == Op::kLoad) address = load_address(batch, instruction, lane);
  if (is_atomic(op)) address = at<std::uint64_t>(batch, instruction.a, lane);
  if (!address) return std::nullopt;
  return ReadAddress{*address, instruction.access->bytes};
}

}  // namespace transpire::vm::exec
