// The interface between a launch and a kernel: the parameters, and the variables that the kernel
// uses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vm/program/source.h"

namespace transpire::vm {

/// Where a scalar lies in the bytes of an argument.
struct ScalarPlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// A kernel parameter: how its bytes become argument slots.
struct Parameter {
  std::string name;
  enum class Kind : std::uint8_t {
    kValue,  ///< scalar or vector, by value: component i is in slot first_slot + i
    kPointer,  ///< global, constant or workgroup pointer: one slot, a virtual address; see has_size_slot
    kByValue,  ///< Function pointer decorated ByVal, or push constants: a struct; `private_variable` is
               ///< filled at entry, and scalar i is in slot first_slot + i as well
    kImage,    ///< one slot, the virtual address of its allocation
    kSampler,  ///< one slot, a packed memory::Sampler
    kPipe,     ///< one slot, the virtual address of its allocation
    kQueue,    ///< one slot, its handle (vm/exec/device_queue.h)
    kUnsupported,
  };
  Kind kind = Kind::kValue;
  spv::StorageClass storage_class = spv::StorageClass::Function;  ///< pointers only
  std::uint64_t size_bytes = 0;  ///< size of the value, or of the pointee for kByValue
  std::uint64_t align_bytes = 1;
  /// Bytes of a scalar, of a vector's component, or of a pointer's pointee; 0 if that has no size.
  std::uint64_t element_bytes = 0;
  std::uint32_t first_slot = 0;
  std::uint32_t slot_count = 0;
  std::vector<ScalarPlace> scalars;  ///< kByValue: those that have slots
  bool has_size_slot =
      false;  ///< kPointer: a second slot, the bytes from the address to the end of the buffer
  bool no_write = false;               ///< the module says that it writes nothing there
  bool no_alias = false;               ///< FuncParamAttr NoAlias, or Restrict
  bool may_be_written = false;         ///< some instruction may store through the pointer
  bool is_read_only = false;           ///< the image's access qualifier is ReadOnly
  std::uint32_t private_variable = 0;  ///< for kByValue: index into Program::private_variables
};

/// A Function-storage variable that stays in memory. It has its own virtual range, the same for
/// every lane; each lane sees its own bytes.
struct PrivateVariable {
  std::string name;
  std::uint64_t size_bytes = 0;
  std::uint64_t align_bytes = 1;
  std::uint32_t source = 0;
  bool begins_dead = false;  ///< a LifetimeStart begins its life; others live from the start
  /// 1 + the counter of its lives, if a pointer to one life may be used in another one; 0: they are
  /// not counted.
  std::uint32_t life_counter = 0;
  std::uint32_t shadow_of = 0;  ///< 1 + the variable whose shadow it is; 0: no shadow
  bool is_poisoned = false;     ///< its bytes are kPoison, not zero, until the first store
};

/// A Workgroup-storage variable at module scope that the kernel uses.
struct WorkgroupVariable {
  std::string name;
  Id id = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t align_bytes = 1;
  std::uint64_t zeroed_bytes =
      0;  ///< the first ones, which are zero, and defined, when a group begins
};

/// A UniformConstant or CrossWorkgroup variable at module scope that the kernel uses; its initial
/// bytes are computed once a program.
struct ProgramVariable {
  std::string name;
  Id id = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t align_bytes = 1;
  bool is_constant = false;
  std::uint32_t packet_bytes = 0, max_packets = 0;  ///< for pipe storage, which has no other bytes
  std::vector<std::uint8_t> initial;  ///< up to the last byte that is not zero; size_bytes at most
  struct Relocation {
    std::uint64_t offset;
    Id target;
    std::int64_t addend;
  };
  std::vector<Relocation> relocations;  ///< pointers to other program variables
};

}  // namespace transpire::vm
