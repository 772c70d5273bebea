// Samplers: creation, queries, lifetime.
#include "opencl/sampler.h"

#include <bit>
#include <cfloat>

#include "opencl/entry_point.h"
#include "opencl/extensions.h"

using namespace transpire::opencl;

namespace transpire::opencl {
namespace {

bool knows_mipmaps() { return announces("cl_khr_mipmap_image"); }

/// The properties of a sampler, in the API's words, with their defaults.
struct SamplerRequest {
  cl_sampler_properties normalized = CL_TRUE;
  cl_sampler_properties addressing = CL_ADDRESS_CLAMP;
  cl_sampler_properties filter = CL_FILTER_NEAREST;
  cl_sampler_properties mip_filter = CL_FILTER_NEAREST;
  cl_sampler_properties lod_min = 0;  ///< a float's bits, like lod_max
  cl_sampler_properties lod_max = std::bit_cast<cl_uint>(FLT_MAX);
};

bool is_filter(cl_sampler_properties value) {
  return value == CL_FILTER_NEAREST || value == CL_FILTER_LINEAR;
}

/// A level of detail; its bits are the lower half of the property.
float lod_of(cl_sampler_properties value) {
  return std::bit_cast<float>(static_cast<cl_uint>(value));
}

/// Sets the properties that only mipmaps use. Throws CL_INVALID_VALUE, also for an empty range of
/// levels of detail.
void set_levels(const SamplerRequest& request, Sampler& sampler) {
  check(is_filter(request.mip_filter), CL_INVALID_VALUE);
  sampler.mip_linear = request.mip_filter == CL_FILTER_LINEAR;
  sampler.lod_min = lod_of(request.lod_min);
  sampler.lod_max = lod_of(request.lod_max);
  check(sampler.lod_min <= sampler.lod_max, CL_INVALID_VALUE);  // also false for NaN
}

/// Checks the values; only normalized coordinates may repeat. Throws CL_INVALID_VALUE.
Sampler make_sampler(const SamplerRequest& request) {
  check(request.normalized == CL_TRUE || request.normalized == CL_FALSE, CL_INVALID_VALUE);
  check(request.addressing >= CL_ADDRESS_NONE && request.addressing <= CL_ADDRESS_MIRRORED_REPEAT,
        CL_INVALID_VALUE);
  check(is_filter(request.filter), CL_INVALID_VALUE);
  const bool repeats = request.addressing >= CL_ADDRESS_REPEAT;
  check(!repeats || request.normalized == CL_TRUE, CL_INVALID_VALUE);
  static_assert(CL_ADDRESS_MIRRORED_REPEAT - CL_ADDRESS_NONE ==
                static_cast<int>(Sampler::Addressing::kMirroredRepeat));
  Sampler sampler;
  sampler.addressing = static_cast<Sampler::Addressing>(request.addressing - CL_ADDRESS_NONE);
  sampler.linear = request.filter == CL_FILTER_LINEAR;
  sampler.normalized = request.normalized == CL_TRUE;
  set_levels(request, sampler);
  return sampler;
}

/// Reads the list; names must be known and occur once. Throws CL_INVALID_VALUE.
SamplerRequest parse_sampler(const std::vector<cl_sampler_properties>& list) {
  SamplerRequest request;
  cl_sampler_properties* const members[] = {&request.normalized, &request.addressing,
                                            &request.filter,     &request.mip_filter,
                                            &request.lod_min,    &request.lod_max};
  bool seen[std::size(members)] = {};
  const cl_sampler_info last = knows_mipmaps() ? CL_SAMPLER_LOD_MAX : CL_SAMPLER_FILTER_MODE;
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    check(list[i] >= CL_SAMPLER_NORMALIZED_COORDS && list[i] <= last, CL_INVALID_VALUE);
    const std::size_t which = list[i] - CL_SAMPLER_NORMALIZED_COORDS;
    check(!seen[which], CL_INVALID_VALUE);
    seen[which] = true;
    *members[which] = list[i + 1];
  }
  return request;
}

cl_sampler create_sampler(cl_context context, const SamplerRequest& request,
                          std::vector<cl_sampler_properties> properties) {
  const Sampler value = make_sampler(request);
  const cl_sampler sampler = new _cl_sampler(*context);
  sampler->value = value;
  sampler->properties = std::move(properties);
  return sampler;
}

bool tell_levels(const Sampler& sampler, cl_sampler_info name, const Answer& answer) {
  if (!knows_mipmaps()) return false;
  switch (name) {
    case CL_SAMPLER_MIP_FILTER_MODE:
      return answer.give<cl_filter_mode>(sampler.mip_linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST),
             true;
    case CL_SAMPLER_LOD_MIN:
      return answer.give<cl_float>(sampler.lod_min), true;
    case CL_SAMPLER_LOD_MAX:
      return answer.give<cl_float>(sampler.lod_max), true;
  }
  return false;
}

void tell_sampler(const _cl_sampler& sampler, cl_sampler_info name, const Answer& answer) {
  if (tell_levels(sampler.value, name, answer)) return;
  switch (name) {
    case CL_SAMPLER_REFERENCE_COUNT:
      return answer.give<cl_uint>(sampler.references());
    case CL_SAMPLER_CONTEXT:
      return answer.give<cl_context>(sampler.context.get());
    case CL_SAMPLER_NORMALIZED_COORDS:
      return answer.give<cl_bool>(sampler.value.normalized);
    case CL_SAMPLER_ADDRESSING_MODE:
      return answer.give(
          static_cast<cl_addressing_mode>(CL_ADDRESS_NONE + cl_uint(sampler.value.addressing)));
    case CL_SAMPLER_FILTER_MODE:
      return answer.give<cl_filter_mode>(sampler.value.linear ? CL_FILTER_LINEAR
                                                              : CL_FILTER_NEAREST);
    case CL_SAMPLER_PROPERTIES:
      return answer.give_list(sampler.properties);
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

}  // namespace
}  // namespace transpire::opencl

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties* properties,
                                                     cl_int* errcode_ret) {
  return guarded_create<cl_sampler>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    std::vector<cl_sampler_properties> list = property_list(properties);
    const SamplerRequest request = parse_sampler(list);
    return create_sampler(context, request, std::move(list));
  });
}

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized,
                                       cl_addressing_mode addressing, cl_filter_mode filter,
                                       cl_int* errcode_ret) {
  return guarded_create<cl_sampler>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    return create_sampler(context, {normalized, addressing, filter}, {});
  });
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return guarded([&] {
    check_object(sampler, CL_INVALID_SAMPLER);
    sampler->retain();
  });
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return guarded([&] {
    check_object(sampler, CL_INVALID_SAMPLER);
    sampler->release();
  });
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t size,
                                    void* value, size_t* size_ret) {
  return guarded([&] {
    check_object(sampler, CL_INVALID_SAMPLER);
    tell_sampler(*sampler, param_name, {size, value, size_ret});
  });
}
