// The layout of push constants is that of scalars in std430.
// A group of a shader is never smaller than the others, so sizes are rounded up; the shaders skip the work-items too many.
#include "bench/shader_inputs.h"

namespace transpire::bench {
namespace {

void Append(std::vector<std::byte>& block, const ScalarArgument& scalar) {
  const std::size_t size = scalar.size_bytes;
  block.resize((block.size() + size - 1) / size * size);
  block.insert(block.end(), scalar.bytes.begin(), scalar.bytes.begin() + size);
}

}  // namespace

ShaderInputs InputsOf(const Launch& launch) {
  ShaderInputs inputs;
  for (const Argument& argument : launch.arguments) {
    if (const auto* buffer = std::get_if<BufferArgument>(&argument))
      inputs.buffers.push_back(buffer->index);
    if (const auto* scalar = std::get_if<ScalarArgument>(&argument))
      Append(inputs.push_constants, *scalar);
  }
  for (std::uint32_t d = 0; d < launch.dimensions; ++d) {
    const std::size_t local = launch.local[d];
    inputs.local_size.push_back(static_cast<std::uint32_t>(local));
    inputs.groups[d] = static_cast<std::uint32_t>((launch.global[d] + local - 1) / local);
  }
  return inputs;
}

}  // namespace transpire::bench
