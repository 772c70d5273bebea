// SPIR-V 1.0, 3.32.6 OpTypePipe and 3.32.21 to 3.32.23: asynchronous copies, device-side enqueue,
// pipes.
#include <fmt/format.h>

#include "decoder/newer_opcodes.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"

namespace transpire::validator {
namespace rules_pipes {
namespace {

using spv::AccessQualifier;
using spv::Op;
using spv::StorageClass;

constexpr ValidationRule kAsyncCopy{
    "UNI-42", "SPIR-V 1.0, 3.32.21 OpGroupAsyncCopy",
    "an asynchronous copy goes between Workgroup and CrossWorkgroup memory of one type, with a "
    "count and a stride of size_t",
    "size_t has the addressing model's width. To copy within one memory, write a loop."};
constexpr ValidationRule kNarrowCount{
    "V0048", "SPIR-V 1.0, 3.32.21 OpGroupAsyncCopy",
    "the count and the stride of an asynchronous copy are as wide as size_t",
    "Declare the constant with the addressing model's width. Transpire reads a narrower one as "
    "unsigned; clang's own backend writes a stride of 32 bits.",
    InField::kWarning};
constexpr ValidationRule kPipeUse{
    "UNI-43", "SPIR-V 1.0, 3.32.23",
    "the access qualifier of a pipe is the one that the instruction needs, and a packet's "
    "alignment is from 1 to the packet's size and divides that size",
    "Read from a ReadOnly pipe and write to a WriteOnly one. A structure has the alignment of its "
    "largest member."};
constexpr ValidationRule kPipeType{
    "UNI-44", "OpenCL C 2.0, 6.13.16; SPIR-V 1.0, 3.32.6 OpTypePipe",
    "a pipe is ReadOnly or WriteOnly",
    "A kernel has one end of a pipe: declare two types for two kernels."};
constexpr ValidationRule kPipeStorage{
    "V0025", "SPIR-V 1.1, 3.32.23 OpConstantPipeStorage; OpenCL API 2.0, 5.4.1 clCreatePipe",
    "a pipe storage has packets of at least a byte, and room for at least one",
    "Nothing can be written to a pipe that is made of such a storage."};
constexpr ValidationRule kNdRange{
    "UNI-45", "SPIR-V 1.0, 3.32.22 OpBuildNDRange",
    "an ND-range is a structure of a 32-bit integer and three arrays of three size_t",
    "The members are dimensions, global offset, global size and local size."};

/// Where an instruction on pipes has its operands; -1 where it has none.
struct PipeOperands {
  int pipe = -1, size = -1;  ///< the alignment follows the size
  std::optional<AccessQualifier> access;
};

std::optional<PipeOperands> pipe_operands(Op op) {
  constexpr auto kRead = AccessQualifier::ReadOnly;
  constexpr auto kWrite = AccessQualifier::WriteOnly;
  switch (op) {
    case Op::OpReadPipe:
      return PipeOperands{0, 2, kRead};
    case Op::OpWritePipe:
      return PipeOperands{0, 2, kWrite};
    case Op::OpReservedReadPipe:
      return PipeOperands{0, 4, kRead};
    case Op::OpReservedWritePipe:
      return PipeOperands{0, 4, kWrite};
    case Op::OpReserveReadPipePackets:
    case Op::OpCommitReadPipe:
      return PipeOperands{0, 2, kRead};
    case Op::OpReserveWritePipePackets:
    case Op::OpCommitWritePipe:
      return PipeOperands{0, 2, kWrite};
    case Op::OpGetNumPipePackets:
    case Op::OpGetMaxPipePackets:
      return PipeOperands{0, 1, std::nullopt};
    case Op::OpGroupReserveReadPipePackets:
    case Op::OpGroupCommitReadPipe:
      return PipeOperands{1, 3, kRead};
    case Op::OpGroupReserveWritePipePackets:
    case Op::OpGroupCommitWritePipe:
      return PipeOperands{1, 3, kWrite};
    default:
      return std::nullopt;
  }
}

class Pipes {
 public:
  explicit Pipes(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Op op = view_.at(i).op;
      if (const auto operands = pipe_operands(op)) check_pipe(i, *operands);
      if (op == Op::OpTypePipe) check_type(i);
      if (op == Op::OpConstantPipeStorage) check_storage(i);
      if (op == Op::OpGroupAsyncCopy || op == decoder::kOpUntypedGroupAsyncCopyKHR) check_copy(i);
      if (op == Op::OpBuildNDRange) check_range(i, view_.at(i).type_id, Place::kType);
      if (op == Op::OpEnqueueKernel) check_range(i, view_.type_of(view_.word(i, 2)), 2);
      if (op == Op::OpGetKernelNDrangeSubGroupCount || op == Op::OpGetKernelNDrangeMaxSubGroupSize)
        check_range(i, view_.type_of(view_.word(i, 0)), 0);
    }
  }

 private:
  void check_type(std::uint32_t i);
  void check_pipe(std::uint32_t i, const PipeOperands& operands);
  void check_storage(std::uint32_t i);
  void check_packet(std::uint32_t i, std::size_t size);
  void check_alignment(std::uint32_t i, std::size_t operand, std::uint64_t bytes,
                       std::uint64_t alignment);
  void check_copy(std::uint32_t i);
  void check_range(std::uint32_t i, Id type, int operand);

