#include <fmt/format.h>

#include <set>

#include "tests/fuzz/oracle/image_case.h"

namespace transpire::oracle {
namespace {

using memory::ImageDim;
using What = ImageStep::What;

constexpr const char* kHead = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Int64
               OpCapability ImageBasic
               OpCapability Sampled1D
               OpCapability Image1D
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %compute "compute" %gid
               OpDecorate %gid BuiltIn GlobalInvocationId
       %void = OpTypeVoid
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
      %ulong = OpTypeInt 64 0
      %float = OpTypeFloat 32
     %uint2 = OpTypeVector %uint 2
     %uint3 = OpTypeVector %uint 3
     %uint4 = OpTypeVector %uint 4
    %float2 = OpTypeVector %float 2
    %float4 = OpTypeVector %float 4
    %ulong3 = OpTypeVector %ulong 3
    %sampler = OpTypeSampler
   %in_ids = OpTypePointer Input %ulong3
    %p_uint = OpTypePointer CrossWorkgroup %uint4
   %p_float = OpTypePointer CrossWorkgroup %float4
      %zero = OpConstant %float 0
    %i_zero = OpConstant %uint 0
        %gid = OpVariable %in_ids Input
)";

std::string name_of(ImageDim dim) {
  constexpr const char* kNames[] = {"d1", "d1a", "d1b", "d2", "d2a", "d3"};
  return kNames[static_cast<std::size_t>(dim)];
}

std::string type_of(ImageDim dim, const char* access) {
  const std::uint32_t axes = memory::sampled_axes(dim);
  return fmt::format("OpTypeImage %void {}D 0 {} 0 0 Unknown {}", axes,
                     memory::is_array(dim) ? 1 : 0, access);
}

/// One kernel's text: what it declares, its parameters and its body.
class Text {
 public:
  explicit Text(const ImageCase& made) : made_(made) {}

