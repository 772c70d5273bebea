// Move handlers of one instruction set: copies, spreads of scalars, affine rows.
#include "vm/exec/rows/move.h"
#include "vm/exec/rows/row_templates.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

struct Copy {
  static void fill(HandlerTable& table) {
    for_kinds<kKindsNumber>([&]<Kind kKind>() {
      table.copy[static_cast<std::size_t>(kKind)] = &copy_row<Lanes::kAll, BitsOf<kKind>>;
      table.masked_copy[static_cast<std::size_t>(kKind)] =
          &copy_row<Lanes::kRunning, BitsOf<kKind>>;
    });
    constexpr auto kBool = static_cast<std::size_t>(Kind::kBool);
    table.copy[kBool] = &copy_mask<Lanes::kAll>;
    table.masked_copy[kBool] = &copy_mask<Lanes::kRunning>;
    table.scalar_copy = &copy_scalar;
  }
};

struct Spread {
  static void fill(HandlerTable& table) {
    for_kinds<kKindsNumber>([&]<Kind kKind>() {
      table.spread[static_cast<std::size_t>(kKind)] = &spread_scalar<Lanes::kAll, BitsOf<kKind>>;
      table.masked_spread[static_cast<std::size_t>(kKind)] =
          &spread_scalar<Lanes::kRunning, BitsOf<kKind>>;
    });
    constexpr auto kBool = static_cast<std::size_t>(Kind::kBool);
    table.spread[kBool] = &spread_bool<Lanes::kAll>;
    table.masked_spread[kBool] = &spread_bool<Lanes::kRunning>;
  }
};

struct Affine {
  static void fill(HandlerTable& table) {
    for_kinds<kKindsInt>([&]<Kind kKind>() {
      table.affine[static_cast<std::size_t>(kKind)] = &affine_row<Lanes::kAll, BitsOf<kKind>>;
      table.masked_affine[static_cast<std::size_t>(kKind)] =
          &affine_row<Lanes::kRunning, BitsOf<kKind>>;
    });
  }
};

struct FirstLane {
  template <Kind kKind>
  static constexpr Handler rows = take_first_lane<BitsOf<kKind>>;
};

}  // namespace

void fill_move(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/move.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
