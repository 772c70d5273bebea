#include "tests/vm/build/support.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <regex>
#include <span>
#include <sstream>
#include <vector>

#include "decoder/module.h"
#include "vm/exec/engine.h"

namespace transpire::test {

using namespace vm;
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

const decoder::Module& module_of(std::string_view text) {
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

std::string text_of(const KernelText& kernel) {
  std::ostringstream text;
  for (const char* capability : {"Addresses", "Kernel", "Linkage", "GenericPointer", "Int8",
                                 "Int16", "Int64", "Float16", "Float64", "Vector16"})
    text << "OpCapability " << capability << '\n';
  text << kernel.capabilities << "%ocl = OpExtInstImport \"OpenCL.std\"\n"
       << "OpMemoryModel " << kernel.addressing << " OpenCL\n"
       << "OpEntryPoint Kernel %main \"main\"\n"
       << kernel.annotations << '\n'
       << kTypes << pointers_and_numbers() << kernel.declarations
       << "\n%main_type = OpTypeFunction %void";
  const auto parameters = pairs_of(kernel.parameters);
  for (const auto& [type, name] : parameters) text << ' ' << type;
  text << "\n%main = OpFunction %void None %main_type\n";
  for (const auto& [type, name] : parameters)
    text << name << " = OpFunctionParameter " << type << '\n';
  text << "%entry = OpLabel\n" << kernel.body << "\nOpFunctionEnd\n" << kernel.functions;
  return text.str();
}

lir::Function built(std::string_view text, const LowerOptions& options) {
  const decoder::Module& module = module_of(text);
  auto function = build(module, module.entry_points.front(), options);
  REQUIRE_MESSAGE(function.ok(), format(function.errors()[0]));
  CHECK(lir::verify(*function) == "");
  function->scalar_handlers = &exec::handlers(exec::built_isas()[0]);
  return std::move(function).value();
}

lir::Function built(const KernelText& kernel, const LowerOptions& options) {
  return built(text_of(kernel), options);
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

std::string shown(const KernelText& kernel, const LowerOptions& options) {
  return shown(built(kernel, options));
}

std::string refusal(std::string_view text, const LowerOptions& options) {
  const decoder::Module& module = module_of(text);
  const auto function = build(module, module.entry_points.front(), options);
  REQUIRE(!function.ok());
  return function.errors()[0].rule + ": " + function.errors()[0].message;
}

std::string refusal(const KernelText& kernel, const LowerOptions& options) {
  return refusal(text_of(kernel), options);
}

}  // namespace transpire::test
