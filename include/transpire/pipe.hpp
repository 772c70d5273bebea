// Pipes of kernels, a part of transpire/transpire.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "transpire/export.hpp"
#include "transpire/result.hpp"

namespace transpire {

namespace runtime {
struct BufferState;
}

/// Which pipes a kernel's parameter takes.
struct PipeParameterInfo {
  std::uint32_t packet_bytes =
      0;  ///< as the kernel's instructions say; 0: none does, or they differ
  std::uint32_t packet_align = 0;  ///< likewise
};

/// Packets of one size, first in, first out. Kernels have one end of it, the host has both, while no launch runs that uses
/// the pipe. Shared by copies of the handle.
class TRANSPIRE_API Pipe {
 public:
  /// For at most `max_packets` packets; none is in it. `name` appears in findings. Fails with C0043 and L0004.
  static Result<Pipe> create(std::uint32_t packet_bytes, std::uint32_t max_packets,
                             std::string name = {});
  /// The memory that one takes. No two sizes are too large for the product.
  static constexpr std::uint64_t bytes_needed(std::uint32_t packet_bytes,
                                              std::uint32_t max_packets) {
    return std::uint64_t{packet_bytes} * max_packets;
  }
  std::uint64_t size_bytes() const { return bytes_needed(packet_bytes(), max_packets()); }
  std::uint32_t packet_bytes() const;
  std::uint32_t max_packets() const;
  /// Packets that may be read.
  std::uint32_t packets() const;
  const std::string& name() const;
  /// Puts whole packets in, behind those that are there. Fails with C0043 when they do not fit, and then puts none in.
  Status write(std::span<const std::byte> packets) const;
  /// The bytes of the packets that are there, the oldest first. They stay.
  std::vector<std::byte> contents() const;
  /// Takes out the oldest ones, at most so many.
  std::vector<std::byte> read(std::uint32_t packets) const;
  void clear() const;
  const std::shared_ptr<runtime::BufferState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::BufferState> state_;
};

/// Whether the packets are as large as those that the kernel's instructions move, as far as these say.
TRANSPIRE_API bool takes(const PipeParameterInfo& parameter, const Pipe& pipe);

}  // namespace transpire
