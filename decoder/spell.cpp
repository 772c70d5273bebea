// Types in the words of OpenCL C. Kernels say signedness 0 for every integer, so integers are
// spelled unsigned unless the type says otherwise. Structs are named, not opened, so cycles cannot
// be met; a function type within a type is not opened either.
#include <fmt/format.h>

#include "decoder/grammar.h"
#include "decoder/module.h"
#include "decoder/opaque_types.h"
#include "decoder/untyped.h"

namespace transpire::decoder {
namespace {

std::string spell_part(const Type& type, bool nested);

std::string spell_int(const Type& type) {
  const std::string_view name = type.width_bits == 8    ? "char"
                                : type.width_bits == 16 ? "short"
                                : type.width_bits == 32 ? "int"
                                                        : "long";
  return fmt::format("{}{}", type.is_signed ? "" : "u", name);
}

/// "global float*"; a pointer to it in private memory is "global float* private*".
std::string spell_pointer(const Type& type) {
  const std::string_view space = address_space_name(type.storage_class);
  if (!type.element) return fmt::format("{} %{}*", space, type.id);
  const std::string pointee = is_untyped(type) ? "untyped" : spell_part(*type.element, true);
  return type.element->kind == Type::Kind::kPointer ? fmt::format("{} {}*", pointee, space)
                                                    : fmt::format("{} {}*", space, pointee);
}

/// GLSL's name: "mat4x3" has four columns of three floats.
std::string spell_matrix(const Type& type) {
  const Type& column = *type.element;
  const std::uint32_t width = column.element->width_bits;
  return fmt::format("{}mat{}x{}",
                     width == 16   ? "f16"
                     : width == 64 ? "d"
                                   : "",
                     type.count, column.count);
}

/// As GLSL declares it, without the scope: "coopmat<float, 16, 8, B>".
std::string spell_cooperative_matrix(const Type& type) {
  const auto [rows, columns, use] = type.cooperative;
  constexpr std::string_view kUses[] = {"A", "B", "accumulator"};
  return fmt::format("coopmat<{}, {}, {}, {}>", spell_part(*type.element, true), rows, columns,
                     kUses[use]);
}

/// "float[2][4]": the outer count first, as in C.
std::string spell_array(const Type& type) {
  std::string counts;
  const Type* element = &type;
  const auto is_plain = [](const Type& each) {
    return each.kind == Type::Kind::kArray && !each.is_matrix && !each.is_cooperative_matrix();
  };
  for (; is_plain(*element); element = element->element)
    counts += element->is_runtime_array ? "[]" : fmt::format("[{}]", element->count);
  if (element->is_cooperative_matrix()) return spell_cooperative_matrix(*element) + counts;
  return (element->is_matrix ? spell_matrix(*element) : spell_part(*element, true)) + counts;
}

/// A name as long as an instruction may hold would make messages of megabytes.
std::string_view shortened(std::string_view name) {
  constexpr std::size_t kMostBytes = 256;
  if (name.size() <= kMostBytes) return name;
  std::size_t end = kMostBytes;
  while (end != 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end);
}

/// Clang names a struct "struct.Particle", a union "union.U".
std::string spell_struct(const Type& type) {
  std::string_view name = type.name;
  if (name.empty()) return fmt::format("struct %{}", type.id);
  std::string_view keyword = "struct";
  for (const std::string_view prefix : {"struct.", "union.", "class."}) {
    if (!name.starts_with(prefix)) continue;
    keyword = prefix.substr(0, prefix.size() - 1);
    name.remove_prefix(prefix.size());
    break;
  }
  return fmt::format("{} {}", keyword, shortened(name));
}

std::string spell_function(const Type& type, bool nested) {
  if (nested) return "function";
  std::string parameters;
  for (const Type* parameter : type.members)
    parameters += fmt::format("{}{}", parameters.empty() ? "" : ", ", spell_part(*parameter, true));
  return fmt::format("{} ({})", spell_part(*type.element, true),
                     parameters.empty() ? "void" : parameters);
}

std::string_view access_prefix(const Type& type) {
  switch (type.access) {
    case spv::AccessQualifier::WriteOnly:
      return "write_only ";
    case spv::AccessQualifier::ReadWrite:
      return "read_write ";
    default:
      return "read_only ";
  }
}

/// GLSL's name of an image whose type says whether it is sampled: "uimage2D", "texture2DArray"; with a sampler "sampler2DShadow".
std::string spell_shader_image(const Type& type, bool is_combined) {
  const Type::ImageShape& image = type.image;
  std::string_view shape = "2D";
  if (image.dim == spv::Dim::Dim1D) shape = "1D";
  if (image.dim == spv::Dim::Dim3D) shape = "3D";
  if (image.dim == spv::Dim::Buffer) shape = "Buffer";
  if (image.dim == spv::Dim::Cube) shape = "Cube";
  if (image.dim == spv::Dim::Rect) shape = "2DRect";
  const bool is_int = type.element->kind == Type::Kind::kInt;
  return fmt::format("{}{}{}{}{}{}{}",
                     !is_int                   ? ""
                     : type.element->is_signed ? "i"
                                               : "u",
                     is_int && type.element->width_bits == 64 ? "64" : "",
                     image.sampled == 2 ? "image"
                     : is_combined      ? "sampler"
                                        : "texture",
                     shape, image.multisampled ? "MS" : "", image.arrayed ? "Array" : "",
                     is_combined && image.depth == 1 ? "Shadow" : "");
}

/// OpenCL C 2.0, "Other Built-in Data Types": image2d_array_msaa_depth_t and its parts.
std::string spell_image(const Type& type) {
  if (type.image.sampled != 0) return spell_shader_image(type, false);
  std::string_view shape = "image2d";
  switch (type.image.dim) {
    case spv::Dim::Dim1D:
      shape = "image1d";
      break;
    case spv::Dim::Dim3D:
      shape = "image3d";
      break;
    case spv::Dim::Buffer:
      shape = "image1d_buffer";
      break;
    case spv::Dim::Cube:
      shape = "imagecube";
      break;
    default:
      break;
  }
  return fmt::format("{}{}{}{}{}_t", access_prefix(type), shape, type.image.arrayed ? "_array" : "",
                     type.image.multisampled ? "_msaa" : "", type.image.depth == 1 ? "_depth" : "");
}

std::string spell_part(const Type& type, bool nested) {
  switch (type.kind) {
    case Type::Kind::kVoid:
      return "void";
    case Type::Kind::kBool:
      return "bool";
    case Type::Kind::kInt:
      return spell_int(type);
    case Type::Kind::kFloat:
      return type.width_bits == 16 ? "half" : type.width_bits == 32 ? "float" : "double";
    case Type::Kind::kVector:
      return fmt::format("{}{}", spell_part(*type.element, true), type.count);
    case Type::Kind::kArray:
      return spell_array(type);
    case Type::Kind::kStruct:
      return spell_struct(type);
    case Type::Kind::kPointer:
      return spell_pointer(type);
    case Type::Kind::kFunction:
      return spell_function(type, nested);
    case Type::Kind::kOpaque:
      return fmt::format("opaque {}", shortened(type.name));
    case Type::Kind::kPipe:
      return fmt::format("{}pipe", access_prefix(type));
    case Type::Kind::kImage:
      return spell_image(type);
    case Type::Kind::kSampledImage:
      if (type.element->image.sampled != 0) return spell_shader_image(*type.element, true);
      return fmt::format("sampled {}", spell_part(*type.element, true));
    default:
      break;
  }
  const OpaqueType* const opaque = opaque_type(type.kind);
  return std::string(opaque != nullptr ? opaque->spelling : "unknown");
}

}  // namespace

std::string_view address_space_name(spv::StorageClass storage_class) {
  switch (storage_class) {
    case spv::StorageClass::UniformConstant:
      return "constant";
    case spv::StorageClass::CrossWorkgroup:
      return "global";
    case spv::StorageClass::Workgroup:
      return "local";
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
      return "private";
    case spv::StorageClass::Generic:
      return "generic";
    case spv::StorageClass::StorageBuffer:
      return "buffer";
    case spv::StorageClass::Uniform:
      return "uniform";
    case spv::StorageClass::PushConstant:
      return "push constant";
    default:
      return enumerant_name(OperandKind::kStorageClass, static_cast<std::uint32_t>(storage_class));
  }
}

std::string spell(const Type& type) { return spell_part(type, false); }

}  // namespace transpire::decoder
