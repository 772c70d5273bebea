// A benchmark: a kernel file, buffers with deterministic contents, a list of launches and
// a serial reference that computes what the buffers must hold afterwards. A case knows nothing of
// the runners that execute it; see registry.h for the list of cases and check.h for comparisons.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace transpire::bench {

enum class ElementType : std::uint8_t { kUint8, kInt32, kUint32, kUint64, kFloat32, kFloat64 };

/// Bytes per element of `type`.
constexpr std::size_t SizeOf(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
      return 1;
    case ElementType::kInt32:
    case ElementType::kUint32:
    case ElementType::kFloat32:
      return 4;
    case ElementType::kUint64:
    case ElementType::kFloat64:
      return 8;
  }
  return 0;
}

/// How a kernel uses a buffer. All but the read ones have their initial contents before a run;
/// written ones are compared with the reference's after it.
enum class Access : std::uint8_t { kRead, kWrite, kScratch };

/// How far an element may be from the reference: `absolute + relative * |expected|`. Both zero
/// means the same bits (any NaN equals any NaN). For integers, only `absolute` counts.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// Texels of an image in two dimensions, of format RGBA UNORM_INT8.
struct ImageSize {
  std::size_t width = 1, height = 1;
};

/// A global buffer: `data` holds its initial contents, and the reference's results afterwards.
struct Buffer {
  std::string name;
  ElementType type = ElementType::kUint8;
  Access access = Access::kRead;
  Tolerance tolerance;
  std::vector<std::byte> data;
  std::optional<ImageSize> image = {};  ///< kernels see an image, not a buffer
};

/// Kernel arguments: a buffer by its index in BenchCase::buffers, the bytes of a scalar, or the
/// size of a local memory block.
struct BufferArgument {
  std::size_t index = 0;
};
struct ScalarArgument {
  std::array<std::byte, 16> bytes{};
  std::size_t size_bytes = 0;
};
struct LocalArgument {
  std::size_t size_bytes = 0;
};
using Argument = std::variant<BufferArgument, ScalarArgument, LocalArgument>;

/// A scalar argument of the size of `T`, which must be the kernel parameter's.
template <typename T>
Argument Scalar(T value) {
  ScalarArgument argument;
  static_assert(sizeof(T) <= sizeof(argument.bytes));
  argument.size_bytes = sizeof(T);
  std::memcpy(argument.bytes.data(), &value, sizeof(T));
  return argument;
}

/// One kernel launch. `global` and `local` are in work-items; a case runs its launches in order.
struct Launch {
  std::string kernel;
  std::uint32_t dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> local{1, 1, 1};
  std::vector<Argument> arguments;

  std::size_t work_items() const { return global[0] * global[1] * global[2]; }
};

/// The buffers of a case while a reference works on them.
class BufferSet {
 public:
  explicit BufferSet(std::vector<Buffer>& buffers) : buffers_(buffers) {}

  /// The elements of buffer `index`, viewed as `T`.
  template <typename T>
  T* Data(std::size_t index) const {
    return reinterpret_cast<T*>(buffers_[index].data.data());
  }

 private:
  std::vector<Buffer>& buffers_;
};

struct BenchCase;

/// The work-group sizes that a case gives the right result with, besides the one of its launches.
struct WorkGroupSizes {
  enum class Allowed : std::uint8_t {
    kUndeclared,
    kAny,     ///< Launch::local may be replaced by any size, also one that leaves smaller groups
    kListed,  ///< `make` makes the case for each of `listed`, maybe with other results
    kFixed,   ///< no other
  };
  Allowed allowed = Allowed::kUndeclared;
  std::string reason;  ///< why not any size
  /// Work-items of a group in each dimension of the launches.
  std::vector<std::uint32_t> listed;
  std::function<BenchCase(std::uint32_t)> make;
};

struct BenchCase {
  std::string name;
  std::string kernel_file;    // without folder and extension
  std::string build_options;  // for the compiler; CMakeLists.txt lists their modules
  std::vector<Buffer> buffers;
  std::vector<Launch> launches;
  /// Computes serially, in place, what the launches compute. Its time is the native time.
  std::function<void(const BufferSet&)> reference;
  WorkGroupSizes work_group_sizes;

  /// Work-items of all launches together.
  std::size_t work_items() const {
    std::size_t sum = 0;
    for (const Launch& launch : launches) sum += launch.work_items();
    return sum;
  }
};

/// kFull: native single-thread code takes milliseconds to tens of them. kSmall: for tests and for
/// slow peers.
enum class Size : std::uint8_t { kSmall, kFull };

}  // namespace transpire::bench
