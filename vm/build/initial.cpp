#include "vm/build/initial.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "base/narrow.h"
#include "decoder/pointer_ops.h"
#include "memory/sampler.h"

namespace transpire::vm::builder {
namespace {

using decoder::Constant;
using decoder::Id;
using decoder::Type;

constexpr unsigned kMaxNesting = 256;
constexpr std::uint64_t kMaxInitialBytes = std::uint64_t{1} << 27;

struct Place {
  Id variable = 0;
  std::int64_t offset = 0;
};

class Initial {
 public:
  Initial(const decoder::Module& module, ProgramVariable& out) : module_(module), out_(out) {}

  void write(Id id, const Type& type, std::uint64_t offset, unsigned depth) {
    if (!error_.empty()) return;
    if (depth > kMaxNesting) return fail("an initializer is nested too deep");
    const Constant* constant = module_.constant(id);
    if (constant == nullptr) return write_pointer(id, type, offset);
    switch (constant->kind) {
      case Constant::Kind::kNull:
      case Constant::Kind::kUndef:
        return;
      case Constant::Kind::kScalar:
        return bytes(offset, constant->bits, type.size_bytes);
      case Constant::Kind::kComposite:
        return write_parts(*constant, type, offset, depth);
      case Constant::Kind::kOperation:
        return write_pointer(id, type, offset);
      case Constant::Kind::kSampler:
        return write_sampler(*constant, type, offset);
    }
  }

  std::string error_;

 private:
  void fail(std::string what) {
    if (error_.empty()) error_ = std::move(what);
  }

  void bytes(std::uint64_t offset, std::uint64_t bits, std::uint64_t size) {
    if (size > 8 || offset > out_.size_bytes || size > out_.size_bytes - offset)
      return fail("an initializer is larger than its variable");
    if (bits == 0 && offset >= out_.initial.size()) return;
    if (offset + size > kMaxInitialBytes)
      return fail(fmt::format("more than {} bytes are not supported", kMaxInitialBytes));
    if (offset + size > out_.initial.size()) out_.initial.resize(offset + size);
    for (std::uint64_t i = 0; i < size; ++i)
      out_.initial[offset + i] = narrow<std::uint8_t>(bits >> (8 * i) & 0xff);
  }

  void write_sampler(const Constant& constant, const Type& type, std::uint64_t offset) {
    const std::optional<std::uint64_t> value = sampler_value(constant);
    if (!value) return fail("a constant sampler has literals of no meaning");
    bytes(offset, *value, type.size_bytes);
  }

  void write_parts(const Constant& constant, const Type& type, std::uint64_t offset,
                   unsigned depth) {
    if (type.kind == Type::Kind::kStruct) {
      if (constant.elements.size() != type.members.size())
        return fail("an initializer has the wrong number of members");
      for (std::size_t i = 0; i < type.members.size(); ++i)
        write(constant.elements[i], *type.members[i], offset + type.member_offsets[i], depth + 1);
      return;
    }
    if (type.element == nullptr ||
        (constant.elements.size() != type.count && !type.is_cooperative_matrix()))
      return fail("an initializer has the wrong number of elements");
    if (type.element->size_bytes == 0) return;
    for (std::size_t i = 0; i < type.count; ++i)
      write(constant.element(i), *type.element, offset + i * type.stride_bytes, depth + 1);
  }

  void write_pointer(Id id, const Type& type, std::uint64_t offset) {
    const std::optional<Place> place = address(id, 0);
    const std::uint64_t size = module_.pointer_bytes();
    if (!place || type.size_bytes != size)
      return fail(fmt::format("the constant {} cannot be evaluated in an initializer",
                              module_.spell_id(id)));
    if (offset > out_.size_bytes || size > out_.size_bytes - offset)
      return fail("an initializer is larger than its variable");
    if (place->variable == 0) return bytes(offset, static_cast<std::uint64_t>(place->offset), size);
    out_.relocations.push_back({offset, place->variable, place->offset});
  }

