// The table of contenders. Oclgrind's launcher makes it the process's only OpenCL platform.
// A contender that is not installed is found out when its worker starts, and is then left out.
#include "bench/contenders.h"

namespace transpire::bench {

std::string TranspireLabel(const std::string& isa) { return "tsp/" + isa; }

std::vector<Contender> Contenders(Size size, bool with_oclgrind) {
  const std::vector<std::string> isas = TranspireIsas();
  std::vector<Contender> contenders{{kNative, {"native", 1, ""}, size, {}}};
  for (const std::string& isa : isas)
    contenders.push_back({TranspireLabel(isa), {"transpire", 1, isa}, size, {}});
  if (!isas.empty()) {
    contenders.push_back({kTranspireAll, {"transpire", 0, ""}, size, {}});
    contenders.push_back({kGlsl, {"glsl", 1, isas.back()}, size, {}});
  }
  if (HasVulkan()) contenders.push_back({kLavapipe, {"lavapipe", 1, ""}, size, {}});
  if (!HasOpenCl()) return contenders;
  contenders.push_back({kPocl, {"pocl", 1, ""}, size, {}});
  contenders.push_back({kPoclAll, {"pocl", 0, ""}, size, {}});
  if (!with_oclgrind) return contenders;
  if (!isas.empty())
    contenders.push_back({kTranspireSmall, {"transpire", 1, ""}, Size::kSmall, {}});
  contenders.push_back({kOclgrind, {"oclgrind", 1, ""}, Size::kSmall, {"oclgrind"}});
  return contenders;
}

}  // namespace transpire::bench