  std::string all() {
    declare();
    parameters();
    begin();
    for (std::size_t i = 0; i < made_.steps.size(); ++i) step(i);
    write();
    end();
    return fmt::format("{}{}{} = OpTypeFunction %void{}\n{}{}{}", kHead, declarations_, "%fn",
                       types_, "%compute = OpFunction %void None %fn\n", parameters_, body_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    body_ += fmt::format(text, std::forward<Arguments>(arguments)...) + "\n";
  }

  void declare() {
    std::set<ImageDim> dims;
    for (const ReadImage& image : made_.images) dims.insert(image.dim);
    for (const ImageDim dim : dims)
      declarations_ += fmt::format("%{0} = {1}\n%s_{0} = OpTypeSampledImage %{0}\n", name_of(dim),
                                   type_of(dim, "ReadOnly"));
    declarations_ += fmt::format(
        "%written_type = {}\n%width = OpConstant %uint {}\n%mask = OpConstant %uint {}\n",
        type_of(ImageDim::k2D, "WriteOnly"), WrittenImage::kWidth, made_.item_mask);
  }

  void parameter(const std::string& name, const std::string& type) {
    types_ += " %" + type;
    parameters_ += fmt::format("%{} = OpFunctionParameter %{}\n", name, type);
  }

  /// "float" or "uint": what the components are.
  static std::string coordinates_of(const ImageStep& step) {
    return step.what == What::kSampleFloat ? "float" : "uint";
  }
  std::string components_of(const ImageStep& step) const {
    const bool is_float =
        step.what != What::kSize && letter_of(made_.images[step.image].format) == 'f';
    return is_float ? "float" : "uint";
  }
  std::string colors_of_written() const {
    return letter_of(made_.written.format) == 'f' ? "float" : "uint";
  }

  void parameters() {
    for (std::size_t i = 0; i < made_.images.size(); ++i)
      parameter(fmt::format("image{}", i), name_of(made_.images[i].dim));
    for (std::size_t i = 0; i < made_.samplers.size(); ++i)
      parameter(fmt::format("sampler{}", i), "sampler");
    for (std::size_t i = 0; i < made_.steps.size(); ++i)
      parameter(fmt::format("at{}", i), "p_" + coordinates_of(made_.steps[i]));
    parameter("written", "written_type");
    parameter("colors", "p_" + colors_of_written());
    for (std::size_t i = 0; i < made_.steps.size(); ++i)
      parameter(fmt::format("out{}", i), "p_" + components_of(made_.steps[i]));
  }

  void begin() {
    line("%entry = OpLabel");
    line("%ids = OpLoad %ulong3 %gid");
    line("%i = OpCompositeExtract %ulong %ids 0");
    line("%i32 = OpUConvert %uint %i");
    if (made_.item_mask == 0) return;
    line("%some = OpBitwiseAnd %uint %i32 %mask");
    line("%runs = OpINotEqual %bool %some %i_zero");
    line("OpSelectionMerge %done None");
    line("OpBranchConditional %runs %work %done");
    line("%work = OpLabel");
  }

  void end() {
    if (made_.item_mask != 0) line("OpBranch %done\n%done = OpLabel");
    line("OpReturn\nOpFunctionEnd");
  }

  /// The coordinates that the image has, of the four that are loaded.
  std::string coordinates(std::size_t i) {
    const ImageStep& step = made_.steps[i];
    const std::string kind = coordinates_of(step);
    line("%p_at{0} = OpInBoundsPtrAccessChain %p_{1} %at{0} %i", i, kind);
    line("%all{0} = OpLoad %{1}4 %p_at{0} Aligned 16", i, kind);
    switch (memory::coordinates(made_.images[step.image].dim)) {
      case 1:
        line("%c{0} = OpCompositeExtract %{1} %all{0} 0", i, kind);
        return fmt::format("%c{}", i);
      case 2:
        line("%c{0} = OpVectorShuffle %{1}2 %all{0} %all{0} 0 1", i, kind);
        return fmt::format("%c{}", i);
      default:
        return fmt::format("%all{}", i);
    }
  }

  void step(std::size_t i) {
    const ImageStep& step = made_.steps[i];
    const std::string dim = name_of(made_.images[step.image].dim), kind = components_of(step);
    if (step.what == What::kSize) {
      size(i);
    } else if (step.what == What::kRead) {
      const std::string at = coordinates(i);
      line("%v{} = OpImageRead %{}4 %image{} {}", i, kind, step.image, at);
    } else {
      const std::string at = coordinates(i);
      line("%si{} = OpSampledImage %s_{} %image{} %sampler{}", i, dim, step.image, step.sampler);
      line("%v{0} = OpImageSampleExplicitLod %{1}4 %si{0} {2} Lod %zero", i, kind, at);
    }
    line("%p_out{0} = OpInBoundsPtrAccessChain %p_{1} %out{0} %i", i, kind);
    line("OpStore %p_out{0} %v{0} Aligned 16", i);
  }

  void size(std::size_t i) {
    const ImageStep& step = made_.steps[i];
    const std::uint32_t count = memory::coordinates(made_.images[step.image].dim);
    const std::string type = count == 1 ? "uint" : fmt::format("uint{}", count);
    line("%q{} = OpImageQuerySizeLod %{} %image{} %i_zero", i, type, step.image);
    std::string parts;
    for (std::uint32_t k = 0; k < 4; ++k) {
      std::string part = k < count ? fmt::format("%q{}", i) : std::string("%i_zero");
      if (k < count && count > 1) {
        part += fmt::format("_{}", k);
        line("{} = OpCompositeExtract %uint %q{} {}", part, i, k);
      }
      parts += " " + part;
    }
    line("%v{} = OpCompositeConstruct %uint4{}", i, parts);
  }

  void write() {
    line("%wx = OpUMod %uint %i32 %width");
    line("%wy = OpUDiv %uint %i32 %width");
    line("%w_at = OpCompositeConstruct %uint2 %wx %wy");
    line("%p_color = OpInBoundsPtrAccessChain %p_{} %colors %i", colors_of_written());
    line("%color = OpLoad %{}4 %p_color Aligned 16", colors_of_written());
    line("OpImageWrite %written %w_at %color");
  }

  const ImageCase& made_;
  std::string declarations_, types_, parameters_, body_;
};

}  // namespace

std::string text_of(const ImageCase& made) { return Text(made).all(); }

}  // namespace transpire::oracle
