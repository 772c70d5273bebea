// Which operand of an instruction is a function that it does not call: it enqueues it, or asks about it.
#pragma once

#include <cstddef>
#include <optional>

#include "decoder/module.h"

namespace transpire::decoder {

inline std::optional<std::size_t> invoke_operand(spv::Op op) {
  switch (op) {
    case spv::Op::OpEnqueueKernel:
      return 6;
    case spv::Op::OpGetKernelWorkGroupSize:
    case spv::Op::OpGetKernelPreferredWorkGroupSizeMultiple:
    case spv::Op::OpGetKernelMaxNumSubgroups:
      return 0;
    case spv::Op::OpGetKernelNDrangeSubGroupCount:
    case spv::Op::OpGetKernelNDrangeMaxSubGroupSize:
    case spv::Op::OpGetKernelLocalSizeForSubgroupCount:
      return 1;
    default:
      return std::nullopt;
  }
}

}  // namespace transpire::decoder
