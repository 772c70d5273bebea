// Recognises kinds of content: see the header.
#include "base/content.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/rule.h"
#include "base/spirv_words.h"

namespace transpire {
namespace {

using namespace std::string_view_literals;

struct Form {
  std::string_view start;  ///< its first bytes, or words that its text has
  std::string_view what;
  std::string_view help;
};

constexpr std::string_view kTranslate =
    "translate it: 'llvm-spirv FILE.bc -o FILE.spv', after 'llvm-as' where it is text";
constexpr std::string_view kOtherShader = "translate it to SPIR-V, as its producer does for Vulkan";

constexpr std::array kBinaryForms{
    Form{"BC\xc0\xde"sv, "LLVM bitcode", kTranslate},
    Form{"\xde\xc0\x17\x0b"sv, "LLVM bitcode", kTranslate},
    Form{"\x7f"
         "ELF"sv,
         "an ELF file", "a module that lies in it has to be taken out first"},
    Form{"MZ"sv, "a program for Windows", ""},
    Form{"DXBC"sv, "a shader for Direct3D", kOtherShader},
    Form{"PK\x03\x04"sv, "a zip archive", "unpack it first"},
    Form{"\x1f\x8b"sv, "compressed by gzip", "unpack it first: gunzip"},
    Form{"\x28\xb5\x2f\xfd"sv, "compressed by zstd", "unpack it first: unzstd"},
    Form{"\xfd"
         "7zXZ"sv,
         "compressed by xz", "unpack it first: unxz"},
    Form{"!<arch>\n"sv, "an archive of object files", ""},
    Form{"\x50\xed\x55\xba"sv, "a fat binary of CUDA", "only SPIR-V and OpenCL C run"},
    Form{"MTLB"sv, "a library of Metal", kOtherShader},
};

constexpr std::array kTextForms{
    Form{"; ModuleID", "LLVM's assembly text", kTranslate},
    Form{"source_filename =", "LLVM's assembly text", kTranslate},
    Form{"target triple =", "LLVM's assembly text", kTranslate},
    Form{"#version ", "GLSL", "a compute shader in GLSL is a file called NAME.comp"},
    Form{"gl_GlobalInvocationID", "GLSL", "a compute shader in GLSL is a file called NAME.comp"},
    Form{"#include <metal_stdlib>", "a source for Metal", kOtherShader},
    Form{"SV_DispatchThreadID", "HLSL", "a compute shader in HLSL is a file called NAME.hlsl"},
    Form{"@compute", "WGSL", kOtherShader},
    Form{".address_size ", "PTX", "only SPIR-V and OpenCL C run"},
    Form{"__global__ ", "CUDA", "only SPIR-V and OpenCL C run"},
};

/// Length of the beginning that is searched for words.
constexpr std::size_t kLooked = std::size_t{1} << 16;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kLooked)};
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// True if the first line that is neither empty nor a comment is an instruction. Names in such a
/// text may be anything.
bool has_instructions(std::string_view text) {
  while (!text.empty() && (is_space(text.front()) || text.front() == ';')) {
    const std::size_t end = text.front() == ';' ? text.find('\n') : 0;
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return text.starts_with("Op") ||
         (text.starts_with('%') && text.substr(0, text.find('\n')).find("= Op") != text.npos);
}

/// True if the first line that is not empty is one of assembler text; comments count as such.
bool begins_as_assembly(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text.starts_with(';') || text.starts_with('%') || text.starts_with("Op");
}

Diagnostic no_spirv(const std::string& name, std::string_view what, std::string_view help) {
  Diagnostic error =
      make_diagnostic(Rule::kD0002, fmt::format("this is no SPIR-V module: it is {}", what));
  error.input = name;
  error.help = help;
  return error;
}

}  // namespace

bool is_cpp_source_name(std::string_view path) { return path.ends_with(".clcpp"); }

bool is_source_name(std::string_view path) {
  return path.ends_with(".cl") || path.ends_with(".CL") || path.ends_with(".ocl") ||
         is_cpp_source_name(path) || is_shader_name(path);
}

bool is_shader_name(std::string_view path) { return path.ends_with(".comp") || is_hlsl_name(path); }

bool is_hlsl_name(std::string_view path) { return path.ends_with(".hlsl"); }

bool is_opencl_c(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  if (!is_assembler_text(bytes) || begins_as_assembly(text)) return false;
  constexpr std::string_view kWord = "kernel";
  for (std::size_t at = text.find(kWord); at != text.npos; at = text.find(kWord, at + 1)) {
    std::size_t start = at;
    if (text.substr(0, at).ends_with("__")) start -= 2;
    if (start > 0 && is_name(text[start - 1])) continue;
    std::string_view rest = text.substr(at + kWord.size());
    if (rest.empty() || !is_space(rest.front())) continue;
    while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
    if (rest.starts_with("void") || rest.starts_with("__attribute__")) return true;
  }
  return false;
}

bool is_glsl(std::span<const std::byte> bytes) {
  if (!is_assembler_text(bytes)) return false;
  constexpr std::string_view kWord = "#version ";
  const std::string_view text = text_of(bytes);
  const std::size_t at = text.find(kWord);
  const bool begins_line = at == 0 || (at != text.npos && text[at - 1] == '\n');
  return begins_line && text.find_first_of("123456789", at) == at + kWord.size();
}

bool is_source_text(std::span<const std::byte> bytes) {
  return is_opencl_c(bytes) || is_glsl(bytes);
}

std::optional<Diagnostic> foreign_content(std::span<const std::byte> bytes,
                                          const std::string& name) {
  if (bytes.empty()) return no_spirv(name, "empty", "");
  if (is_spirv(bytes)) return std::nullopt;
  const std::string_view text = text_of(bytes);
  for (const Form& form : kBinaryForms)
    if (text.starts_with(form.start)) return no_spirv(name, form.what, form.help);
  if (!is_assembler_text(bytes)) return std::nullopt;
  if (has_instructions(text)) return std::nullopt;
  for (const Form& form : kTextForms)
    if (text.find(form.start) != text.npos) return no_spirv(name, form.what, form.help);
  if (is_opencl_c(bytes))
    return no_spirv(name, "OpenCL C", "sources are files called NAME.cl, or standard input, '-'");
  return std::nullopt;
}

}  // namespace transpire
