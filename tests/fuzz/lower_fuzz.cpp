// libFuzzer target: lowers any bytes that load, for each instruction set, with a small budget.
// Nothing may crash or take more than the budget; run it with -malloc_limit_mb=256.
#include "tests/fuzz/small_lowering.h"
#include "tests/fuzz/words.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint8_t> bytes = transpire::fuzz::bounded(data, size);
  transpire::fuzz::lower_small(std::as_bytes(std::span(bytes)));
  return 0;
}
