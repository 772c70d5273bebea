// Writers: the kernels that were launched with each buffer, to say of elements that no kernel wrote them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "launch/runner/element_view.h"
#include "launch/runner/run_plan.h"
#include "launch/runner/value_stream.h"

namespace transpire::launch {

class Writers {
 public:
  explicit Writers(Programs programs) : programs_(std::move(programs)) {}

  /// Notes that the kernel of the program ran with these arguments.
  void note(const KernelInfo& kernel, const std::vector<BoundArgument>& arguments,
            std::size_t program = 0);
  /// Adds a note to the failure if elements that differ from `expected` have the buffer's initial value. Throws LimitReached.
  void explain(const ElementView& view, ValueStream& expected, const StepLimit& limit,
               Diagnostic& failure) const;
  /// A note (C0044) if all elements of the view have the initial value, and either no kernel could write them or that value
  /// is poison. Throws LimitReached.
  std::optional<Diagnostic> doubt(const ElementView& view, const StepLimit& limit) const;

 private:
  std::vector<std::string> readers_of(const BoundBufferPointer& buffer) const;
  std::string without_store(const std::vector<std::string>& kernels) const;

  /// An argument of a kernel.
  struct Use {
    std::size_t program = 0;
    std::string kernel;
    std::size_t parameter = 0;

    friend auto operator<=>(const Use&, const Use&) = default;
  };

  Programs programs_;
  bool any_ran_ = false;
  /// For each buffer, the kernels that were launched with it, and the argument's index in each.
  std::map<std::weak_ptr<BoundBuffer>, std::set<Use>, std::owner_less<>> launched_with_;
};

}  // namespace transpire::launch
