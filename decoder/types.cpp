// OpType* to Type: parts must be declared before, except pointers announced by
// OpTypeForwardPointer. Types are acyclic but for pointers to structs, and nested no deeper than
// kMaxTypeDepth, and kMaxTypeChain without a struct, so that a consumer may recurse over them.
// Types that no OpenCL kernel has are refused by name.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "decoder/context.h"
#include "decoder/execution_models.h"
#include "decoder/newer_opcodes.h"
#include "decoder/opaque_types.h"
#include "decoder/untyped.h"

namespace transpire::decoder {
namespace {

bool has_size(const Type& type) {
  return type.kind != Type::Kind::kVoid && type.kind != Type::Kind::kFunction &&
         (opaque_type(type.kind) == nullptr || type.size_bytes != 0);
}

std::uint32_t depth_of(const Context& context, const Type& type) {
  return context.type_depth[context.module.ids[type.id].index];
}

/// A new type for the result id, or, for a completed forward pointer, the one already there.
Type& new_type(Context& context, Id id, Type::Kind kind, std::uint32_t word_offset) {
  Module& module = context.module;
  if (const Type* known = module.type(id)) return *module.types[module.ids[known->id].index];
  auto type = std::make_shared<Type>();
  type->kind = kind;
  type->id = id;
  type->name = std::string(module.name(id));
  // The text of a module names what no OpName does: "struct %Words".
  if (type->name.empty() && module.text_names.contains(id)) type->name = module.spell_id(id);
  module.ids[id].index = static_cast<std::uint32_t>(module.types.size());
  module.types.push_back(std::move(type));
  context.type_depth.push_back(1);
  context.type_word_offset.push_back(word_offset);
  return *module.types.back();
}

/// Depth and layout, once all parts are set.
bool finish(Context& context, const Parsed& parsed, Type& type) {
  std::uint32_t depth = type.element ? depth_of(context, *type.element) : 0;
  for (const Type* member : type.members) depth = std::max(depth, depth_of(context, *member));
  const auto holds = [](const Type* part) { return part->holds_cooperative_matrix; };
  type.holds_cooperative_matrix =
      type.is_cooperative_matrix() || (type.kind == Type::Kind::kArray && holds(type.element)) ||
      (type.kind == Type::Kind::kStruct && std::ranges::any_of(type.members, holds));
  if (depth >= kMaxTypeDepth)
    return context.fail(Rule::kD0024, parsed,
                        fmt::format("expected types nested at most {} deep", kMaxTypeDepth));
  context.type_depth[context.module.ids[type.id].index] = depth + 1;
  if (!lay_out(type, context.module))
    return context.fail(
        Rule::kD0025, parsed,
        fmt::format("expected a type of at most {} bytes, without elements that overlap",
                    kMaxTypeBytes));
  return true;
}

bool unsupported(Context& context, const Parsed& parsed, const std::string& what) {
  return context.fail(Rule::kU0003, parsed, fmt::format("{} is not supported", what));
}

bool decode_int(Context& context, const Parsed& parsed) {
  const std::uint32_t width = parsed.operands[0];
  if (width != 8 && width != 16 && width != 32 && width != 64)
    return unsupported(context, parsed, fmt::format("an integer of {} bits", width));
  if (parsed.operands[1] > 1)
    return context.fail(
        Rule::kD0016, parsed,
        fmt::format("expected a signedness of 0 or 1, found {}", parsed.operands[1]));
  Type& type = new_type(context, parsed.result_id, Type::Kind::kInt, parsed.word_offset);
  type.width_bits = width;
  type.is_signed = parsed.operands[1] == 1;
  return finish(context, parsed, type);
}

bool decode_float(Context& context, const Parsed& parsed) {
  const std::uint32_t width = parsed.operands[0];
  if (width != 16 && width != 32 && width != 64)
    return unsupported(context, parsed, fmt::format("a float of {} bits", width));
  Type& type = new_type(context, parsed.result_id, Type::Kind::kFloat, parsed.word_offset);
  type.width_bits = width;
  return finish(context, parsed, type);
}

bool decode_vector(Context& context, const Parsed& parsed) {
  const Type* component = type_operand(context, parsed, parsed.operands[0]);
  if (!component) return false;
  if (!component->is_scalar())
    return context.fail(
        Rule::kD0022, parsed,
        fmt::format("expected a scalar component type, found {}", spell(*component)));
  const std::uint32_t count = parsed.operands[1];
  if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16)
    return context.fail(Rule::kD0022, parsed,
                        fmt::format("expected 2, 3, 4, 8 or 16 components, found {}", count));
  Type& type = new_type(context, parsed.result_id, Type::Kind::kVector, parsed.word_offset);
  type.element = component;
  type.count = count;
  return finish(context, parsed, type);
}

/// An array or a structure of what memory does not hold here: wrong for void and functions, else only not supported.
bool refuse_part(Context& context, const Parsed& parsed, const std::string& wanted,
                 const Type& part) {
  if (opaque_type(part.kind) != nullptr)
    return unsupported(context, parsed, fmt::format("{} of {}", parsed.info->name, spell(part)));
  return context.fail(Rule::kD0022, parsed,
                      fmt::format("expected {}, found {}", wanted, spell(part)));
}

bool decode_array(Context& context, const Parsed& parsed) {
  const Type* element = type_operand(context, parsed, parsed.operands[0]);
  if (!element) return false;
  if (!has_size(*element))
    return refuse_part(context, parsed, "an element type with a size", *element);
  const Constant* length = context.module.constant(parsed.operands[1]);
  const bool known =
      length && length->type->kind == Type::Kind::kInt &&
      (length->kind == Constant::Kind::kScalar || length->kind == Constant::Kind::kNull);
  if (length && length->type->kind == Type::Kind::kInt &&
      length->kind == Constant::Kind::kOperation)
    return unsupported(
        context, parsed,
        fmt::format("an array length that {} gives here, {},", opcode_name(length->operation),
                    context.module.spell_id(length->id)));
  if (!known)
    return context.fail(Rule::kD0026, parsed,
                        fmt::format("expected an integer constant declared before, found {}",
                                    context.module.spell_id(parsed.operands[1])));
  Type& type = new_type(context, parsed.result_id, Type::Kind::kArray, parsed.word_offset);
  type.element = element;
  type.count = length->bits;
  type.length = length->id;
  type.has_specialised_count = length->specialisable;
  return finish(context, parsed, type);
}

bool decode_runtime_array(Context& context, const Parsed& parsed) {
  const Type* element = type_operand(context, parsed, parsed.operands[0]);
  if (!element) return false;
  if (!has_size(*element))
    return refuse_part(context, parsed, "an element type with a size", *element);
  Type& type = new_type(context, parsed.result_id, Type::Kind::kArray, parsed.word_offset);
  type.element = element;
  type.is_runtime_array = true;
  return finish(context, parsed, type);
}

bool decode_matrix(Context& context, const Parsed& parsed) {
  const Type* column = type_operand(context, parsed, parsed.operands[0]);
  if (!column) return false;
  const std::uint32_t columns = parsed.operands[1];
  if (column->kind != Type::Kind::kVector || column->element->kind != Type::Kind::kFloat ||
      column->count > 4 || columns < 2 || columns > 4)
    return context.fail(Rule::kD0022, parsed,
                        fmt::format("expected 2 to 4 columns of 2 to 4 floats, found {} of {}",
                                    columns, spell(*column)));
  Type& type = new_type(context, parsed.result_id, Type::Kind::kArray, parsed.word_offset);
  type.element = column;
  type.count = columns;
  type.is_matrix = true;
  return finish(context, parsed, type);
}

/// More rows or columns are refused: each component is a register. A kernel's lowering limits the components in a work-item of its
/// sub-groups.
constexpr std::uint32_t kMaxMatrixRows = 256;

/// Reads an operand of OpTypeCooperativeMatrixKHR that is an integer constant.
std::optional<std::uint32_t> matrix_number(Context& context, const Parsed& parsed,
                                           std::size_t index, Type& type) {
  const Constant* number = context.module.constant(parsed.operands[index]);
  if (number == nullptr || number->kind != Constant::Kind::kScalar ||
      number->type->kind != Type::Kind::kInt || number->type->width_bits != 32) {
    context.fail(Rule::kD0026, parsed,
                 fmt::format("expected a 32-bit integer constant declared before, found {}",
                             context.module.spell_id(parsed.operands[index])));
    return std::nullopt;
  }
  type.has_specialised_count |= number->specialisable;
  return static_cast<std::uint32_t>(number->bits);
}

bool check_matrix(Context& context, const Parsed& parsed, spv::Scope scope, const Type& type) {
  const auto [rows, columns, use] = type.cooperative;
  constexpr std::uint32_t kUses = 3;
  if (rows == 0 || columns == 0 || use >= kUses)
    return context.fail(
        Rule::kD0022, parsed,
        fmt::format("expected at least one row and column, and a use of 0 to 2, found {} x {} of "
                    "use {}",
                    rows, columns, use));
  if (scope != spv::Scope::Subgroup)
    return unsupported(context, parsed,
                       fmt::format("a cooperative matrix of scope {}",
                                   enumerant_name(OperandKind::kScope, static_cast<Id>(scope))));
  if (rows <= kMaxMatrixRows && columns <= kMaxMatrixRows) return true;
  return context.fail(Rule::kU0007, parsed,
                      fmt::format("a cooperative matrix of {} x {} elements: at most {} rows and "
                                  "columns are supported",
                                  rows, columns, kMaxMatrixRows));
}

bool decode_cooperative_matrix(Context& context, const Parsed& parsed) {
  const Type* component = type_operand(context, parsed, parsed.operands[0]);
  if (!component) return false;
  if (component->kind != Type::Kind::kInt && component->kind != Type::Kind::kFloat)
    return context.fail(
        Rule::kD0022, parsed,
        fmt::format("expected a numerical component type, found {}", spell(*component)));
  Type& type = new_type(context, parsed.result_id, Type::Kind::kArray, parsed.word_offset);
  std::uint32_t numbers[4];
  for (std::size_t i = 0; i < std::size(numbers); ++i) {
    const std::optional<std::uint32_t> number = matrix_number(context, parsed, i + 1, type);
    if (!number) return false;
    numbers[i] = *number;
  }
  const auto [scope, rows, columns, use] = numbers;
  const std::uint32_t items = context.module.subgroup_size;
  context.module.has_cooperative_matrices = true;
  type.element = component;
  type.cooperative = {rows, columns, use};
  type.count = (std::uint64_t{rows} * columns + items - 1) / items;
  return check_matrix(context, parsed, static_cast<spv::Scope>(scope), type) &&
         finish(context, parsed, type);
}

/// The decorations of a struct's member that say how a matrix in it lies in memory.
struct MatrixLayout {
  std::uint64_t stride_bytes = 0;
  bool is_row_major = false;
};

/// Copies of types that have a layout or a pointee of their own stand behind the types of ids, so that no id leads to them.
Type& add_copy(Context& context, const Type& from) {
  Module& module = context.module;
  const std::uint32_t index = module.ids[from.id].index;
  module.types.push_back(std::make_shared<Type>(from));
  module.types.back()->name.clear();  // names may be long, and structs alone are called by theirs
  context.type_depth.push_back(context.type_depth[index]);
  context.type_word_offset.push_back(context.type_word_offset[index]);
  return *module.types.back();
}

/// Arrays around a matrix in a block: each is copied with the matrix.
constexpr std::uint32_t kMaxMatrixArrays = 4;

/// A matrix, or an array of matrices, with the layout; null if it has more bytes than a type may have, or parts that overlap.
const Type* with_matrix_layout(Context& context, const Type& type, const MatrixLayout& layout) {
  Type& copy = add_copy(context, type);
  if (!type.is_matrix) {
    copy.element = with_matrix_layout(context, *type.element, layout);
    if (copy.element == nullptr) return nullptr;
    const bool is_natural = type.stride_bytes == type.element->size_bytes;
    copy.stride_bytes = is_natural ? copy.element->size_bytes : type.stride_bytes;
    if (copy.stride_bytes < copy.element->size_bytes ||
        copy.count > kMaxTypeBytes / std::max<std::uint64_t>(copy.stride_bytes, 1))
      return nullptr;
    copy.size_bytes = copy.stride_bytes * copy.count;
    return &copy;
  }
  const Type& column = *type.element;
  const std::uint64_t row_bytes = copy.count * column.element->size_bytes;
  if (layout.stride_bytes < (layout.is_row_major ? row_bytes : column.size_bytes)) return nullptr;
  if (!layout.is_row_major) {
    copy.stride_bytes = layout.stride_bytes;
    copy.size_bytes = layout.stride_bytes * copy.count;
    return &copy;
  }
  Type& strided = add_copy(context, column);
  strided.stride_bytes = layout.stride_bytes;
  strided.size_bytes = layout.stride_bytes * (column.count - 1) + column.element->size_bytes;
  copy.element = &strided;
  copy.stride_bytes = column.element->size_bytes;
  copy.size_bytes = layout.stride_bytes * column.count;
  return &copy;
}

/// Gives members with MatrixStride types of that layout.
bool lay_out_matrices(Context& context, const Parsed& parsed, Type& type) {
  std::vector<MatrixLayout> layouts(type.members.size());
  for (const Decoration& each : context.module.decorations(type.id)) {
    if (each.member >= layouts.size()) continue;
    if (each.kind == spv::Decoration::MatrixStride && !each.operands.empty())
      layouts[each.member].stride_bytes = each.operands[0];
    if (each.kind == spv::Decoration::RowMajor) layouts[each.member].is_row_major = true;
  }
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const Type* inner = type.members[i];
    std::uint32_t arrays = 0;
    for (; inner->kind == Type::Kind::kArray && !inner->is_matrix; inner = inner->element) ++arrays;
    if (!inner->is_matrix || layouts[i].stride_bytes == 0) continue;
    if (arrays > kMaxMatrixArrays)
      return unsupported(context, parsed,
                         fmt::format("an array of matrices nested {} deep", arrays));
    type.members[i] = with_matrix_layout(context, *type.members[i], layouts[i]);
    if (type.members[i] == nullptr)
      return context.fail(
          Rule::kD0025, parsed,
          fmt::format("expected a type of at most {} bytes, without elements that overlap",
                      kMaxTypeBytes));
  }
  return true;
}

