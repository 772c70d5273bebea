// Random inputs of launch_fuzz without libFuzzer: bytes, and texts that are edited launch files.
//   random_launches SEED COUNT
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/any_launch.h"

namespace {

/// A text, its form and its module by their numbers (any_launch.cpp).
struct Text {
  std::uint8_t form, module;
  std::string_view text;
};
enum Form : std::uint8_t { kLaunch, kJson, kSim, kAmber, kTalvos };
enum Module : std::uint8_t { kShader, kImages, kKernel };

constexpr Text kTexts[] = {
    {kLaunch, kKernel,
     "kernel many\nglobal 64\nlocal 8\narg out = uint:zero:64\narg near = local:256\narg by = "
     "zero\n"
     "arg n = 5\nlaunch\nprint out[0..7]\nexpect out[0] = 1\n"},
    {kLaunch, kKernel,
     "buffer b = uint:range:0:1:16\nbuffer s = buffer b offset 4 size 16 readonly\nkernel "
     "many\nglobal 8,2\n"
     "offset 1,0\narg out = buffer b offset 8\narg near = local:1KiB\narg by = fill:1\narg n = "
     "0x10\n"
     "max-steps 100\nrepeat 2\nlaunch\nprint b hex\n"},
    {kJson, kKernel,
     "{\"modules\": [\"m.spv\"], \"steps\": [{\"launch\": {\"kernel\": \"many\", \"global\": 64, "
     "\"local\": 8, \"arguments\": "
     "{\"out\": \"uint:zero:64\", \"near\": \"local:64\", \"by\": \"zero\", \"n\": 3}}}, "
     "{\"print\": \"out[0..3]\"}]}"},
    {kSim, kKernel,
     "many.spv\nmany\n64 1 1\n8 1 1\n<size=256 uint fill=0 dump>\n<size=64>\n<size=40 uint "
     "fill=1>\n"
     "<size=8 ulong>\n5\n"},
    {kAmber, kKernel,
     "#!amber\nSHADER compute s SPIRV-HEX\n03 02 23 07\nEND\nSTRUCT t STRIDE 64\n  vec3<float>[2] "
     "f\n  mat2x2<float> m OFFSET 32\nEND\n"
     "BUFFER b DATA_TYPE uint32 SIZE 64 SERIES_FROM 1 INC_BY 2\nBUFFER h DATA_TYPE t STD140 DATA 1 "
     "2 3 4 5 6 7 8 9 10 END\n"
     "IMAGE i FORMAT R8G8_UNORM DIM_3D WIDTH 2 HEIGHT 3 DEPTH 4 SERIES_FROM 1 INC_BY 1\nSAMPLER f "
     "MAG_FILTER nearest MAX_LOD 2.5\n"
     "PIPELINE compute p\n  ATTACH s ENTRY_POINT many SPECIALIZE 3 AS uint32 5\n  BIND BUFFER b AS "
     "storage DESCRIPTOR_SET 0 BINDING 1 "
     "DESCRIPTOR_OFFSET 4 \\\n DESCRIPTOR_RANGE 16\n  BIND BUFFER b AS push_constant\n  BIND "
     "BUFFER_ARRAY b b AS "
     "uniform_dynamic DESCRIPTOR_SET 1 BINDING 2 OFFSET 0 4 DESCRIPTOR_RANGE 8 -1\n  BIND BUFFER i "
     "AS combined_image_sampler SAMPLER f "
     "DESCRIPTOR_SET 0 BINDING 3\n  BIND BUFFER b AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING "
     "4\nEND\nREPEAT "
     "3\n  RUN p 8 1 1\nEND\n"
     "EXPECT b IDX 4 TOLERANCE 1% EQ 3\nEXPECT h IDX 0 LT 1 2 3\nEXPECT b EQ_BUFFER b\n"},
    {kTalvos, kKernel,
     "MODULE many.spv\nENTRY many\nBUFFER b 64 SERIES UINT32 1 2\nBUFFER d 8 DATA FLOAT 1 "
     "2\nSPECIALIZE 3 UINT32 7\n"
     "DESCRIPTOR_SET 0 1 0 b\nLOOP 2\n  DISPATCH 8 1 1\nENDLOOP\nDUMP FLOATv4 b\n# CHECK: b[1] = "
     "(1, 2, 3, 4)\n"},
    {kLaunch, kShader,
     "groups 3\nbind values[0].1 = 1 2 3 4\nbind values[0].0 = 5\nbind values[1].1 = 1 2 3\nbind "
     "0.1[2].0 = "
     "7\nbind lines = "
     "{((1,2,3,4), (5,6,7,8), (9,1,2,3), (4,5,6,7))}\npush n = 1\npush 16 = "
     "uint:data:3,2,1,0\npush places.1 = 2\n"
     "expect values[1].1[0] = 1\nexpect values[0].0 = 5\nprint 0.1[2]\nprint "
     "values[1].1[0..2]\nprint lines.0[1]\n"},
    {kLaunch, kShader,
     "shared far at 0x200000000000 = uint:range:0:1:8\nglobal 16\nbind values[0] = "
     "uint:zero:16:raw\nbind values[1] = "
     "bytes:zero:20\nbind values[2] = null\nbind lines.0.2 = (1,2,3,4)\narg P = struct "
     "{at=0x200000000004, n=3, "
     "places=(0,1,2,7)}\nlaunch\npush places = {7, 6, 5, 4}\nlaunch\nprint far\n"},
    {kJson, kShader,
     "{\"modules\": [\"s.spv\"], \"steps\": [{\"launch\": {\"groups\": 2, \"bindings\": "
     "{\"values[0].1\": {\"data\": [1, 2, 3, "
     "4]}, \"values[1]\": \"bytes:zero:36\", \"0.1[2].1\": \"zero:8\", \"1.0\": "
     "\"uint:fill:1:16:raw\"}, \"push\": {\"n\": 2, "
     "\"places.3\": 1, \"20\": \"uint:data:1\"}}}, {\"print\": \"values[0].1[0..3]\"}, {\"print\": "
     "\"lines.0\"}]}"},
    {kLaunch, kImages,
     "global 4\narg 0 = image 2d RGBA FLOAT 4x4\narg 1 = sampler clamp_to_edge nearest "
     "normalized\nlaunch\n"},
};

std::vector<std::uint8_t> random_bytes(std::mt19937_64& random) {
  std::vector<std::uint8_t> bytes(random() % 200 + 2);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  bytes[0] = static_cast<std::uint8_t>(bytes[0] & ~1u);  // no text
  return bytes;
}

std::vector<std::uint8_t> edited_text(std::mt19937_64& random) {
  const std::size_t number = random() % std::size(kTexts);
  std::string text(kTexts[number].text);
  constexpr std::string_view kNumbers[] = {"18446744073709551615",
                                           "4294967296",
                                           "9223372036854775808",
                                           "0",
                                           "-1",
                                           "1e400",
                                           "2147483648"};
  for (std::size_t edits = random() % 4 + 1; edits != 0; --edits) {
    const std::size_t digit = text.find_first_of("0123456789", random() % text.size());
    if (random() % 4 != 0 && digit != text.npos)
      text.replace(digit, 1, kNumbers[random() % std::size(kNumbers)]);
    else
      text[random() % text.size()] = static_cast<char>(random() % 128);
  }
  std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(kTexts[number].form * 4 + 3),
                                  kTexts[number].module};
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::mt19937_64 random(std::strtoull(argv[1], nullptr, 10));
  const unsigned long count = std::strtoul(argv[2], nullptr, 10);
  for (unsigned long i = 0; i < count; ++i) {
    const std::vector<std::uint8_t> bytes = i % 3 == 2 ? edited_text(random) : random_bytes(random);
    transpire::fuzz::run_any(bytes.data(), bytes.size());
  }
  std::printf("%lu launches ended\n", count);
  return 0;
}
