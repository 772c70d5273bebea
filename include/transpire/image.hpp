// Images and samplers of kernels, a part of transpire/transpire.hpp.
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

/// As it is written in launches: "1d", "1d_array", "1d_buffer", "2d", "2d_array", "3d"; "unknown" of other numbers.
TRANSPIRE_API std::string_view image_dim_name(ImageDim dim);
TRANSPIRE_API std::optional<ImageDim> image_dim_named(std::string_view name);

/// What a kernel reads and writes texels as. kUnknown: it does not, or as several.
enum class TexelType : std::uint8_t {
  kUnknown,
  kFloat,  ///< of normalized and floating-point formats
  kSigned,
  kUnsigned,
  kInteger,  ///< signed or unsigned, the module does not say which
};

/// Which images a kernel's parameter takes.
struct ImageParameterInfo {
  ImageDim dim = ImageDim::k2D;
  bool depth = false;
  bool multisampled = false;
  TexelType texels = TexelType::kUnknown;
};

/// What an image is made of. What the kind of image lacks is not looked at.
struct ImageDescription {
  ImageDim dim = ImageDim::k2D;
  std::string channel_order = "RGBA";  ///< the API's names, with or without CL_
  std::string channel_type = "UNORM_INT8";
  std::uint64_t width = 1, height = 1, depth = 1, layers = 1;  ///< in texels
  std::uint64_t row_pitch = 0;                                 ///< in bytes; 0: no gaps
  std::uint64_t slice_pitch = 0;                               ///< the same, of layers, too
  std::uint32_t levels = 1;                                    ///< of a mipmap
  std::uint32_t samples = 1;                                   ///< of each texel
};

/// Texels that kernels read and write. Shared by copies of the handle.
class TRANSPIRE_API Image {
 public:
  /// `name` appears in findings. Texels start as zero bytes. Fails with C0042 and L0004.
  static Result<Image> create(const ImageDescription& description, std::string name = {});
  /// How many bytes an image so described has, with its gaps. Fails as create() does.
  static Result<std::uint64_t> bytes_needed(const ImageDescription& description);
  /// Texels that `owner` keeps, as Buffer::wrap; there are at least as many bytes as the description needs.
  static Result<Image> wrap(const ImageDescription& description, std::span<std::byte> bytes,
                            std::string name = {}, std::shared_ptr<const void> owner = nullptr);
  /// With the pitches that it has.
  const ImageDescription& description() const;
  const std::string& name() const;
  /// All levels, with the gaps between rows and slices.
  std::span<std::byte> bytes() const;
  std::uint32_t element_bytes() const;
  /// Texels of level 0 without gaps: width x height x depth or layers x samples elements.
  std::uint64_t packed_bytes() const;
  /// The whole of level 0 from or to memory with these pitches, 0: no gaps. Fails with C0042.
  Status write(std::span<const std::byte> from, std::uint64_t row_pitch = 0,
               std::uint64_t slice_pitch = 0) const;
  Status read(std::span<std::byte> to, std::uint64_t row_pitch = 0,
              std::uint64_t slice_pitch = 0) const;
  /// A texel of level 0 as instructions read it: floats, and the numbers of integer formats. A layer comes behind the
  /// other coordinates: it is the `y` of a 1d_array, the `z` of a 2d_array. Outside of the image, also by a coordinate
  /// that it has not: zeros.
  std::array<double, 4> texel(std::uint64_t x, std::uint64_t y = 0, std::uint64_t z = 0) const;
  /// Writes it as instructions do; nothing outside of the image.
  void set_texel(const std::array<double, 4>& color, std::uint64_t x, std::uint64_t y = 0,
                 std::uint64_t z = 0) const;
  /// A kernel's write becomes a finding; its read.
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
  bool linear = false;      ///< the filter, else nearest
  bool normalized = false;  ///< coordinates
  bool mip_linear = false;  ///< the filter between levels of a mipmap
  float lod_min = 0, lod_max = 3.402823466e38f;

  /// Of words, in any order: an addressing mode ("none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat"),
  /// "nearest" or "linear", "normalized" or "unnormalized"; of mipmaps "mip_nearest" or "mip_linear", "lod_min=1.5" and
  /// "lod_max=4". Fails with C0042.
  static Result<Sampler> named(std::span<const std::string> words);
  /// These words: "clamp_to_edge linear normalized", and of mipmaps those that say more than a sampler does without them.
  std::string words() const;
};

/// Whether the parameter takes the image: of that kind, depths or none, one sample or several, all of which are part of
/// its type.
TRANSPIRE_API bool takes(const ImageParameterInfo& parameter, const Image& image);

}  // namespace transpire