  Context& context_;
  const ModuleView& view_;
};

void Pipes::check_type(std::uint32_t i) {
  if (static_cast<AccessQualifier>(view_.word(i, 0)) == AccessQualifier::ReadWrite)
    context_.report(kPipeType, Place::at(i, 0), "expected ReadOnly or WriteOnly, found ReadWrite");
}

void Pipes::check_pipe(std::uint32_t i, const PipeOperands& operands) {
  const auto n = static_cast<std::size_t>(operands.pipe);
  const Id type = view_.type_of(view_.word(i, n));
  if (view_.op_of(type) != Op::OpTypePipe) {
    context_.report(kOperandTypes, Place::at(i, operands.pipe),
                    fmt::format("expected a pipe, found {}", context_.type(type)));
    return;
  }
  if (operands.access &&
      static_cast<AccessQualifier>(view_.definition_word(type, 0)) != *operands.access)
    context_.report(
        kPipeUse, Place::at(i, operands.pipe),
        fmt::format("expected a {} pipe",
                    *operands.access == AccessQualifier::ReadOnly ? "ReadOnly" : "WriteOnly"),
        {{"the pipe's type", view_.definition(type)}});
  check_packet(i, static_cast<std::size_t>(operands.size));
}

/// Its operands are literals.
void Pipes::check_storage(std::uint32_t i) {
  constexpr std::size_t kSize = 0, kAlignment = 1, kCapacity = 2;
  for (const std::size_t n : {kSize, kCapacity})
    if (view_.word(i, n) == 0)
      context_.report(kPipeStorage, Place::at(i, static_cast<int>(n)),
                      fmt::format("expected a {} of at least 1, found 0",
                                  n == kSize ? "packet size" : "capacity"));
  if (view_.word(i, kSize) != 0)
    check_alignment(i, kAlignment, view_.word(i, kSize), view_.word(i, kAlignment));
}

void Pipes::check_packet(std::uint32_t i, std::size_t size) {
  for (std::size_t n = size; n < size + 2; ++n)
    if (!view_.is_int(view_.type_of(view_.word(i, n)), 32)) {
      context_.report(kOperandTypes, Place::at(i, static_cast<int>(n)),
                      fmt::format("expected a 32-bit integer, found {}",
                                  context_.type(view_.type_of(view_.word(i, n)))));
      return;
    }
  const auto bytes = view_.constant_value(view_.word(i, size));
  const auto alignment = view_.constant_value(view_.word(i, size + 1));
  if (bytes && alignment) check_alignment(i, size + 1, *bytes, *alignment);
}

void Pipes::check_alignment(std::uint32_t i, std::size_t operand, std::uint64_t bytes,
                            std::uint64_t alignment) {
  if (alignment == 0 || alignment > bytes || bytes % alignment != 0)
    context_.report(kPipeUse, Place::at(i, static_cast<int>(operand)),
                    fmt::format("expected an alignment that divides the packet's size {}, found {}",
                                bytes, alignment));
}

void Pipes::check_copy(std::uint32_t i) {
  const Id to = view_.type_of(view_.word(i, 1));
  const Id from = view_.type_of(view_.word(i, 2));
  const auto target = view_.storage_class(to);
  const auto source = view_.storage_class(from);
  const bool in = target == StorageClass::Workgroup && source == StorageClass::CrossWorkgroup;
  const bool out = target == StorageClass::CrossWorkgroup && source == StorageClass::Workgroup;
  if (!in && !out) {
    context_.report(
        kAsyncCopy, Place::at(i),
        fmt::format("expected a copy between Workgroup and CrossWorkgroup memory, found "
                    "{} and {}",
                    context_.type(to), context_.type(from)));
    return;
  }
  if (view_.at(i).op == decoder::kOpUntypedGroupAsyncCopyKHR) return;
  const Id type = view_.pointee(to);
  const Id component = view_.component_type(type);
  if (type != view_.pointee(from) || (!view_.is_int(component) && !view_.is_float(component)))
    context_.report(kAsyncCopy, Place::at(i, 2),
                    fmt::format("expected two pointers to one type of numbers, found {} and {}",
                                context_.type(to), context_.type(from)));
  for (std::size_t n = 3; n < 5; ++n) {
    const Id size = view_.type_of(view_.word(i, n));
    if (!view_.is_int(size, address_width(view_)))
      context_.report(view_.is_int(size) ? kNarrowCount : kAsyncCopy,
                      Place::at(i, static_cast<int>(n)),
                      fmt::format("expected a {}-bit integer, found {}", address_width(view_),
                                  context_.type(size)));
  }
}

void Pipes::check_range(std::uint32_t i, Id type, int operand) {
  // Producers hand the structure over by a pointer to it.
  const Id range = is_pointer(view_, type) ? view_.pointee(type) : type;
  bool good = is_struct(view_, range) && part_count(view_, range) == 4u &&
              view_.is_int(part_type(view_, range, 0), 32);
  for (std::uint64_t n = 1; good && n < 4; ++n) {
    const Id sizes = part_type(view_, range, n);
    good = is_array(view_, sizes) && part_count(view_, sizes) == 3u &&
           view_.is_int(part_type(view_, sizes, 0), address_width(view_));
  }
  if (!good)
    context_.report(
        kNdRange, Place::at(i, operand),
        fmt::format("expected a structure of a 32-bit integer and three arrays of three "
                    "{}-bit integers, found {}",
                    address_width(view_), context_.type(type)));
}

void check(Context& context) { Pipes(context).check(); }

constexpr const ValidationRule* kRules[] = {&kAsyncCopy, &kNarrowCount, &kPipeUse,
                                            &kPipeType,  &kPipeStorage, &kNdRange};

}  // namespace
}  // namespace rules_pipes

const Family kPipeFamily{"pipes", rules_pipes::kRules, rules_pipes::check};

}  // namespace transpire::validator