bool decode_struct(Context& context, const Parsed& parsed) {
  std::vector<const Type*> members;
  for (const Id id : parsed.operands) {
    const Type* member = type_operand(context, parsed, id);
    if (!member) return false;
    if (!has_size(*member))
      return refuse_part(context, parsed,
                         fmt::format("a type with a size for member {}", members.size()), *member);
    members.push_back(member);
  }
  Module& module = context.module;
  Type& type = new_type(context, parsed.result_id, Type::Kind::kStruct, parsed.word_offset);
  type.members = std::move(members);
  if (!lay_out_matrices(context, parsed, type)) return false;
  type.member_names.resize(type.members.size());
  type.packed = module.decoration(type.id, spv::Decoration::CPacked) != nullptr;
  if (const auto names = context.member_names.find(type.id); names != context.member_names.end()) {
    for (PendingMemberName& entry : names->second)
      if (entry.member < type.members.size())
        type.member_names[entry.member] = std::move(entry.name);
    module.member_names[type.id] = type.member_names;
  }
  return finish(context, parsed, type);
}

bool decode_function_type(Context& context, const Parsed& parsed) {
  const Type* result = type_operand(context, parsed, parsed.operands[0]);
  if (!result) return false;
  std::vector<const Type*> parameters;
  for (const Id id : parsed.operands.subspan(1)) {
    const Type* parameter = type_operand(context, parsed, id);
    if (!parameter) return false;
    if (parameter->kind == Type::Kind::kVoid)
      return context.fail(
          Rule::kD0022, parsed,
          fmt::format("expected a type for parameter {}, found void", parameters.size()));
    parameters.push_back(parameter);
  }
  Type& type = new_type(context, parsed.result_id, Type::Kind::kFunction, parsed.word_offset);
  type.element = result;
  type.members = std::move(parameters);
  return finish(context, parsed, type);
}

