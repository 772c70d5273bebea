// The formats that types of images may name, in the words of memory/image_format.def: an order of channels and a type of channels.
#pragma once

#include <spirv/unified1/spirv.hpp11>
#include <string_view>

namespace transpire::decoder {

struct NamedFormat {
  spv::ImageFormat format;
  std::string_view order, type;
};

inline constexpr NamedFormat kNamedFormats[] = {
    {spv::ImageFormat::Rgba32f, "RGBA", "FLOAT"},
    {spv::ImageFormat::Rgba16f, "RGBA", "HALF_FLOAT"},
    {spv::ImageFormat::R32f, "R", "FLOAT"},
    {spv::ImageFormat::Rgba8, "RGBA", "UNORM_INT8"},
    {spv::ImageFormat::Rgba8Snorm, "RGBA", "SNORM_INT8"},
    {spv::ImageFormat::Rg32f, "RG", "FLOAT"},
    {spv::ImageFormat::Rg16f, "RG", "HALF_FLOAT"},
    {spv::ImageFormat::R16f, "R", "HALF_FLOAT"},
    {spv::ImageFormat::Rgba16, "RGBA", "UNORM_INT16"},
    {spv::ImageFormat::Rg16, "RG", "UNORM_INT16"},
    {spv::ImageFormat::Rg8, "RG", "UNORM_INT8"},
    {spv::ImageFormat::R16, "R", "UNORM_INT16"},
    {spv::ImageFormat::R8, "R", "UNORM_INT8"},
    {spv::ImageFormat::Rgba16Snorm, "RGBA", "SNORM_INT16"},
    {spv::ImageFormat::Rg16Snorm, "RG", "SNORM_INT16"},
    {spv::ImageFormat::Rg8Snorm, "RG", "SNORM_INT8"},
    {spv::ImageFormat::R16Snorm, "R", "SNORM_INT16"},
    {spv::ImageFormat::R8Snorm, "R", "SNORM_INT8"},
    {spv::ImageFormat::Rgba32i, "RGBA", "SIGNED_INT32"},
    {spv::ImageFormat::Rgba16i, "RGBA", "SIGNED_INT16"},
    {spv::ImageFormat::Rgba8i, "RGBA", "SIGNED_INT8"},
    {spv::ImageFormat::R32i, "R", "SIGNED_INT32"},
    {spv::ImageFormat::Rg32i, "RG", "SIGNED_INT32"},
    {spv::ImageFormat::Rg16i, "RG", "SIGNED_INT16"},
    {spv::ImageFormat::Rg8i, "RG", "SIGNED_INT8"},
    {spv::ImageFormat::R16i, "R", "SIGNED_INT16"},
    {spv::ImageFormat::R8i, "R", "SIGNED_INT8"},
    {spv::ImageFormat::Rgba32ui, "RGBA", "UNSIGNED_INT32"},
    {spv::ImageFormat::Rgba16ui, "RGBA", "UNSIGNED_INT16"},
    {spv::ImageFormat::Rgba8ui, "RGBA", "UNSIGNED_INT8"},
    {spv::ImageFormat::R32ui, "R", "UNSIGNED_INT32"},
    {spv::ImageFormat::Rg32ui, "RG", "UNSIGNED_INT32"},
    {spv::ImageFormat::Rg16ui, "RG", "UNSIGNED_INT16"},
    {spv::ImageFormat::Rg8ui, "RG", "UNSIGNED_INT8"},
    {spv::ImageFormat::R16ui, "R", "UNSIGNED_INT16"},
    {spv::ImageFormat::R8ui, "R", "UNSIGNED_INT8"},
    {spv::ImageFormat::R11fG11fB10f, "BGR", "UFLOAT_101111"},
    {spv::ImageFormat::Rgb10A2, "ABGR", "UNORM_INT_2_101010"},
    {spv::ImageFormat::Rgb10a2ui, "ABGR", "UNSIGNED_INT_2_101010"},
    {spv::ImageFormat::R64ui, "R", "UNSIGNED_INT64"},
    {spv::ImageFormat::R64i, "R", "SIGNED_INT64"},
};

/// Null for Unknown, and for numbers that are no format.
constexpr const NamedFormat* named_format(spv::ImageFormat format) {
  for (const NamedFormat& each : kNamedFormats)
    if (each.format == format) return &each;
  return nullptr;
}

}  // namespace transpire::decoder
