// A case: a module as text, its launches, and all that they must leave behind.
#pragma once

#include "tests/hostile/shape.h"

namespace transpire::hostile {

using Bytes = std::vector<std::byte>;

struct ExpectedFinding {
  std::vector<std::string> rules;           ///< one of them
  unsigned line = 0;                        ///< of the module's OpLine; 0: the launch as a whole
  std::uint64_t count = 0;                  ///< work-items; 0: not compared
  std::uint64_t first_item = 0;             ///< global id
  std::string instruction{};                ///< "OpLoad"; empty: none
  std::optional<std::string> allocation{};  ///< nothing: not compared
  std::optional<std::int64_t> offset{};
};

struct BufferSpec {
  std::string name;
  Bytes initial, expected;
  bool is_compared = true;  ///< false: it holds pointers, whose values are the VM's business
  bool read_only = false, write_only = false;
  int created_for = 0;                ///< the first launch that it exists in
  int released_after = -1;            ///< the last launch that it exists in; -1: none releases it
  bool holds_host_addresses = false;  ///< its numbers are offsets into the first buffer's bytes,
                                      ///< and become addresses of the host
};

struct ArgumentSpec {
  enum class Kind { kBuffer, kLocal, kValue, kNull };
  Kind kind = Kind::kBuffer;
  std::string buffer{};
  std::uint64_t bytes = 0;  ///< kLocal
  Bytes value{};
};

struct LaunchSpec {
  std::string kernel;
  std::vector<ArgumentSpec> arguments;
  std::vector<ExpectedFinding> findings;
};

struct Case {
  std::string title, text;
  std::uint32_t local = 1, groups = 1;
  bool by_reference = false;  ///< kernels find the addresses of their arguments in push constants
  std::vector<BufferSpec> buffers;
  std::vector<LaunchSpec> launches;
};

/// What a program's memories hold, work-item by work-item, and what accesses do to them.
class Memories {
 public:
  Memories(const Shape& shape, Random& random);

  /// What the kernel fills before the access, at the begin of each launch.
  void make_variables();
  /// Makes the access of every work-item, in order, as the plans say.
  void access_all(const std::vector<LanePlan>& plans);
  /// The second access of a pair.
  void access_all_again(const std::vector<LanePlan>& plans);
  /// What the kernel leaves in `readback` of an object: elements of the work-item, between two
  /// guards. There is room for two objects, 0 and 1.
  void read_back(Object object, unsigned room);
  static constexpr std::uint64_t kRoomElements = 6, kReadbackElements = 12;

  std::byte* place(std::uint32_t item, Object object, std::int64_t offset);

  Bytes target, program, privates, locals, local_arguments, constants, old;
  Bytes out, data, fill, readback, initial_out, initial_readback;

 private:
  void access_one(std::uint32_t item, const LanePlan& plan, std::byte* result,
                  const std::byte* value);

  const Shape& shape_;
};

Bytes random_bytes(Random& random, std::uint64_t count);

/// Whether an access of this fate is made, and the rules of its finding: any of them, none if
/// empty.
struct Verdict {
  bool done = true;
  std::vector<std::string> rules;
};
Verdict judge(const LanePlan& plan, Access access);

/// The findings of the access at `line` and, of second accesses, at `line` + 1.
std::vector<ExpectedFinding> findings_of(const Shape& shape, const std::vector<LanePlan>& plans,
                                         unsigned line);

/// The fate of an access at `offset` of an object as long as its elements say.
LanePlan plan_at(const Shape& shape, Object object, std::int64_t offset);

/// What becomes of the element behind, given what becomes of one.
LanePlan plan_of_next(const Shape& shape, const LanePlan& plan);

/// A case of a family: the hostile program `index`, or its twin.
Case make_case(const std::string& family, std::uint64_t seed, std::uint64_t index, bool benign);

/// All families' names.
std::vector<std::string> families();

}  // namespace transpire::hostile