bool decode_pointer(Context& context, const Parsed& parsed) {
  const Type* pointee = type_operand(context, parsed, parsed.operands[1]);
  if (!pointee) return false;
  const auto storage_class = static_cast<spv::StorageClass>(parsed.operands[0]);
  const bool announced = context.forward_pointers.erase(parsed.result_id) != 0;
  Type& type = new_type(context, parsed.result_id, Type::Kind::kPointer, parsed.word_offset);
  if (announced && type.storage_class != storage_class)
    return context.fail(
        Rule::kD0023, parsed,
        fmt::format("expected storage class {} as announced by OpTypeForwardPointer, "
                    "found {}",
                    enumerant_name(OperandKind::kStorageClass,
                                   static_cast<std::uint32_t>(type.storage_class)),
                    enumerant_name(OperandKind::kStorageClass, parsed.operands[0])));
  if (pointee->holds_cooperative_matrix && storage_class != spv::StorageClass::Function &&
      storage_class != spv::StorageClass::Private)
    return context.fail(
        Rule::kD0022, parsed,
        fmt::format("expected storage class Function or Private for {}, which holds a cooperative "
                    "matrix, found {}",
                    spell(*pointee),
                    enumerant_name(OperandKind::kStorageClass, parsed.operands[0])));
  type.storage_class = storage_class;
  type.element = pointee;
  // An announced pointer is a leaf for its users: cycles run through it, and finish_types bounds
  // what can be reached without passing a struct.
  if (!announced) return finish(context, parsed, type);
  return lay_out(type, context.module);
}

