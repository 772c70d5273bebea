// The table through which the ICD loader calls this driver, and look-up of functions by name.
//
// Sharing with OpenGL, EGL and Direct3D is not supported, and no extension that has it is announced. The
// loader exports the functions of the first two all the same; they refuse.
#include <CL/cl_ext.h>

#include <cstring>
#include <tuple>

#include "opencl/platform.h"

namespace transpire::opencl {
namespace {

/// A function of the type that always returns CL_INVALID_OPERATION.
template <class Pointer>
constexpr Pointer kRefused = nullptr;  // a type that the headers do not know here
template <class... Arguments>
constexpr auto kRefused<cl_int (*)(Arguments...)> =
    +[](Arguments...) -> cl_int { return CL_INVALID_OPERATION; };
template <class Object, class... Arguments>
constexpr auto kRefused<Object* (*)(Arguments...)> = +[](Arguments... arguments) -> Object* {
  // The last argument is the pointer for the error code.
  cl_int* const errcode_ret = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
  if (errcode_ret != nullptr) *errcode_ret = CL_INVALID_OPERATION;
  return nullptr;
};

}  // namespace

const cl_icd_dispatch kDispatch = {
    .clGetPlatformIDs = clGetPlatformIDs,
    .clGetPlatformInfo = clGetPlatformInfo,
    .clGetDeviceIDs = clGetDeviceIDs,
    .clGetDeviceInfo = clGetDeviceInfo,
    .clCreateContext = clCreateContext,
    .clCreateContextFromType = clCreateContextFromType,
    .clRetainContext = clRetainContext,
    .clReleaseContext = clReleaseContext,
    .clGetContextInfo = clGetContextInfo,
    .clCreateCommandQueue = clCreateCommandQueue,
    .clRetainCommandQueue = clRetainCommandQueue,
    .clReleaseCommandQueue = clReleaseCommandQueue,
    .clGetCommandQueueInfo = clGetCommandQueueInfo,
    .clSetCommandQueueProperty = clSetCommandQueueProperty,
    .clCreateBuffer = clCreateBuffer,
    .clCreateImage2D = clCreateImage2D,
    .clCreateImage3D = clCreateImage3D,
    .clRetainMemObject = clRetainMemObject,
    .clReleaseMemObject = clReleaseMemObject,
    .clGetSupportedImageFormats = clGetSupportedImageFormats,
    .clGetMemObjectInfo = clGetMemObjectInfo,
    .clGetImageInfo = clGetImageInfo,
    .clCreateSampler = clCreateSampler,
    .clRetainSampler = clRetainSampler,
    .clReleaseSampler = clReleaseSampler,
    .clGetSamplerInfo = clGetSamplerInfo,
    .clCreateProgramWithSource = clCreateProgramWithSource,
    .clCreateProgramWithBinary = clCreateProgramWithBinary,
    .clRetainProgram = clRetainProgram,
    .clReleaseProgram = clReleaseProgram,
    .clBuildProgram = clBuildProgram,
    .clUnloadCompiler = clUnloadCompiler,
    .clGetProgramInfo = clGetProgramInfo,
    .clGetProgramBuildInfo = clGetProgramBuildInfo,
    .clCreateKernel = clCreateKernel,
    .clCreateKernelsInProgram = clCreateKernelsInProgram,
    .clRetainKernel = clRetainKernel,
    .clReleaseKernel = clReleaseKernel,
    .clSetKernelArg = clSetKernelArg,
    .clGetKernelInfo = clGetKernelInfo,
    .clGetKernelWorkGroupInfo = clGetKernelWorkGroupInfo,
    .clWaitForEvents = clWaitForEvents,
    .clGetEventInfo = clGetEventInfo,
    .clRetainEvent = clRetainEvent,
    .clReleaseEvent = clReleaseEvent,
    .clGetEventProfilingInfo = clGetEventProfilingInfo,
    .clFlush = clFlush,
    .clFinish = clFinish,
    .clEnqueueReadBuffer = clEnqueueReadBuffer,
    .clEnqueueWriteBuffer = clEnqueueWriteBuffer,
    .clEnqueueCopyBuffer = clEnqueueCopyBuffer,
    .clEnqueueReadImage = clEnqueueReadImage,
    .clEnqueueWriteImage = clEnqueueWriteImage,
    .clEnqueueCopyImage = clEnqueueCopyImage,
    .clEnqueueCopyImageToBuffer = clEnqueueCopyImageToBuffer,
    .clEnqueueCopyBufferToImage = clEnqueueCopyBufferToImage,
    .clEnqueueMapBuffer = clEnqueueMapBuffer,
    .clEnqueueMapImage = clEnqueueMapImage,
    .clEnqueueUnmapMemObject = clEnqueueUnmapMemObject,
    .clEnqueueNDRangeKernel = clEnqueueNDRangeKernel,
    .clEnqueueTask = clEnqueueTask,
    .clEnqueueNativeKernel = clEnqueueNativeKernel,
    .clEnqueueMarker = clEnqueueMarker,
    .clEnqueueWaitForEvents = clEnqueueWaitForEvents,
    .clEnqueueBarrier = clEnqueueBarrier,
    .clGetExtensionFunctionAddress = clGetExtensionFunctionAddress,
    .clCreateFromGLBuffer = kRefused<decltype(cl_icd_dispatch::clCreateFromGLBuffer)>,
    .clCreateFromGLTexture2D = kRefused<decltype(cl_icd_dispatch::clCreateFromGLTexture2D)>,
    .clCreateFromGLTexture3D = kRefused<decltype(cl_icd_dispatch::clCreateFromGLTexture3D)>,
    .clCreateFromGLRenderbuffer = kRefused<decltype(cl_icd_dispatch::clCreateFromGLRenderbuffer)>,
    .clGetGLObjectInfo = kRefused<decltype(cl_icd_dispatch::clGetGLObjectInfo)>,
    .clGetGLTextureInfo = kRefused<decltype(cl_icd_dispatch::clGetGLTextureInfo)>,
    .clEnqueueAcquireGLObjects = kRefused<decltype(cl_icd_dispatch::clEnqueueAcquireGLObjects)>,
    .clEnqueueReleaseGLObjects = kRefused<decltype(cl_icd_dispatch::clEnqueueReleaseGLObjects)>,
    .clGetGLContextInfoKHR = kRefused<decltype(cl_icd_dispatch::clGetGLContextInfoKHR)>,
    .clGetDeviceIDsFromD3D10KHR = nullptr,
    .clCreateFromD3D10BufferKHR = nullptr,
    .clCreateFromD3D10Texture2DKHR = nullptr,
    .clCreateFromD3D10Texture3DKHR = nullptr,
    .clEnqueueAcquireD3D10ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D10ObjectsKHR = nullptr,
    .clSetEventCallback = clSetEventCallback,
    .clCreateSubBuffer = clCreateSubBuffer,
    .clSetMemObjectDestructorCallback = clSetMemObjectDestructorCallback,
    .clCreateUserEvent = clCreateUserEvent,
    .clSetUserEventStatus = clSetUserEventStatus,
    .clEnqueueReadBufferRect = clEnqueueReadBufferRect,
    .clEnqueueWriteBufferRect = clEnqueueWriteBufferRect,
    .clEnqueueCopyBufferRect = clEnqueueCopyBufferRect,
    .clCreateSubDevicesEXT = clCreateSubDevicesEXT,
    .clRetainDeviceEXT = clRetainDeviceEXT,
    .clReleaseDeviceEXT = clReleaseDeviceEXT,
    .clCreateEventFromGLsyncKHR = kRefused<decltype(cl_icd_dispatch::clCreateEventFromGLsyncKHR)>,
    .clCreateSubDevices = clCreateSubDevices,
    .clRetainDevice = clRetainDevice,
    .clReleaseDevice = clReleaseDevice,
    .clCreateImage = clCreateImage,
    .clCreateProgramWithBuiltInKernels = clCreateProgramWithBuiltInKernels,
    .clCompileProgram = clCompileProgram,
    .clLinkProgram = clLinkProgram,
    .clUnloadPlatformCompiler = clUnloadPlatformCompiler,
    .clGetKernelArgInfo = clGetKernelArgInfo,
    .clEnqueueFillBuffer = clEnqueueFillBuffer,
    .clEnqueueFillImage = clEnqueueFillImage,
    .clEnqueueMigrateMemObjects = clEnqueueMigrateMemObjects,
    .clEnqueueMarkerWithWaitList = clEnqueueMarkerWithWaitList,
    .clEnqueueBarrierWithWaitList = clEnqueueBarrierWithWaitList,
    .clGetExtensionFunctionAddressForPlatform = clGetExtensionFunctionAddressForPlatform,
    .clCreateFromGLTexture = kRefused<decltype(cl_icd_dispatch::clCreateFromGLTexture)>,
    .clGetDeviceIDsFromD3D11KHR = nullptr,
    .clCreateFromD3D11BufferKHR = nullptr,
    .clCreateFromD3D11Texture2DKHR = nullptr,
    .clCreateFromD3D11Texture3DKHR = nullptr,
    .clCreateFromDX9MediaSurfaceKHR = nullptr,
    .clEnqueueAcquireD3D11ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D11ObjectsKHR = nullptr,
    .clGetDeviceIDsFromDX9MediaAdapterKHR = nullptr,
    .clEnqueueAcquireDX9MediaSurfacesKHR = nullptr,
    .clEnqueueReleaseDX9MediaSurfacesKHR = nullptr,
    .clCreateFromEGLImageKHR = kRefused<decltype(cl_icd_dispatch::clCreateFromEGLImageKHR)>,
    .clEnqueueAcquireEGLObjectsKHR =
        kRefused<decltype(cl_icd_dispatch::clEnqueueAcquireEGLObjectsKHR)>,
    .clEnqueueReleaseEGLObjectsKHR =
        kRefused<decltype(cl_icd_dispatch::clEnqueueReleaseEGLObjectsKHR)>,
    .clCreateEventFromEGLSyncKHR = kRefused<decltype(cl_icd_dispatch::clCreateEventFromEGLSyncKHR)>,
    .clCreateCommandQueueWithProperties = clCreateCommandQueueWithProperties,
    .clCreatePipe = clCreatePipe,
    .clGetPipeInfo = clGetPipeInfo,
    .clSVMAlloc = clSVMAlloc,
    .clSVMFree = clSVMFree,
    .clEnqueueSVMFree = clEnqueueSVMFree,
    .clEnqueueSVMMemcpy = clEnqueueSVMMemcpy,
    .clEnqueueSVMMemFill = clEnqueueSVMMemFill,
    .clEnqueueSVMMap = clEnqueueSVMMap,
    .clEnqueueSVMUnmap = clEnqueueSVMUnmap,
    .clCreateSamplerWithProperties = clCreateSamplerWithProperties,
    .clSetKernelArgSVMPointer = clSetKernelArgSVMPointer,
    .clSetKernelExecInfo = clSetKernelExecInfo,
    .clGetKernelSubGroupInfoKHR = clGetKernelSubGroupInfoKHR,
    .clCloneKernel = clCloneKernel,
    .clCreateProgramWithIL = clCreateProgramWithIL,
    .clEnqueueSVMMigrateMem = clEnqueueSVMMigrateMem,
    .clGetDeviceAndHostTimer = clGetDeviceAndHostTimer,
    .clGetHostTimer = clGetHostTimer,
    .clGetKernelSubGroupInfo = clGetKernelSubGroupInfo,
    .clSetDefaultDeviceCommandQueue = clSetDefaultDeviceCommandQueue,
    .clSetProgramReleaseCallback = clSetProgramReleaseCallback,
    .clSetProgramSpecializationConstant = clSetProgramSpecializationConstant,
    .clCreateBufferWithProperties = clCreateBufferWithProperties,
    .clCreateImageWithProperties = clCreateImageWithProperties,
    .clSetContextDestructorCallback = clSetContextDestructorCallback,
};

namespace {

struct Named {
  const char* name;
  void* function;
};

template <class Function>
Named entry_point(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

/// Functions of extensions; the loader does not export them.
void* find_extension_function(const char* name) {
  const Named functions[] = {
      entry_point("clIcdGetPlatformIDsKHR", &clIcdGetPlatformIDsKHR),
      entry_point("clCreateProgramWithILKHR", &clCreateProgramWithIL),
      entry_point("clGetKernelSubGroupInfoKHR", &clGetKernelSubGroupInfoKHR),
      entry_point("clGetKernelSuggestedLocalWorkSizeKHR", &clGetKernelSuggestedLocalWorkSizeKHR),
      entry_point("clCreateSubDevicesEXT", &clCreateSubDevicesEXT),
      entry_point("clRetainDeviceEXT", &clRetainDeviceEXT),
      entry_point("clReleaseDeviceEXT", &clReleaseDeviceEXT),
      entry_point("clCreateCommandQueueWithPropertiesKHR", &clCreateCommandQueueWithProperties),
  };
  for (const Named& function : functions)
    if (std::strcmp(function.name, name) == 0) return function.function;
  return nullptr;
}

}  // namespace
}  // namespace transpire::opencl

void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  return name == nullptr ? nullptr : transpire::opencl::find_extension_function(name);
}

void* CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                           const char* name) {
  if (platform == nullptr || !platform->is_valid()) return nullptr;
  return clGetExtensionFunctionAddress(name);
}
