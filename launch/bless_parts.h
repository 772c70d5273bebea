// What the forms of launch files share when they are blessed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launch/bless.h"
#include "launch/run_plan.h"

namespace transpire::launch {

/// Fails where no launch file can expect what the run came to: it ended for another reason, or an expectation is about more
/// packets than a pipe has, which no other values make hold.
Status check_report(const RunReport& report);

/// Elements that came out in the place of those that were expected.
class FoundValues {
 public:
  explicit FoundValues(const FailedExpectation& failure) : failure_(failure) {}

  std::uint64_t count() const { return failure_.found.size() / stride(); }
  /// As the launch language writes it.
  std::string element(std::uint64_t index) const;
  /// Several that are all one.
  bool are_same() const;
  /// More than anybody reads in a line: they go into a file.
  bool are_many() const { return count() > kMostInLine; }

 private:
  static constexpr std::uint64_t kMostInLine = 256;
  std::uint64_t stride() const { return stride_bytes(failure_.type); }

  const FailedExpectation& failure_;
};

using DataFile = std::pair<std::string, std::vector<std::byte>>;

/// The file in which the expected values stand, with what came out.
DataFile same_file(const ExpectBufferStep& expect, const FailedExpectation& failure);
/// A file beside the launch file: "npy" or "file", what stands behind that word, and the file itself.
struct NewFile {
  std::string maker, name;
  DataFile file;
};
NewFile new_file(const std::string& launch_file, const ExpectBufferStep& expect,
                 const FailedExpectation& failure);

/// What came out, as the value of an expectation of the same type in the launch language. Many numbers go into a file, which
/// is added to `data`.
std::string value_in_words(const std::string& launch_file, const ExpectBufferStep& expect,
                           const FailedExpectation& failure, std::vector<DataFile>& data);

/// Findings that fail the run, as what expects them; each once.
std::vector<ExpectedFault> open_faults(const LaunchPlan& plan, const RunReport& report);

std::vector<std::string_view> lines_of(std::string_view text);

/// Of the JSON form; `plan.text` is a document.
Result<Blessing> blessing_of_json(const LaunchPlan& plan, const RunReport& report);

}  // namespace transpire::launch
