#include "tests/vm/build/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <regex>
#include <span>
#include <sstream>
#include <vector>

#include "decoder/module.h"
#include "vm/exec/engine.h"

namespace transpire::test {
namespace {

const char* const kTypes = R"(
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%v2int = OpTypeVector %int 2
%v3int = OpTypeVector %int 3
%v4int = OpTypeVector %int 4
%v4char = OpTypeVector %char 4
%v2long = OpTypeVector %long 2
%v3long = OpTypeVector %long 3
%v2float = OpTypeVector %float 2
%v3float = OpTypeVector %float 3
%v4float = OpTypeVector %float 4
%v4half = OpTypeVector %half 4
%v4bool = OpTypeVector %bool 4
%true = OpConstantTrue %bool
%float_0 = OpConstant %float 0
%float_1 = OpConstant %float 1
)";

std::string pointers_and_numbers() {
  static const std::pair<const char*, const char*> kSpaces[] = {{"g", "CrossWorkgroup"},
                                                                {"w", "Workgroup"},
                                                                {"c", "UniformConstant"},
                                                                {"f", "Function"},
                                                                {"x", "Generic"}};
  std::ostringstream text;
  for (const auto& [letter, storage] : kSpaces)
    for (const char* type : {"char", "short", "int", "long", "half", "float", "v3float", "v4float"})
      text << '%' << letter << '_' << type << " = OpTypePointer " << storage << " %" << type
           << '\n';
  for (int i = 0; i <= 8; ++i)
    for (const char* type : {"int", "long"})
      text << '%' << type << '_' << i << " = OpConstant %" << type << ' ' << i << '\n';
  return text.str();
}

/// "%g_int %out, %int %n" as pairs.
std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& parameters) {
  std::vector<std::pair<std::string, std::string>> result;
  std::istringstream in(parameters);
  for (std::string type, name; in >> type >> name;) {
    if (name.back() == ',') name.pop_back();
    result.emplace_back(type, name);
  }
  return result;
}

/// Instructions and comments, without lines that have neither.
std::vector<std::pair<std::string, std::string>> lines_of(const std::string& body) {
  static const std::regex line(" *([^;\n]*[^;\n ]|) *(?:; *([^\n]*))?(?:\n|$)");
  std::vector<std::pair<std::string, std::string>> lines;
  for (std::sregex_iterator it(body.begin(), body.end(), line), end; it != end; ++it)
    if ((*it)[1].length() + (*it)[2].length() != 0) lines.emplace_back((*it)[1], (*it)[2]);
  return lines;
}

/// True if the body's last instruction ends a block.
bool ends(const std::string& body) {
  static const std::regex ending(
      "Op(Return|ReturnValue|Branch|BranchConditional|Switch|Unreachable)\\b.*");
  std::string last;
  for (const auto& [instruction, comment] : lines_of(body))
    if (!instruction.empty()) last = instruction;
  return std::regex_match(last, ending);
}

/// The parts of a kernel's text.
struct Parts {
  explicit Parts(const std::string& text) {
    std::string* part = &declarations;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("kernel")) {
        parameters = line.substr(6);
        part = &body;
        continue;
      }
      if (part == &body && line.find("= OpFunction ") != line.npos) part = &functions;
      *(part == &declarations ? &part_of(line) : part) += line + '\n';
    }
  }

  std::string capabilities, memory_model = "OpMemoryModel Physical64 OpenCL\n", annotations,
                            declarations, parameters, body, functions;

 private:
  /// The part of the module to which a line above the kernel belongs.
  std::string& part_of(const std::string& line) {
    const auto has = [&](const char* word) { return line.find(word) != line.npos; };
    if (has("OpMemoryModel")) {
      memory_model.clear();
      return memory_model;
    }
    if (has("OpCapability") || has("OpExtension") || has("OpExtInstImport")) return capabilities;
    const bool is_annotation = has("OpString") || has("OpName ") || has("OpDecorate") ||
                               has("OpMemberDecorate") || has("OpExecutionMode");
    return is_annotation ? annotations : declarations;
  }
};