bool decode_untyped_pointer(Context& context, const Parsed& parsed) {
  Type& type = new_type(context, parsed.result_id, Type::Kind::kPointer, parsed.word_offset);
  type.storage_class = static_cast<spv::StorageClass>(parsed.operands[0]);
  type.element = &untyped_pointee();
  return lay_out(type, context.module);
}

bool decode_forward_pointer(Context& context, const Parsed& parsed) {
  const Id id = parsed.operands[0];
  Module& module = context.module;
  const auto storage_class = static_cast<spv::StorageClass>(parsed.operands[1]);
  // Announced once more, or after the pointer itself: it says nothing new.
  if (const Type* known = module.type(id);
      known && known->kind == Type::Kind::kPointer && known->storage_class == storage_class)
    return true;
  if (module.kind_of(id) != IdKind::kType || module.type(id))
    return context.fail(Rule::kD0023, parsed,
                        fmt::format("expected an OpTypePointer for {} after this instruction",
                                    module.spell_id(id)));
  Type& type = new_type(context, id, Type::Kind::kPointer, parsed.word_offset);
  type.storage_class = storage_class;
  context.forward_pointers.insert(id);
  return finish(context, parsed, type);
}

bool decode_image(Context& context, const Parsed& parsed) {
  const Type* sampled = type_operand(context, parsed, parsed.operands[0]);
  if (!sampled) return false;
  Type& type = new_type(context, parsed.result_id, Type::Kind::kImage, parsed.word_offset);
  type.element = sampled;
  type.image.dim = static_cast<spv::Dim>(parsed.operands[1]);
  type.image.depth = parsed.operands[2];
  type.image.arrayed = parsed.operands[3] != 0;
  type.image.multisampled = parsed.operands[4] != 0;
  type.image.sampled = parsed.operands[5];
  type.image.format = static_cast<spv::ImageFormat>(parsed.operands[6]);
  constexpr std::uint32_t kStorage = 2;  // Sampled: the image is used without a sampler
  if (type.image.sampled == kStorage) type.access = spv::AccessQualifier::ReadWrite;
  if (parsed.operands.size() > 7)
    type.access = static_cast<spv::AccessQualifier>(parsed.operands[7]);
  return finish(context, parsed, type);
}

