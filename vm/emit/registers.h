// Virtual registers: rows and 8-byte scalar slots, before they have places.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/lir/lir.h"
#include "vm/program/debug_info.h"

namespace transpire::vm::emission {

using lir::ValueId;
using VReg = std::uint32_t;
inline constexpr VReg kNoReg = 0xffffffffu;

struct Register {
  Kind kind = Kind::kVoid;
  bool is_scalar = false;
  bool persistent = false;  ///< holds its value for the whole launch
  bool is_kept = false;     ///< shares its place with no other (vm/program/debug_info.h)
};

/// True for uniform and affine values.
inline bool is_scalar(const lir::Value& value) { return value.spread != lir::Spread::kVarying; }

/// The place of a value whose register is at an offset.
ValueHome register_home(const lir::Value& value, std::uint32_t offset);

/// The registers of a kernel. A value has a scalar or a row, as its spread says; a uniform or affine
/// value may have a row beside its scalar.
struct Registers {
  explicit Registers(const lir::Function& f)
      : function(&f),
        scalar_of_value(f.values.size(), kNoReg),
        row_of_value(f.values.size(), kNoReg) {}

  VReg add(Kind kind, bool is_scalar, bool persistent = false);
  /// These make the register if there is none yet.
  VReg scalar_of(ValueId id);  ///< uniform: the value; affine: lane 0's
  VReg row_of(ValueId id);
  VReg result_of(ValueId id);
  VReg zero_scalar();

  /// The register that holds the value as its spread says, or kNoReg.
  VReg known(ValueId id) const {
    return is_scalar(function->values[id]) ? scalar_of_value[id] : row_of_value[id];
  }
  const Register& operator[](VReg reg) const { return all[reg]; }
  std::size_t size() const { return all.size(); }

  const lir::Function* function;
  std::vector<Register> all;  ///< by VReg
  std::vector<VReg> scalar_of_value, row_of_value;
  VReg zero = kNoReg;  ///< a scalar that is always 0
};

}  // namespace transpire::vm::emission
