// libFuzzer target: launches of real kernels with any sizes, arguments, limits and options, and
// texts of launch files. See any_launch.h. No single allocation may be larger than the limit that
// the launch has.
#include <sanitizer/allocator_interface.h>

#include "tests/fuzz/any_launch.h"
#include "tests/fuzz/small_launch.h"

namespace {

/// Tables, register blocks and what stands beside the memory that is limited.
constexpr std::size_t kBeside = std::size_t{64} << 20;

void check_allocation(const volatile void*, std::size_t size) {
  transpire::fuzz::require(size <= transpire::fuzz::kMostBytes + kBeside,
                           "an allocation is larger than the limit of memory");
}

void ignore(const volatile void*) {}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  __sanitizer_install_malloc_and_free_hooks(check_allocation, ignore);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  transpire::fuzz::run_any(data, size);
  return 0;
}