bool decode_sampled_image(Context& context, const Parsed& parsed) {
  const Type* image = type_operand(context, parsed, parsed.operands[0]);
  if (!image) return false;
  if (image->kind != Type::Kind::kImage)
    return context.fail(Rule::kD0022, parsed,
                        fmt::format("expected an image type, found {}", spell(*image)));
  Type& type = new_type(context, parsed.result_id, Type::Kind::kSampledImage, parsed.word_offset);
  type.element = image;
  return finish(context, parsed, type);
}

bool decode_plain(Context& context, const Parsed& parsed, Type::Kind kind) {
  return finish(context, parsed, new_type(context, parsed.result_id, kind, parsed.word_offset));
}

bool decode_opaque(Context& context, const Parsed& parsed) {
  Type& type = new_type(context, parsed.result_id, Type::Kind::kOpaque, parsed.word_offset);
  type.name = text_operand(parsed.operands);
  return finish(context, parsed, type);
}

bool decode_pipe(Context& context, const Parsed& parsed) {
  Type& type = new_type(context, parsed.result_id, Type::Kind::kPipe, parsed.word_offset);
  type.access = static_cast<spv::AccessQualifier>(parsed.operands[0]);
  return finish(context, parsed, type);
}

/// Depth of what can be reached without entering a struct, for finish_types.
class PointerChains {
 public:
  explicit PointerChains(const Module& module) : module_(module), depth_(module.types.size(), 0) {}

