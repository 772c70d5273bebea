// Writes the kernel of a hostile program: its memories, how pointers are mixed and carried, the
// access, and what is read back.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "tests/hostile/case.h"
#include "tests/hostile/module_text.h"

namespace transpire::hostile {

/// The line of the access; that of the good work-items, where they have their own, is the next.
constexpr unsigned kAccessLine = 10;
/// Added for the second one of a pair.
constexpr unsigned kPairLine = 2;
/// The element of `readback` that takes what the second load of a pair gives, and that of `fill`
/// which its store writes.
constexpr unsigned kPairResult = 6, kPairValue = 3;

class KernelText {
 public:
  KernelText(const Shape& shape, const Bytes& constants);

  ModuleText& module() { return module_; }
  const Shape& shape() const { return shape_; }

  /// Begins a kernel with the parameters that all have (launch_of), and more, and makes its ids.
  void begin(const std::string& name = "test", const ModuleText::Parameters& more = {});
  /// Fills the work-item's elements of the object, and its guards, from `fill`.
  void make(Object object);
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
  /// The same address as a pointer of another storage class.
  std::string recast(const std::string& pointer, Space from, Space to, bool by_integer);
  /// An integer as a pointer to an element.
  std::string from_integer(const std::string& integer, Space space);
  /// What the work-item finds in `index`.
  std::string loaded_index();

  std::string condition();
  /// Mixes, carries, accesses. Both pointers are of the storage class `via`.
  void access(const std::string& bad, const std::string& good);
  /// Carries and accesses.
  void access(const std::string& pointer);
  /// A pointer after it went where the shape says.
  std::string carry(const std::string& pointer);
  void barrier();
  /// Copies what the work-item has of an object, and its guards, into `readback`, room 0 or 1.
  void read_back(Object object, unsigned room);
  void end() { module_.end_function(); }

  std::string element() { return module_.type(shape_.element); }
  std::string pointer(Space space) { return module_.pointer(space, element()); }
  /// Addresses of elements of argument buffers.
  std::string out_at();
  std::string fill_at(unsigned number);
  std::string readback_at(unsigned number);
  /// Places for a value of the type, in the buffer `slots` or in local memory.
  std::string slot_of(const std::string& number, const std::string& slot_type);
  std::string local_slot(const std::string& number, const std::string& slot_type);
  const std::string& gid() const { return gid_; }
  const std::string& lid() const { return lid_; }
  const std::string& group() const { return group_; }

 private:
  std::string buffer_element(const std::string& buffer, const std::string& index);
  void make_private();
  void make_local(Object object);
  void fill_guards(Object object, const std::string& low, const std::string& high);
  void access_at(const std::string& pointer, unsigned line);
  void load(const std::string& pointer, unsigned line);
  void store(const std::string& pointer, unsigned line);
  void atomic(const std::string& pointer, unsigned line);
  void copy(const std::string& pointer, unsigned line);

  Shape shape_;
  ModuleText module_;
  std::string gid_, lid_, group_;
  std::string table_, program_, shared_, mine_;
  std::map<Object, std::pair<std::string, std::string>>
      guards_;  ///< pointers to the work-item's own
};

}  // namespace transpire::hostile
