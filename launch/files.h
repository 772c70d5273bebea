// Files that the launch language reads and writes: see value_maker.cpp, load_plan.cpp and runner_output.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "launch/step_limit.h"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// Most bytes of a text, whose lines are all kept: launch files, suppressions.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{1} << 30;

/// Limits on all that a command reads before it knows better: --timeout and --max-memory.
inline ReadLimit text_limit(const WorkLimit& time = {}, std::uint64_t max_bytes = kMostTextBytes) {
  return {time, max_bytes < kMostTextBytes ? max_bytes : kMostTextBytes};
}

/// "-" is standard input, which is read once. Fails with C0001, with L0004 when there are more bytes than the limit, for a device
/// may have no end, and with L0002.
Result<std::vector<std::byte>> read_file(const std::string& path,
                                         const ReadLimit& limit = {{}, Limits{}.max_memory_bytes});
/// Reads a file that is a text.
inline Result<std::vector<std::byte>> read_text_file(const std::string& path,
                                                     const ReadLimit& limit = text_limit()) {
  return read_file(path, limit);
}

/// In parts, which follow each other. Waits for who reads a FIFO. Fails with C0024, L0002 and L0008.
Status write_file(const std::string& path, std::span<const std::byte> bytes,
                  const StepLimit& limit = {}, std::span<const std::byte> behind = {});

}  // namespace transpire::launch