const decoder::Module& module_of(std::string_view kernel) {
  const std::string text = module_text(kernel);
  static std::vector<std::unique_ptr<decoder::Module>> modules;
  const auto words = decoder::assemble(text, "test.spvasm");
  REQUIRE_MESSAGE(words.ok(), format(words.errors()[0]));
  auto module = decoder::decode(std::as_bytes(std::span(*words)), {.input_name = "test.spvasm"});
  REQUIRE_MESSAGE(module.ok(), format(module.errors()[0]));
  modules.push_back(std::make_unique<decoder::Module>(std::move(*module)));
  REQUIRE(!modules.back()->entry_points.empty());
  return *modules.back();
}

}  // namespace

std::string module_text(std::string_view kernel) {
  if (kernel.find("OpEntryPoint") != kernel.npos) return std::string(kernel);
  const Parts parts{std::string(kernel)};
  std::ostringstream text;
  for (const char* capability : {"Addresses", "Kernel", "Linkage", "GenericPointer", "Int8",
                                 "Int16", "Int64", "Float16", "Float64", "Vector16"})
    text << "OpCapability " << capability << '\n';
  text << parts.capabilities << "%ocl = OpExtInstImport \"OpenCL.std\"\n"
       << parts.memory_model << "OpEntryPoint Kernel %main \"main\"\n"
       << parts.annotations << kTypes << pointers_and_numbers() << parts.declarations
       << "%main_type = OpTypeFunction %void";
  const auto parameters = pairs_of(parts.parameters);
  for (const auto& [type, name] : parameters) text << ' ' << type;
  text << "\n%main = OpFunction %void None %main_type\n";
  for (const auto& [type, name] : parameters)
    text << name << " = OpFunctionParameter " << type << '\n';
  text << "%entry = OpLabel\n"
       << parts.body << (ends(parts.body) ? "" : "OpReturn ; Return\n") << "OpFunctionEnd\n"
       << parts.functions;
  return text.str();
}

lir::Function built(std::string_view kernel, const LowerOptions& options) {
  const decoder::Module& module = module_of(kernel);
  auto function = build(module, module.entry_points.front(), options);
  REQUIRE_MESSAGE(function.ok(), format(function.errors()[0]));
  CHECK(lir::verify(*function) == "");
  function->scalar_handlers = &exec::handlers(exec::built_isas()[0]);
  return std::move(function).value();
}

std::string shown(const lir::Function& function) {
  const std::string text = lir::print(function);
  std::map<std::string, std::string> names;
  std::string result;
  std::size_t next = 0;
  const std::size_t first_block = text.find("\nb0:") + 1;
  std::string body = text.substr(first_block);
  const std::regex number("%[0-9]+"), definition("\n  (%[0-9]+) [a-z0-9]+ =");
  for (std::sregex_iterator it(body.begin(), body.end(), definition), end; it != end; ++it)
    names.emplace((*it)[1].str(), '%' + std::to_string(next++));
  for (lir::ValueId id = 0; id < function.values.size(); ++id)
    if (function.values[id].op == Op::kArgument)
      names['%' + std::to_string(id)] = 'a' + std::to_string(function.values[id].imm);
  std::size_t at = 0;
  for (std::sregex_iterator it(body.begin(), body.end(), number), end; it != end; ++it) {
    result += body.substr(at, static_cast<std::size_t>(it->position()) - at) + names[it->str()];
    at = static_cast<std::size_t>(it->position() + it->length());
  }
  return '\n' + result + body.substr(at);
}

lir::Function check_lir(std::string_view kernel, const LowerOptions& options) {
  std::string expected = "\nb0:\n";
  for (const auto& [instruction, comment] : lines_of(module_text(kernel))) {
    const bool is_block = comment.starts_with('b') && comment.find(": from") != comment.npos;
    if (!comment.empty()) expected += (is_block ? "" : "  ") + comment + '\n';
  }
  lir::Function function = built(kernel, options);
  CHECK(shown(function) == expected);
  return function;
}

void check_case(const KernelCase& c) {
  CAPTURE(c.name);
  check_lir(c.kernel);
}

Diagnostic diagnostic_of_refusal(std::string_view kernel, const LowerOptions& options) {
  const decoder::Module& module = module_of(kernel);
  const auto function = build(module, module.entry_points.front(), options);
  REQUIRE(!function.ok());
  return function.errors()[0];
}

std::string refusal(std::string_view kernel, const LowerOptions& options) {
  const Diagnostic found = diagnostic_of_refusal(kernel, options);
  return found.rule + ": " + found.message;
}

}  // namespace transpire::test
