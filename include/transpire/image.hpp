// Images and samplers of kernels. transpire/transpire.hpp includes this header.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "transpire/diagnostic.hpp"
#include "transpire/export.hpp"
#include "transpire/result.hpp"

namespace transpire {

namespace runtime {
struct BufferState;
}

enum class ImageDim : std::uint8_t { k1D, k1DArray, k1DBuffer, k2D, k2DArray, k3D };

/// Name of an image kind in launch files: "1d", "1d_array", "1d_buffer", "2d", "2d_array" or "3d". "unknown" if `dim` is
/// no enumerator.
TRANSPIRE_API std::string_view image_dim_name(ImageDim dim);
TRANSPIRE_API std::optional<ImageDim> image_dim_named(std::string_view name);

/// Type of the texels that a kernel's instructions read from and write to an image parameter.
enum class TexelType : std::uint8_t {
  kUnknown,  ///< no instruction accesses the image, or instructions disagree
  kFloat,    ///< for normalized and floating-point formats
  kSigned,
  kUnsigned,
  kInteger,   ///< integers; the module does not say if they are signed
  kSigned64,  ///< 64 bits, in shaders alone; also the next
  kUnsigned64,
};

/// The images that a kernel's parameter or a shader's resource accepts.
struct ImageParameterInfo {
  ImageDim dim = ImageDim::k2D;  ///< k2DArray for cubes, whose layers are their faces
  bool depth = false;
  bool multisampled = false;
  TexelType texels = TexelType::kUnknown;
  /// Resources of shaders: the type of the texels is part of the resource's type, and other images are refused.
  bool needs_texels = false;
  /// Faces of cubes: kOne is six square layers, kSeveral six for each cube.
  enum class Cubes : std::uint8_t { kNone, kOne, kSeveral };
  Cubes cubes = Cubes::kNone;
  /// The format that a shader's type names; empty if it names none.
  std::string channel_order{}, channel_type{};
};

/// Format and size of an image. Members that the kind of image does not have are ignored, e.g. `depth` of a 2D image.
struct ImageDescription {
  ImageDim dim = ImageDim::k2D;
  std::string channel_order = "RGBA";  ///< OpenCL's name, with or without CL_; likewise the type
  std::string channel_type = "UNORM_INT8";
  std::uint64_t width = 1, height = 1, depth = 1, layers = 1;  ///< in texels
  std::uint64_t row_pitch = 0;                                 ///< in bytes; 0: no gaps
  std::uint64_t slice_pitch = 0;                               ///< likewise; also between layers
  std::uint32_t levels = 1;                                    ///< mipmap levels
  std::uint32_t samples = 1;                                   ///< samples per texel
};

/// An image: texels that kernels read and write. Copies of the handle share the texels.
class TRANSPIRE_API Image {
 public:
  /// Makes an image whose bytes are all zero. `name` appears in findings. Fails with C0042 and L0004.
  static Result<Image> create(const ImageDescription& description, std::string name = {});
  /// Size in bytes of an image with this description, including gaps. Fails as create() does.
  static Result<std::uint64_t> bytes_needed(const ImageDescription& description);
  /// Makes an image of the caller's bytes; `owner` and lifetime as for Buffer::wrap(). `bytes` has at least
  /// bytes_needed() bytes, else C0042.
  static Result<Image> wrap(const ImageDescription& description, std::span<std::byte> bytes,
                            std::string name = {}, std::shared_ptr<const void> owner = nullptr);
  /// The description with the actual pitches in place of 0.
  const ImageDescription& description() const;
  const std::string& name() const;
  /// The bytes of all levels, including the gaps between rows and slices.
  std::span<std::byte> bytes() const;
  std::uint32_t element_bytes() const;
  /// Size in bytes of level 0 without gaps: width x height x (depth or layers) x samples elements.
  std::uint64_t packed_bytes() const;
  /// Copies all of level 0 from or to memory with these pitches in bytes (0: no gaps). Fails with C0042.
  Status write(std::span<const std::byte> from, std::uint64_t row_pitch = 0,
               std::uint64_t slice_pitch = 0) const;
  Status read(std::span<std::byte> to, std::uint64_t row_pitch = 0,
              std::uint64_t slice_pitch = 0) const;
  /// Reads a texel of level 0 as instructions read it. Texels of integer formats are given as their integers, all others
  /// as floats. The layer is `y` in a 1d_array and `z` in a 2d_array. Coordinates outside the image give zeros, and so
  /// does a coordinate other than 0 in a dimension that the image does not have.
  std::array<double, 4> texel(std::uint64_t x, std::uint64_t y = 0, std::uint64_t z = 0) const;
  /// Writes a texel of level 0 as instructions write it; coordinates as for texel(). Does nothing outside the image.
  void set_texel(const std::array<double, 4>& color, std::uint64_t x, std::uint64_t y = 0,
                 std::uint64_t z = 0) const;
  /// With true, the VM reports a kernel's writes to the image (read-only) or its reads (write-only) as findings.
  void set_read_only(bool read_only);
  void set_write_only(bool write_only);
  bool read_only() const;
  bool write_only() const;
  const std::shared_ptr<runtime::BufferState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::BufferState> state_;
};

/// How a kernel reads an image.
struct TRANSPIRE_API Sampler {
  enum class Addressing : std::uint8_t { kNone, kClampToEdge, kClamp, kRepeat, kMirroredRepeat };
  Addressing addressing = Addressing::kNone;
  bool linear = false;      ///< filter within a level: linear, or nearest
  bool normalized = false;  ///< coordinates are normalized
  bool mip_linear = false;  ///< filter between levels of a mipmap: linear, or nearest
  float lod_min = 0, lod_max = 3.402823466e38f;
  /// How a shader's reference is compared with texels of depth. From kNever on in the order of VkCompareOp.
  enum class Compare : std::uint8_t {
    kNone,
    kNever,
    kLess,
    kEqual,
    kLessOrEqual,
    kGreater,
    kNotEqual,
    kGreaterOrEqual,
    kAlways
  };
  Compare compare = Compare::kNone;
  /// The color of texels outside with the addressing mode kClamp. A format's missing colors are 0, a missing alpha 1.
  enum class Border : std::uint8_t { kTransparentBlack, kOpaqueBlack, kOpaqueWhite };
  Border border = Border::kTransparentBlack;

  /// Makes a sampler from words, in any order: an addressing mode ("none", "clamp_to_edge", "clamp", "repeat",
  /// "mirrored_repeat"), "nearest" or "linear", "normalized" or "unnormalized". For mipmaps: "mip_nearest" or
  /// "mip_linear", "lod_min=1.5", "lod_max=4". For depth compare: "compare_less" and so on. For the border:
  /// "border_opaque_white" and so on. A member that no word sets keeps its default. Fails with C0042.
  static Result<Sampler> named(std::span<const std::string> words);
  /// The words that named() takes, separated by blanks: "clamp_to_edge linear normalized". The words for mipmaps follow
  /// where they differ from the defaults.
  std::string words() const;
};

/// True if the parameter accepts the image. The parameter's type fixes the kind of image, whether it holds depths, and
/// whether a texel has several samples; for shaders also the type of texels and maybe the format.
TRANSPIRE_API bool takes(const ImageParameterInfo& parameter, const Image& image);
/// The images that it accepts, for messages: "a 2d image of RGBA UNORM_INT8".
TRANSPIRE_API std::string wanted_image(const ImageParameterInfo& parameter);
/// "floats", "signed integers", "unsigned integers", "integers" or such "of 64 bits"; empty for kUnknown.
TRANSPIRE_API std::string_view texel_type_name(TexelType type);

}  // namespace transpire
