// A case in the making: what all families share.
#pragma once

#include "tests/hostile/case.h"
#include "tests/hostile/kernel_text.h"

namespace transpire::hostile {

struct Draft {
  Draft(const Shape& shape_of_case, Random& stream)
      : shape(shape_of_case),
        random(stream),
        memories(shape, stream),
        kernel(shape, memories.constants),
        initial_target(memories.target),
        initial_old(memories.old),
        index(shape.items()) {}

  Shape shape;
  Random& random;
  Memories memories;
  KernelText kernel;
  Bytes initial_target, initial_old;
  std::vector<LanePlan> plans;       ///< by work-item
  std::vector<std::uint64_t> index;  ///< what `index` holds
  bool index_is_host_address = false;
};

/// Fills a draft's kernel and plans between begin and end. `bad` are the work-items that the shape
/// says; the other ones access their own element of `good`.
using Pointers = std::function<void(Draft&)>;

/// The case of one launch of one kernel, which makes the objects, does what `pointers` writes, and
/// reads the objects back.
Case one_launch(Draft& draft, const std::vector<Object>& objects, const Pointers& pointers);

/// Buffers and arguments as KernelText::begin declares them.
void add_buffers(Draft& draft, Case& made);
LaunchSpec launch_of(const Shape& shape, const std::string& kernel);
Case begin_case(const Draft& draft);

/// Each work-item's plan: `bad(item)` for those that the shape calls bad, else its own of `good`.
void plan_lanes(Draft& draft, const std::function<LanePlan(std::uint32_t)>& bad, Object good);

/// One family of hostile programs.
struct Family {
  std::string name;
  /// Makes of any shape one that the family can do.
  void (*fit)(Shape& shape, Random& random);
  Case (*make)(Draft& draft);
};
const std::vector<Family>& address_families();
const std::vector<Family>& owner_families();
const std::vector<Family>& launch_families();
const std::vector<Family>& async_families();
const std::vector<Family>& shader_families();

/// Makes of any shape one of a shader, for which the family's own `fit` has been asked.
void begin_shader_shape(Shape& shape, Random& random, bool may_be_descriptors);
void end_shader_shape(Shape& shape);
template <void (*kFit)(Shape& shape, Random& random), bool kMayBeDescriptors>
void fit_shader(Shape& shape, Random& random) {
  begin_shader_shape(shape, random, kMayBeDescriptors);
  kFit(shape, random);
  end_shader_shape(shape);
}

/// Null as a pointer of the storage class that the access's pointer has.
std::string null_pointer(Draft& draft);
/// A storage class that pointers to `object` may have: its own, or Generic.
Space some_space(Object object, Random& random);

}  // namespace transpire::hostile
