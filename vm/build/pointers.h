// Pointers: addresses, and facts about each: the variable or parameter it is computed from, and the
// indexes on the way.
//
// A pointer is one i64, the virtual address, also where the module's pointers have 32 bits: it is
// truncated to those only where it becomes an integer or is stored.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vm/build/core.h"

namespace transpire::vm::builder {

/// A step of an access chain into an array or vector that may leave its type, for --check=bounds.
struct IndexStep {
  ValueId index;
  std::uint64_t count;            ///< elements there are
  const Type* element = nullptr;  ///< type that the step leads to
};

/// Where the steps to an address began. Kept for each, so that long chains need not be walked.
struct AddressRoot {
  ValueId base;              ///< no Address itself
  ValueId fixed;             ///< up to there only constants were added
  std::uint64_t offset = 0;  ///< from `fixed`
};

class Pointers {
 public:
  explicit Pointers(Core& core);

  /// base + extend(index) * scale + offset; the base itself when that is all.
  ValueId address(ValueId base, ValueId index, std::int64_t scale, std::int64_t offset);
  ValueId address(ValueId base, std::int64_t offset) { return address(base, kNoValue, 0, offset); }
  /// base + index * stride, the index folded when it is constant.
  ValueId element(ValueId base, ValueId index, std::uint64_t stride_bytes);
  AddressRoot root(ValueId address) const;

  /// The pointer as it leaves the expressions that made it, where it may be another work-item's next: see
  /// memory/address_space.h. `declared` is where its type says that it leads. Pointers to global and constant
  /// memory have no owner.
  ValueId tagged(ValueId pointer, lir::Space declared);
  ValueId tagged_operand(const Instruction& i, std::size_t index);
  /// The pointer of operand 0 as one of the result's type. Where the new type no longer tells that it may have
  /// an owner, its tag does.
  ValueId cast(const Instruction& i);
  /// The object that a pointer leads to. Unknown without --check=uninit.
  ObjectPlace object_place(Id pointer) const;
  /// The result of an instruction leads where its pointer operand 0 does.
  void keep_place(const Instruction& i);
  /// The pointee of a pointer before it was cast to another pointer type.
  const Type* pointee_before_casts(Id pointer);

  /// Lets `to` inherit what is known of `from` by NoWrite, and the indexes that led there.
  void derive(ValueId from, ValueId to);
  /// Sets the space that the address of a variable or a parameter leads to.
  void set_space(ValueId argument, lir::Space space) { space_[argument] = space; }
  /// Marks the address of a constant table, which pointers to Function storage may lead to.
  void set_table(ValueId argument) { tables_.insert(argument); }
  bool is_table(ValueId address) const { return tables_.contains(address); }
  /// The space of a Generic pointer that is computed from a variable or a parameter, and of a pointer into a table.
  lir::Space known_space(ValueId pointer, lir::Space declared) const;
  /// Index + 1 of the kernel's parameter that the pointer comes from, when that is NoWrite; else 0.
  std::uint32_t no_write_parameter(ValueId pointer) const;
  void set_no_write(ValueId argument, std::uint32_t parameter) { no_write_[argument] = parameter; }

  std::vector<IndexStep> index_steps(ValueId address) const;
  void set_index_steps(ValueId address, std::vector<IndexStep> steps);
  /// Places the checks of the indexes that led to an address, before an access there.
  void check_indexes(ValueId address);

 private:
  const Request& request_;
  Refusals& refusals_;
  Writer& writer_;
  Ops& ops_;
  Types& types_;
  Ids& ids_;
  std::unordered_map<ValueId, AddressRoot> roots_;  ///< computed addresses
  std::unordered_map<ValueId, lir::Space> space_;   ///< for Argument values that are addresses
  std::unordered_set<ValueId> tables_;
  std::unordered_map<ValueId, std::uint32_t> no_write_;  ///< parameter index + 1
  std::unordered_map<ValueId, std::vector<IndexStep>> index_steps_;
};

}  // namespace transpire::vm::builder
