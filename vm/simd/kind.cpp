#include "vm/simd/kind.h"

#include <array>

namespace transpire::vm {

const char* kind_name(Kind k) {
  static constexpr std::array<const char*, kKindCount> kNames = {
      "void", "bool", "i8", "i16", "i32", "i64", "f16", "f32", "f64"};
  return kNames[static_cast<std::size_t>(k)];
}

}  // namespace transpire::vm
