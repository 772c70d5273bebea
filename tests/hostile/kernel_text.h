// Writes the kernel of a hostile program: its memories, how pointers are mixed and carried, the
// access, and what is read back.
//
// In its text, `size` is the integer as wide as a pointer and `element` the type behind pointers: %size_4, %v3size,
// %_ptr_Generic_element. A place is a pointer, or "%fill[%t3]" for load and store.
#pragma once

#include "tests/fuzz/oracle/assembly.h"
#include "tests/hostile/case.h"

namespace transpire::hostile {

/// The line of the access; that of the good work-items, where they have their own, is the next.
constexpr unsigned kAccessLine = 10;
/// Added for the second one of a pair.
constexpr unsigned kPairLine = 2;
/// The element of `readback` that takes what the second load of a pair gives, and that of `fill`
/// which its store writes.
constexpr unsigned kPairResult = 6, kPairValue = 3;

class KernelText : public oracle::Assembly {
 public:
  KernelText(const Shape& shape, const Bytes& constants);

  const Shape& shape() const { return shape_; }
  /// The module, written whole.
  std::string text() const;

  /// Begins a kernel with the parameters that all have (launch_of), and more: ", %uint a b".
  void begin(const std::string& name = "test", const std::string& more = {});
  /// Fills the work-item's elements of the object, and its guards, from `fill`.
  void make_object(Object object);
  /// A pointer to the object's first element, of its own storage class.
  std::string base(Object object);
  /// To the work-item's own element.
  std::string own(Object object);
  /// Which element that is.
  std::string own_number(Object object);
  /// The offset in bytes of that element, for the expectation.
  std::int64_t own_offset(Object object, std::uint32_t item) const;
  /// `offset` bytes or elements from `base`, as a pointer to an element.
  std::string at_bytes(const std::string& base, Space space, const std::string& offset);
  std::string at_element(const std::string& base, Space space, const std::string& index);
  /// Element `number` of an array of elements.
  std::string in_array(const std::string& array, Space space, const std::string& number);
  /// An address as a pointer of another storage class.
  std::string recast(const std::string& pointer, Space from, Space to, bool by_integer);
  /// An integer as a pointer to an element, and a pointer as an integer.
  std::string from_integer(const std::string& integer, Space space);
  std::string to_integer(const std::string& pointer);
  /// The number that the work-item finds in `index`.
  std::string loaded_index();

  std::string condition();
  /// True if a number of the type `size` is equal to one that is known.
  std::string equal(const std::string& value, std::uint64_t number);
  /// The branches of a condition, which meet at `after`.
  void branch(const std::string& condition, const std::string& by_true, const std::string& by_false,
              const std::string& after) {
    line("OpSelectionMerge {} None\nOpBranchConditional {} {} {}", after, condition, by_true,
         by_false);
  }
  /// Mixes, carries, accesses. Both pointers are of the storage class `via`.
  void access(const std::string& bad, const std::string& good);
  /// Carries and accesses.
  void access(const std::string& pointer);
  /// A pointer after it went where the shape says.
  std::string carry(const std::string& pointer);
  void barrier() {
    line("OpControlBarrier %uint_2 %uint_2 %uint_{}", is_shader() ? "0x108" : "0x310");
  }
  bool is_shader() const { return shape_.flavour != Flavour::kKernel; }
  /// Copies what the work-item has of an object, and its guards, into `readback`, room 0 or 1.
  void read_back(Object object, unsigned room);
  void copy_element(const std::string& to, const std::string& from) {
    line("store {} {}", to, make("load {}", from));
  }

  /// "_ptr_Generic_element"
  static std::string pointer(Space space) { return fmt::format("_ptr_{}_element", spell(space)); }
  /// The name of the type, which is declared.
  std::string array(const std::string& of, std::uint64_t count);
  /// A variable of the module that findings call `name`.
  std::string global_variable(const std::string& name, const std::string& type, Space space,
                              const std::string& initial = {});
  /// Places of the work-item's elements.
  std::string fill_at(unsigned number);
  std::string readback_at(unsigned number);
  /// Places for a value of the type, in the buffer `slots` or in local memory.
  std::string slot_of(const std::string& number, const std::string& slot_type);
  std::string local_slot(const std::string& number, const std::string& slot_type);
  const std::string& group() const { return group_; }

 private:
  void begin_shader(const std::string& name);
  void make_buffer(const std::string& name, const std::string& type, unsigned number);
  void make_id(const std::string& name, const std::string& built_in);
  std::string place_of_item(const char* buffer, std::uint64_t elements, unsigned number);
  void make_private();
  void make_local(Object object);
  void fill_guards(Object object, const std::string& low, const std::string& high);
  void access_at(const std::string& pointer, unsigned line);
  void access_one(const std::string& pointer, unsigned line);
  void atomic(const std::string& pointer, unsigned line);
  void copy(const std::string& pointer, unsigned line);
  /// Findings of the instruction name this line.
  void at_line(unsigned number, const std::string& instruction) {
    line("OpLine %file {} 0\n{}\nOpNoLine", number, instruction);
  }

  Shape shape_;
  std::string group_, table_, program_, shared_, mine_;
  std::map<Object, std::pair<std::string, std::string>>
      guards_;  ///< pointers to the work-item's own
};

}  // namespace transpire::hostile
