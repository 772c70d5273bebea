#include "draft.h"
namespace transpire::hostile {
const std::vector<Family>& owner_families() {
  static const std::vector<Family> all = {};
  return all;
}
}  // namespace transpire::hostile
