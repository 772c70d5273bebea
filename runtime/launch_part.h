// LaunchPart: the things that the library adds to a launch that it makes as a part of a client's launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "findings/part.h"
#include "transpire/transpire.hpp"

namespace transpire::runtime {

/// An address that stays in a buffer from launch to launch. Launches of other parts and threads share it.
struct KeptAddress {
  std::mutex mutex;         ///< held while the address is written
  std::uint64_t value = 0;  ///< 0: no launch has written it
};

struct LaunchPart {
  /// Memory whose address stands in a value. The launch reaches it by this address alone.
  struct Address {
    std::optional<Buffer> holder;  ///< the buffer that has the address; none: the value `argument`
    std::size_t argument = 0;      ///< index into Launch::arguments
    std::uint64_t offset_bytes = 0;  ///< offset of its eight bytes in the buffer or value
    Argument pointee;  ///< a buffer with an offset, a pointer to shared memory, or null
    std::string name;  ///< name in findings of a pointee that has none
    std::shared_ptr<KeptAddress> kept{};  ///< set: only the first launch writes the address
  };

  findings::Part place;
  std::vector<Address> addresses;
};

}  // namespace transpire::runtime
