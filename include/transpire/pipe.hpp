// Pipes of kernels. transpire/transpire.hpp includes this header.
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

/// The pipes that a kernel's parameter accepts.
struct PipeParameterInfo {
  std::uint32_t packet_bytes =
      0;  ///< packet size in the kernel's instructions; 0: none has one, or they disagree
  std::uint32_t packet_align = 0;  ///< packet alignment in bytes; 0: likewise
};

/// A pipe: a queue of packets of one size, first in, first out. A kernel either reads or writes a pipe; the host may do
/// both while no launch that uses the pipe runs. Copies of the handle share the pipe.
class TRANSPIRE_API Pipe {
 public:
  /// Makes an empty pipe for at most `max_packets` packets. `name` appears in findings. Fails with C0043 and L0004.
  static Result<Pipe> create(std::uint32_t packet_bytes, std::uint32_t max_packets,
                             std::string name = {});
  /// Bytes of all packets of a full pipe. The product of two 32-bit sizes always fits.
  static constexpr std::uint64_t bytes_needed(std::uint32_t packet_bytes,
                                              std::uint32_t max_packets) {
    return std::uint64_t{packet_bytes} * max_packets;
  }
  std::uint64_t size_bytes() const { return bytes_needed(packet_bytes(), max_packets()); }
  std::uint32_t packet_bytes() const;
  std::uint32_t max_packets() const;
  /// Number of packets that can be read now.
  std::uint32_t packets() const;
  const std::string& name() const;
  /// Appends packets. Fails with C0043 if the bytes are not whole packets, or not all of them fit; then the pipe stays as
  /// it is.
  Status write(std::span<const std::byte> packets) const;
  /// Returns the bytes of all packets, the oldest first, and leaves the packets in the pipe.
  std::vector<std::byte> contents() const;
  /// Removes at most `packets` of the oldest packets and returns their bytes.
  std::vector<std::byte> read(std::uint32_t packets) const;
  void clear() const;
  const std::shared_ptr<runtime::BufferState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::BufferState> state_;
};

/// True if the parameter accepts the pipe: the packet sizes agree, or the parameter's is 0.
TRANSPIRE_API bool takes(const PipeParameterInfo& parameter, const Pipe& pipe);

}  // namespace transpire
