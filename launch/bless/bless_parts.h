// Parts of blessing that all forms of launch files share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launch/bless/bless.h"
#include "launch/runner/run_plan.h"

namespace transpire::launch {

/// Fails if no launch file can expect the results: the run ended for another reason, or an expectation names more packets
/// than a pipe has.
Status check_report(const RunReport& report);

/// The elements found by an unmet expectation.
class FoundValues {
 public:
  explicit FoundValues(const FailedExpectation& failure) : failure_(failure) {}

  std::uint64_t count() const { return failure_.found.size() / stride(); }
  /// An element in the launch language.
  std::string element(std::uint64_t index) const;
  /// True if there are several elements and all are equal.
  bool are_same() const;
  /// True if there are too many elements for a line; they go into a file.
  bool are_many() const { return count() > kMostInLine; }

 private:
  static constexpr std::uint64_t kMostInLine = 256;
  std::uint64_t stride() const { return stride_bytes(failure_.type); }

  const FailedExpectation& failure_;
};

using DataFile = std::pair<std::string, std::vector<std::byte>>;

/// The data file that the expectation names, with the found elements as its new contents.
DataFile same_file(const ExpectBufferStep& expect, const FailedExpectation& failure);
/// A new data file beside the launch file. `maker` is "npy" or "file"; `name` follows it in the launch language.
struct NewFile {
  std::string maker, name;
  DataFile file;
};
NewFile new_file(const std::string& launch_file, const ExpectBufferStep& expect,
                 const FailedExpectation& failure);

/// The found elements as a value in the launch language, of the same type as the expectation. Long values go into a file,
/// which is added to `data`.
std::string value_in_words(const std::string& launch_file, const ExpectBufferStep& expect,
                           const FailedExpectation& failure, std::vector<DataFile>& data);

/// Expectations of the findings that fail the run, without duplicates.
std::vector<ExpectedFault> open_faults(const LaunchPlan& plan, const RunReport& report);

std::vector<std::string_view> lines_of(std::string_view text);

/// blessing_of() for the JSON form. `plan.text` is a valid document.
Result<Blessing> blessing_of_json(const LaunchPlan& plan, const RunReport& report);

}  // namespace transpire::launch