  /// False when the chain from `type` is endless or longer than kMaxTypeChain.
  bool bounded(const Type& type, std::uint32_t levels) {
    std::uint32_t& depth = depth_[module_.ids[type.id].index];
    if (depth != 0) return levels + depth <= kMaxTypeChain;
    if (levels >= kMaxTypeChain) return false;
    if (type.kind != Type::Kind::kStruct) {
      if (type.element && !is_untyped(type) && !visit(*type.element, levels, depth)) return false;
      for (const Type* member : type.members)
        if (!visit(*member, levels, depth)) return false;
    }
    ++depth;
    return true;
  }

 private:
  bool visit(const Type& part, std::uint32_t levels, std::uint32_t& depth) {
    if (!bounded(part, levels + 1)) return false;
    depth = std::max(depth, depth_[module_.ids[part.id].index]);
    return true;
  }

  const Module& module_;
  std::vector<std::uint32_t> depth_;
};

}  // namespace

bool check_seen_type(Context& context, const Parsed& parsed) {
  if (typed_op(parsed.op) == parsed.op) return true;
  const Type* const pointer = context.module.type(parsed.type_id);
  const bool makes_pointer = typed_op(parsed.op) != spv::Op::OpArrayLength;
  if (makes_pointer && (pointer == nullptr || !is_untyped(*pointer)))
    return context.fail(Rule::kD0022, parsed,
                        fmt::format("expected an untyped pointer as the result type, found {}",
                                    pointer != nullptr ? spell(*pointer) : "none"));
  const std::size_t at = seen_operand(parsed.op);
  if (at >= parsed.operands.size())
    return context.fail(Rule::kU0003, parsed,
                        "an untyped variable without a data type is not supported");
  const Type* const seen = type_operand(context, parsed, parsed.operands[at]);
  if (seen == nullptr) return false;
  if (!has_size(*seen)) return refuse_part(context, parsed, "a type with a size", *seen);
  const bool is_private = makes_pointer && (pointer->storage_class == spv::StorageClass::Function ||
                                            pointer->storage_class == spv::StorageClass::Private);
  if (seen->holds_cooperative_matrix && !is_private)
    return refuse_part(context, parsed, "a type without cooperative matrices", *seen);
  return true;
}

