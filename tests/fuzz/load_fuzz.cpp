// libFuzzer target: loads and launches modules of any bytes. See any_module.h.
#include "tests/fuzz/any_module.h"
#include "tests/fuzz/words.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint8_t> bytes = transpire::fuzz::bounded(data, size);
  transpire::fuzz::load_any(std::as_bytes(std::span(bytes)), size / 4);
  return 0;
}
