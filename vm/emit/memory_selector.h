// Selection of loads, stores and address arithmetic.
#pragma once

#include <map>
#include <tuple>

#include "vm/emit/selection_writer.h"

namespace transpire::vm::emission {

/// The user of an Access: a load or store of rows, an atomic, which goes lane by lane, or a copy.
enum class AccessUse : std::uint8_t { kRow, kLanes, kCopy };

class MemorySelector {
 public:
  explicit MemorySelector(SelectionWriter* writer)
      : w_(*writer), f_(writer->f), t_(writer->t), registers_(writer->registers) {}

  void select_load(ValueId id);
  void select_store(ValueId id);
  void select_address(ValueId id);

  Access* new_access(const lir::MemAccess& mem, AccessUse use = AccessUse::kRow);
  /// Notes the result of an atomic, if its access is of shadows.
  void note_atomic(const lir::Value& value, const SelectedInst& atomic);

 private:
  using AddressForm = HandlerTable::AddressForm;

  const lir::Value& value(ValueId id) const { return w_.value(id); }
  void select_uniform_load(ValueId id);
  SelectedInst new_inst(const lir::MemAccess& mem);
  /// The address of a load or store: the instruction's operands a and b, the access's strides, the
  /// form. `places` is the number of the value's address operands.
  AddressForm address_operands(const lir::Value& value, std::size_t places,
                               const lir::MemAccess& mem, SelectedInst* inst);
  AddressForm scalar_operands(const lir::Value& value, bool has_index, SelectedInst* inst);
  bool planned_operands(const lir::Value& value, ValueId shared, const lir::MemAccess& mem,
                        SelectedInst* inst);
  VReg new_plan(ValueId index, const lir::Value& value, const Access& access);
  bool private_operands(const lir::Value& value, const lir::MemAccess& mem, AddressForm form,
                        SelectedInst* inst);
  VReg sum_register(const lir::Value& value, ValueId shared);
  VReg address_register(const lir::Value& value, bool has_index, std::int64_t scale,
                        std::int64_t offset, bool is_scalar);
  Handler announce_handler(AddressForm form, const lir::MemAccess& mem,
                           HandlerTable::Announced what) const;
  void push_note(Handler run, const SelectedInst& access, const lir::MemAccess& mem,
                 const lir::Value& value);

  SelectionWriter& w_;
  const lir::Function& f_;
  const HandlerTable& t_;
  Registers& registers_;
  /// Registers of plans by index, scale, bytes.
  std::map<std::tuple<ValueId, std::int64_t, std::uint32_t>, VReg> plans_;
};

}  // namespace transpire::vm::emission