const Type* add_typed_pointer(Context& context, const Type& untyped, const Type& pointee) {
  Type& type = add_copy(context, untyped);
  type.element = &pointee;
  lay_out(type, context.module);
  return &type;
}

const Type* type_operand(Context& context, const Parsed& parsed, Id id) {
  if (const Type* type = context.module.type(id)) return type;
  context.fail(
      Rule::kD0017, parsed,
      fmt::format("expected a type declared before, found {}", context.module.spell_id(id)));
  return nullptr;
}

bool same_shape(const Type& left, const Type& right) {
  return left.id == right.id || (left.kind == right.kind && left.width_bits == right.width_bits &&
                                 left.count == right.count && left.size_bytes == right.size_bytes &&
                                 left.members.size() == right.members.size());
}

bool decode_type(Context& context, const Parsed& parsed) {
  if (parsed.op != spv::Op::OpTypePointer && parsed.info->has_result &&
      context.module.type(parsed.result_id))
    return context.fail(
        Rule::kD0023, parsed,
        fmt::format("expected {} to be a pointer, as OpTypeForwardPointer announced",
                    context.module.spell_id(parsed.result_id)));
  if (parsed.op == kOpTypeCooperativeMatrixKHR) return decode_cooperative_matrix(context, parsed);
  if (parsed.op == kOpTypeUntypedPointerKHR) return decode_untyped_pointer(context, parsed);
  switch (parsed.op) {
    case spv::Op::OpTypeVoid:
      return decode_plain(context, parsed, Type::Kind::kVoid);
    case spv::Op::OpTypeBool:
      return decode_plain(context, parsed, Type::Kind::kBool);
    case spv::Op::OpTypeInt:
      return decode_int(context, parsed);
    case spv::Op::OpTypeFloat:
      return decode_float(context, parsed);
    case spv::Op::OpTypeVector:
      return decode_vector(context, parsed);
    case spv::Op::OpTypeArray:
      return decode_array(context, parsed);
    case spv::Op::OpTypeMatrix:
      return decode_matrix(context, parsed);
    case spv::Op::OpTypeRuntimeArray:
      return decode_runtime_array(context, parsed);
    case spv::Op::OpTypeStruct:
      return decode_struct(context, parsed);
    case spv::Op::OpTypePointer:
      return decode_pointer(context, parsed);
    case spv::Op::OpTypeForwardPointer:
      return decode_forward_pointer(context, parsed);
    case spv::Op::OpTypeFunction:
      return decode_function_type(context, parsed);
    case spv::Op::OpTypeImage:
      return decode_image(context, parsed);
    case spv::Op::OpTypeSampledImage:
      return decode_sampled_image(context, parsed);
    case spv::Op::OpTypeOpaque:
      return decode_opaque(context, parsed);
    case spv::Op::OpTypePipe:
      return decode_pipe(context, parsed);
    default:
      if (const OpaqueType* opaque = opaque_type(parsed.op))
        return decode_plain(context, parsed, opaque->kind);
      return context.fail(Rule::kU0003, parsed, refusal_of(parsed.op));
  }
}

bool finish_types(Context& context) {
  PointerChains chains(context.module);
  for (std::size_t i = 0; i < context.module.types.size(); ++i) {
    if (chains.bounded(*context.module.types[i], 0)) continue;
    const std::uint32_t at = context.type_word_offset[i];
    return context.fail(
        Rule::kD0024, at, opcode_name(static_cast<spv::Op>(context.module.words[at] & 0xffff)),
        fmt::format("expected {} to end or to lead to a struct within {} steps",
                    context.module.spell_id(context.module.types[i]->id), kMaxTypeChain));
  }
  return true;
}

}  // namespace transpire::decoder
