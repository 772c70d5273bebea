#include "base/narrow.h"

namespace transpire {

void refuse_width(std::uint64_t bits, unsigned field_bits) { throw TooWide{bits, field_bits}; }

}  // namespace transpire
