// The operands of image instructions: the image, the places of texels, the image operands, and what accesses are made of.
#pragma once

#include <optional>

#include "base/narrow.h"
#include "vm/build/builder.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder::image {

using Detail = ImageOperation::Detail;

/// The object of an access: the image's type and its handle, or for a sampled image both handles.
struct Accessed {
  const Type* type = nullptr;
  Values handles;
};

/// Operand 0, an image or a sampled image as `kind` says. Refuses others, and images that are not supported.
std::optional<Accessed> accessed(Builder& b, const Instruction& i, Type::Kind kind);
/// Refuses an image that is not supported; true for others.
bool expect_supported(Builder& b, const Type& image);

/// The operands that an access is made of, in their order.
struct Access {
  ImageOperation operation;
  ValueList operands;
  /// Samples with an implicit level of detail: the coordinates' differences in x, then in y. Else empty.
  ValueList gradients{};
};

constexpr std::uint32_t mask_of(spv::ImageOperandsMask bit) { return narrow<std::uint32_t>(bit); }

/// Image operands without effect in an interpreter with one memory, or allowed in all accesses.
constexpr std::uint32_t kEverywhere =
    mask_of(spv::ImageOperandsMask::NonPrivateTexel) |
    mask_of(spv::ImageOperandsMask::MakeTexelAvailable) |
    mask_of(spv::ImageOperandsMask::MakeTexelVisible) |
    mask_of(spv::ImageOperandsMask::VolatileTexel) | mask_of(spv::ImageOperandsMask::SignExtend) |
    mask_of(spv::ImageOperandsMask::ZeroExtend) | mask_of(spv::ImageOperandsMask::Nontemporal);
/// Image operands of gathers, of samples, and of reads and writes. MinLod needs gradients.
constexpr std::uint32_t kOfGathers = kEverywhere | mask_of(spv::ImageOperandsMask::ConstOffset) |
                                     mask_of(spv::ImageOperandsMask::Offset);
constexpr std::uint32_t kOfSamples = kOfGathers | mask_of(spv::ImageOperandsMask::Lod) |
                                     mask_of(spv::ImageOperandsMask::Grad) |
                                     mask_of(spv::ImageOperandsMask::MinLod);
constexpr std::uint32_t kOfImplicitSamples =
    kOfGathers | mask_of(spv::ImageOperandsMask::Bias) | mask_of(spv::ImageOperandsMask::MinLod);
constexpr std::uint32_t kOfTexels =
    kEverywhere | mask_of(spv::ImageOperandsMask::Lod) | mask_of(spv::ImageOperandsMask::Sample);
constexpr std::uint32_t kOfFetches = kOfTexels | mask_of(spv::ImageOperandsMask::ConstOffset) |
                                     mask_of(spv::ImageOperandsMask::Offset);

/// As many coordinates as the image has; a vector may have more. A texel of a cube has that of its face, and the face's layer.
bool add_coordinates(Builder& b, const Instruction& i, const Type& image, Access& access);
/// The image operands from word `at` on, of which `known` have a meaning.
bool add_image_operands(Builder& b, const Instruction& i, std::size_t at, std::uint32_t known,
                        Access& access);

/// An i32 that a query about an image gives.
ValueId query(Builder& b, ValueId image, ValueId level, ImageQuery query);
/// With robust access: true where the image has the texel. No value where an access outside is a finding.
ValueId has_texel(Builder& b, const Type& image, const Access& access);
/// With robust access: true where the image of a sample, gather or level query is not null. No value elsewhere.
ValueId has_sampled_image(Builder& b, const Access& access);
/// The components of a texel outside of the image: zeros, and 1 for the alpha of a format that has none. A null image has no format.
ValueList outer_texel(Builder& b, const Access& access, const std::vector<Kind>& kinds);

/// Components of a texel, of which images of OpenCL have one kind.
bool set_components(Builder& b, std::size_t count, Kind kind, Access& access);
/// Refuses operands of other kinds than the operation has.
bool fits(Builder& b, const Access& access);
/// Announces an access to observers that see races, and every access if launches are compared. An observed access calls the observer
/// itself.
void announce(Builder& b, Op op, const ImageOperation& operation, const ValueList& operands);
/// Places a read of `count` components of a kind, and returns them.
ValueList read_components(Builder& b, Op op, std::size_t count, Kind kind, Access& access);
void place_read(Builder& b, const Instruction& i, Op op, Access& access);
/// True for OpenCL's images, whose types say nothing of how they are used: their rules are checked.
bool is_of_opencl(const Type& image);
/// With --check=ub, notes the launch's use of the image.
void check_use(Builder& b, const Type& image, Access& access);
/// Reports an access that the image's qualifier forbids, and drops it.
bool permits(Builder& b, const Type& image, bool writes);
void define_zeros(Builder& b, const Instruction& i);

}  // namespace transpire::vm::builder::image
