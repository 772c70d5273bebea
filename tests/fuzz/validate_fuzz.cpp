// libFuzzer target: validates words, strictly and as producers make them, for one environment after
// another.
#include <cstdlib>
#include <span>

#include "tests/fuzz/words.h"
#include "validator/environment.h"
#include "validator/validate.h"

using namespace transpire;

namespace {

void require(bool promise) {
  if (!promise) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint8_t> bytes = fuzz::bounded(data, size);
  const std::vector<std::string> environments = validator::environment_names();
  ValidateOptions options;
  options.second_opinion = false;
  options.environment = environments[size / 4 % environments.size()];
  options.all = size % 8 == 0;
  for (const Strictness strictness : {Strictness::kStrict, Strictness::kField}) {
    options.strictness = strictness;
    const auto validation = validator::validate_bytes(std::as_bytes(std::span(bytes)), options);
    if (!validation) continue;  // text that does not assemble
    for (const Diagnostic& diagnostic : validation->diagnostics)
      require(!diagnostic.rule.empty() && !format(diagnostic).empty());
    require(validation->valid == (validation->errors == 0));
  }
  return 0;
}