  /// A pointer expression as a module-scope variable and an offset; variable 0 is null.
  std::optional<Place> address(Id id, unsigned depth) const {
    if (depth > kMaxNesting) return std::nullopt;
    if (const decoder::Variable* variable = module_.variable(id)) {
      const bool has_address = variable->storage_class == spv::StorageClass::CrossWorkgroup ||
                               variable->storage_class == spv::StorageClass::UniformConstant;
      return has_address ? std::optional<Place>({id, 0}) : std::nullopt;
    }
    const Constant* constant = module_.constant(id);
    if (constant == nullptr) return std::nullopt;
    if (constant->kind == Constant::Kind::kNull) return Place{};
    if (constant->kind == Constant::Kind::kScalar)
      return Place{0, static_cast<std::int64_t>(constant->bits)};
    if (constant->kind != Constant::Kind::kOperation || constant->elements.empty())
      return std::nullopt;
    if (constant->operation == spv::Op::OpConstantPipeStorage) return Place{id, 0};
    const spv::Op op = constant->operation;
    if (decoder::is_access_chain(op))
      return chain(*constant, decoder::has_element_operand(op), depth);
    const bool is_address = decoder::keeps_address(op) || op == spv::Op::OpConvertPtrToU ||
                            op == spv::Op::OpConvertUToPtr;
    return is_address ? address(constant->elements[0], depth + 1) : std::nullopt;
  }

  std::optional<std::int64_t> index(Id id) const {
    const Constant* constant = module_.constant(id);
    if (constant == nullptr || constant->type == nullptr ||
        constant->type->kind != Type::Kind::kInt)
      return std::nullopt;
    if (constant->kind == Constant::Kind::kNull) return 0;
    if (constant->kind != Constant::Kind::kScalar) return std::nullopt;
    const std::uint32_t unused = 64 - constant->type->width_bits;
    return static_cast<std::int64_t>(constant->bits << unused) >> unused;
  }

  std::optional<Place> chain(const Constant& constant, bool has_element, unsigned depth) const {
    std::optional<Place> place = address(constant.elements[0], depth + 1);
    const Type* pointer = module_.type_of(constant.elements[0]);
    const Type* type = pointer == nullptr ? nullptr : pointer->element;
    bool is_element = has_element;
    for (std::size_t i = 1; place && i < constant.elements.size(); ++i, is_element = false) {
      const std::optional<std::int64_t> n = index(constant.elements[i]);
      if (!n || type == nullptr) return std::nullopt;
      std::uint64_t step = 0;
      if (is_element) {
        step = static_cast<std::uint64_t>(*n) * type->size_bytes;
      } else if (type->kind == Type::Kind::kStruct) {
        const auto member = static_cast<std::uint64_t>(*n);
        if (member >= type->members.size()) return std::nullopt;
        step = type->member_offsets[member];
        type = type->members[member];
      } else {
        step = static_cast<std::uint64_t>(*n) * type->stride_bytes;
        type = type->element;
        if (type == nullptr) return std::nullopt;
      }
      place->offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(place->offset) + step);
    }
    return place;
  }

  const decoder::Module& module_;
  ProgramVariable& out_;
};

}  // namespace

std::optional<std::uint64_t> sampler_value(const decoder::Constant& constant) {
  const std::vector<std::uint32_t>& literals = constant.elements;
  if (literals.size() < 3) return std::nullopt;
  const auto sampler = memory::sampler_of_spirv(literals[0], literals[1], literals[2]);
  return sampler ? std::optional(memory::pack(*sampler)) : std::nullopt;
}

std::string make_initial(const decoder::Module& module, const decoder::Variable& variable,
                         ProgramVariable& out) {
  out.initial.clear();
  if (variable.initializer == 0) return {};
  Initial initial(module, out);
  initial.write(variable.initializer, *variable.type->element, 0, 0);
  return std::move(initial.error_);
}

}  // namespace transpire::vm::builder
