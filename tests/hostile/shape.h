// The words in which a hostile program is described: what it accesses, how, through which pointer,
// and what becomes of each work-item's access.
#pragma once

#include "tests/hostile/../fuzz/oracle/harness.h"

namespace transpire::hostile {

using oracle::Random;

enum class Access : std::uint8_t {
  kLoad,
  kStore,
  kAtomicLoad,
  kAtomicStore,
  kAtomicIAdd,
  kAtomicExchange,
  kAtomicCompareExchange,
  kAtomicUMax,
  kCopyFrom,       ///< OpCopyMemory from the pointer
  kCopyTo,         ///< OpCopyMemory to the pointer
  kCopySizedFrom,  ///< OpCopyMemorySized
  kCopySizedTo,
};
bool is_atomic(Access access);
bool is_copy(Access access);
bool reads(Access access);
bool writes(Access access);
/// "OpLoad"
std::string opcode_of(Access access);

/// The type behind the pointer: a number, or a vector of 2 or 4.
struct Element {
  unsigned bits = 32;
  unsigned components = 1;
  std::uint64_t bytes() const { return bits / 8 * components; }
};

enum class Space : std::uint8_t {
  kCrossWorkgroup,
  kWorkgroup,
  kFunction,
  kGeneric,
  kUniformConstant
};
/// "CrossWorkgroup"
std::string spell(Space space);

/// The memories of a program.
enum class Object : std::uint8_t {
  kTarget,         ///< a buffer
  kPrivate,        ///< a variable of a work-item
  kLocal,          ///< a variable of a work-group
  kLocalArgument,  ///< local memory that the launch gives
  kConstant,       ///< a variable of storage class UniformConstant
  kProgram,        ///< a program-scope variable
  kOld,            ///< a buffer of an earlier launch
};
/// The storage class that pointers to it have by right.
Space native_space(Object object);
/// What findings call it.
std::string name_of(Object object);

/// The flavour says if the program is a kernel or a shader, and how it comes to its buffers.
enum class Flavour : std::uint8_t {
  kKernel,       ///< OpenCL: they are arguments
  kDescriptors,  ///< a shader with variable pointers into StorageBuffer
  kReferences,   ///< a shader that finds their addresses in its push constants
};

/// Which work-items use the bad address.
enum class Lanes : std::uint8_t { kAll, kOne, kOdd, kLast };

/// How a good and a bad address become one pointer.
enum class Mix : std::uint8_t {
  kSelect,
  kPhi,
  kBranch,  ///< they do not: each has an access of its own
};

/// What happens to a pointer on its way to the access.
enum class Carry : std::uint8_t {
  kNone,
  kPrivateSlot,  ///< stored in private memory and loaded again
  kLocalSlot,
  kGlobalSlot,
  kInteger,  ///< OpConvertPtrToU, arithmetic, OpConvertUToPtr
  kBitcast,  ///< to a pointer to bytes and back
  kGeneric,  ///< OpPtrCastToGeneric, OpGenericCastToPtr
};

/// How an offset from an object's start is computed.
enum class Form : std::uint8_t {
  kMixed,        ///< a constant one, as a pointer of its own
  kIndexSelect,  ///< one of two indexes
  kAffine,       ///< from the work-item's id
  kRow,          ///< an index out of a buffer
  kPlanned,      ///< a tile: from parts of the local id and what lanes share
};

/// What becomes of an access, in the words of docs/rules.md.
enum class Fate : std::uint8_t {
  kGood,
  kNull,         ///< R0001
  kStray,        ///< R0002
  kOutside,      ///< R0020 .. R0022
  kMisaligned,   ///< R0023
  kReadOnly,     ///< R0024 for what writes
  kWriteOnly,    ///< R0027 for what reads
  kDead,         ///< R0026
  kWrongSpace,   ///< R0003
  kUnbound,      ///< R0002: of a buffer that is not part of the launch
  kOtherItem,    ///< R0005
  kOtherGroup,   ///< R0006
  kOtherKernel,  ///< of a variable of another kernel: any that is about an address
};

/// What is the same for all programs of a case: the hostile one and its benign twin.
struct Shape {
  std::string family;
  unsigned variant = 0;  ///< the family's own business
  bool benign = false;   ///< the twin
  bool wide = true;      ///< integers that address have 64 bits, as Physical64, else 32
  Flavour flavour = Flavour::kKernel;
  Element element;
  Access access = Access::kLoad;
  Object object = Object::kTarget;
  Space via = Space::kCrossWorkgroup;  ///< the storage class that the access's pointer declares
  Lanes lanes = Lanes::kAll;
  Mix mix = Mix::kSelect;
  Carry carry = Carry::kNone;
  Form form = Form::kMixed;
  bool loaded_condition = false;  ///< which lanes are bad stands in a buffer
  bool by_bytes = false;          ///< offsets count bytes, else elements
  /// Two accesses of neighbours, which may be merged into one; the second one counts from kPairLine
  /// on.
  bool is_pair = false;
  bool read_only = false, write_only = false;  ///< the target buffer
  std::uint32_t local = 1, groups = 1;
  std::uint32_t spread = 1;  ///< elements of memory for each work-item
  std::uint64_t salt = 0;    ///< constants that do not matter

  std::uint32_t items() const { return local * groups; }
  std::uint64_t width() const { return element.bytes(); }
  /// Whether the work-item takes part in what is wrong.
  bool is_bad(std::uint32_t item) const;
  /// Of a tile: a group's rows of 8, the last one filled up.
  std::uint32_t tile_rows() const { return (local + 7) / 8; }
  /// Elements of an object, of which a work-item, a group or the launch has one.
  std::uint64_t elements(Object object) const;
  /// Of those, how many numbers a work-item may have as its own in private and constant memory.
  std::uint64_t own_elements(Object object) const { return elements(object) / (is_pair ? 2 : 1); }
};
std::string describe(const Shape& shape);

/// What a work-item's access comes to.
struct LanePlan {
  Fate fate = Fate::kGood;
  Object object = Object::kTarget;
  std::int64_t offset = 0;     ///< bytes
  std::string name{};          ///< of the allocation, where it is no object of the program
  bool knows_place = true;     ///< whether findings must name object and offset so
  bool second_access = false;  ///< Mix::kBranch: the access of the good work-items
};

}  // namespace transpire::hostile
