// DifferencePictures: pictures of images that differ from the expected ones, in the folder of --difference.
#pragma once

#include <map>
#include <span>
#include <string>

#include "launch/runner/element_view.h"
#include "launch/runner/run_plan.h"

namespace transpire::launch {

class DifferencePictures {
 public:
  /// `folder`, which must not be empty, is created with the first picture.
  explicit DifferencePictures(std::string folder) : folder_(std::move(folder)) {}

  /// Checks that pictures can be written into the folder, or that it can be created. Fails with C0024.
  static Status check_folder(const std::string& folder);

  /// Writes the found image, the expected one and their difference if the view is of an image, and adds the names of the
  /// files to `failure`. `expected` are the bytes of the view. Fails with C0024 and L0004; throws LimitReached.
  Status write(const ElementView& view, std::span<const std::byte> expected, const StepLimit& limit,
               FailedExpectation& failure);

 private:
  std::string folder_;
  std::map<std::string, unsigned> pictured_;  ///< images that differed, with the number of times
};

}  // namespace transpire::launch
