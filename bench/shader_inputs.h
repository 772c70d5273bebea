// A launch in the terms of its kernel's GLSL form, kernels/<kernel>.comp: how a list of arguments becomes bindings, push
// constants and specialisation constants. Runners hand these over; shader_inputs.cpp is the only place that decides them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/case.h"

namespace transpire::bench {

struct ShaderInputs {
  /// The indexes in BenchCase::buffers of the buffers in set 0; the position is the binding.
  std::vector<std::size_t> buffers;
  /// The scalars in their order, each at a multiple of its size.
  std::vector<std::byte> push_constants;
  /// Work-items of a group in each dimension of the launch; the position is the specialisation constant's id.
  std::vector<std::uint32_t> local_size;
  /// Numbers of groups, all of them full.
  std::array<std::uint32_t, 3> groups{1, 1, 1};
};

/// Local arguments are left out: the shader's shared arrays have the size that its group needs.
ShaderInputs InputsOf(const Launch& launch);

}  // namespace transpire::bench
