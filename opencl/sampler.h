// A sampler object: how kernels read images. Kernels copy its value when it is set as an argument.
#pragma once

#include <vector>

#include "opencl/context.h"
#include "opencl/object.h"
#include "transpire/image.hpp"

struct _cl_sampler final
    : transpire::opencl::Object<_cl_sampler, transpire::opencl::Kind::kSampler> {
  explicit _cl_sampler(_cl_context& in) : context(&in) {}

  const transpire::opencl::Ref<_cl_context> context;
  std::vector<cl_sampler_properties> properties;  ///< from clCreateSamplerWithProperties
  transpire::Sampler value;
};
