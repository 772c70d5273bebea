// Makes the bytes of value specs (launch/language/value_spec.h). Does not know the kernel's parameter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/language/value_spec.h"
#include "launch/report/step_limit.h"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// Allocates zeroed memory for a value, within a limit of its own.
using RoomMaker = std::function<Result<Buffer>(std::uint64_t size_bytes)>;

/// Inputs of evaluate() other than the spec.
struct ValueContext {
  const TypeInfo* inferred = nullptr;  ///< element type from the module; null when there is none
  std::optional<std::uint64_t> count;  ///< elements where the spec has no N (expectations)
  std::uint64_t max_bytes = Limits{}.max_memory_bytes;
  StepLimit limit{};
  RoomMaker room{};                  ///< allocates the memory; empty: evaluate() does
  const TypeInfo* wanted = nullptr;  ///< type of the memory that the data must fit; null: any
};

/// An array of elements of one type.
struct TypedBytes {
  TypeInfo type;
  Buffer memory{};                     ///< owns the bytes
  std::span<std::byte> bytes{};        ///< the elements; may be a part of `memory`
  bool any_type = false;               ///< `bytes:` or `:raw`: fits any parameter
  std::vector<std::uint64_t> shape{};  ///< shape of a NumPy array, in its own numbers; else empty
  bool exact_bits = false;  ///< comparisons include signs and payloads of NaNs, which were given
};

/// Makes the bytes of a value spec. Fails with C0001 (files), C0022 (also for data that do not fit `wanted`), L0004, and as
/// `room` does. Throws LimitReached.
Result<TypedBytes> evaluate(const ValueSpec& spec, const ValueContext& context);

/// Type of an element: the spec's, else the context's. Fails with C0022, also if it does not fit `wanted`.
Result<TypeInfo> element_type(const ValueSpec& spec, const ValueContext& context);
/// Number of elements, for a maker that takes a count. Fails with C0022.
Result<std::uint64_t> counted_elements(const ValueSpec& spec, const ValueContext& context);

/// Advice for a spec whose data are not of the wanted type.
std::string conversion_hint(const ValueSpec& spec, const TypeInfo& wanted);

/// The random number generator of `random`, SplitMix64. Each call of next() returns 64 bits.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();

 private:
  std::uint64_t state_;
};

}  // namespace transpire::launch
