// libFuzzer target: decodes bytes and walks what decodes as a consumer would.
#include <span>

#include "decoder/module.h"
#include "tests/decoder/walk.h"
#include "tests/fuzz/words.h"

using namespace transpire;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint8_t> bytes = fuzz::bounded(data, size);
  decoder::DecodeOptions options;
  options.specialisation = {{0, 3}, {1, 0xffffffffffffffff}};
  const Result<decoder::Module> module = decoder::decode(std::as_bytes(std::span(bytes)), options);
  if (module.ok()) {
    test::walk(*module);
  } else {
    const Diagnostic& error = module.errors().front();
    test::require(!error.rule.empty() && error.word_offset.has_value() &&
                  *error.word_offset <= size / 4 && !format(error).empty());
  }
  return 0;
}
