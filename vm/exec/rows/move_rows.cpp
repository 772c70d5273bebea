// Move handlers of one instruction set: copies, spreads of scalars, affine rows.
#include "vm/exec/rows/move.h"
#include "vm/exec/rows/row_templates.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

template <Kind kKind>
void fill_kind(HandlerTable& table) {
  using U = Bits<Lane<kKind>>;
  constexpr auto kIndex = static_cast<std::size_t>(kKind);
  table.copy[kIndex] = &copy_row<Lanes::kAll, U>;
  table.masked_copy[kIndex] = &copy_row<Lanes::kRunning, U>;
  table.spread[kIndex] = &spread_scalar<Lanes::kAll, U>;
  table.masked_spread[kIndex] = &spread_scalar<Lanes::kRunning, U>;
  if constexpr (is_int(kKind)) {
    table.affine[kIndex] = &affine_row<Lanes::kAll, U>;
    table.masked_affine[kIndex] = &affine_row<Lanes::kRunning, U>;
  }
}

}  // namespace

void fill_moves(HandlerTable& table) {
  constexpr auto kBool = static_cast<std::size_t>(Kind::kBool);
  table.copy[kBool] = &copy_mask<Lanes::kAll>;
  table.masked_copy[kBool] = &copy_mask<Lanes::kRunning>;
  table.spread[kBool] = &spread_bool<Lanes::kAll>;
  table.masked_spread[kBool] = &spread_bool<Lanes::kRunning>;
  fill_kind<Kind::kI8>(table);
  fill_kind<Kind::kI16>(table);
  fill_kind<Kind::kI32>(table);
  fill_kind<Kind::kI64>(table);
  fill_kind<Kind::kF16>(table);
  fill_kind<Kind::kF32>(table);
  fill_kind<Kind::kF64>(table);
  table.scalar_copy = &copy_scalar;
}

}  // namespace transpire::vm::TRANSPIRE_ISA
