#include "tests/hostile/module_text.h"

namespace transpire::hostile {

ModuleText::ModuleText(bool wide) : wide_(wide) {
  // Built-ins first: entry points name them all.
  for (const char* name : {"GlobalInvocationId", "LocalInvocationId", "WorkgroupId"}) {
    const std::string vector = global("OpTypeVector " + size_type() + " 3");
    const std::string id = std::string("%") + name;
    globals_ += id + " = OpVariable " + global("OpTypePointer Input " + vector) + " Input\n";
    decorations_ += "OpDecorate " + id + " BuiltIn " + name + "\n";
    inputs_ += " " + id;
  }
}

std::string ModuleText::fresh(const std::string& prefix) {
  return "%" + prefix + std::to_string(++next_);
}

std::string ModuleText::global(const std::string& words) {
  const auto found = known_.find(words);
  if (found != known_.end()) return found->second;
  const std::string id = fresh("g");
  globals_ += id + " = " + words + "\n";
  return known_[words] = id;
}

std::string ModuleText::named_global(const std::string& name, const std::string& words) {
  const std::string id = fresh(name + "_");
  globals_ += id + " = " + words + "\n";
  names_ += "OpName " + id + " \"" + name + "\"\n";
  return id;
}

std::string ModuleText::integer(unsigned bits) {
  return global("OpTypeInt " + std::to_string(bits) + " 0");
}

std::string ModuleText::type(const Element& element) {
  const std::string scalar = integer(element.bits);
  if (element.components == 1) return scalar;
  return global("OpTypeVector " + scalar + " " + std::to_string(element.components));
}

std::string ModuleText::pointer(Space space, const std::string& to) {
  return global("OpTypePointer " + spell(space) + " " + to);
}

std::string ModuleText::array(const std::string& of, std::uint64_t count) {
  return global("OpTypeArray " + of + " " + size(count));
}

std::string ModuleText::number(const std::string& type, std::uint64_t value) {
  return global("OpConstant " + type + " " + std::to_string(value));
}

std::string ModuleText::builtin(const std::string& name, unsigned component) {
  const std::string vector = global("OpTypeVector " + size_type() + " 3");
  const std::string all = load(vector, "%" + name, wide_ ? 32 : 16);
  return op("OpCompositeExtract " + size_type() + " " + all + " " + std::to_string(component));
}

void ModuleText::begin(const std::string& head, const Parameters& parameters) {
  head_ = head;
  for (const auto& [name, type] : parameters) {
    const std::string id = fresh(name + "_");
    head_ += id + " = OpFunctionParameter " + type + "\n";
    names_ += "OpName " + id + " \"" + name + "\"\n";
    known_["parameter " + name] = id;
  }
  variables_.clear();
  body_.clear();
  block_ = fresh("entry");
  head_ += block_ + " = OpLabel\n";
}

void ModuleText::begin_kernel(const std::string& name, const Parameters& parameters) {
  std::string type = "OpTypeFunction " + global("OpTypeVoid");
  for (const auto& parameter : parameters) type += " " + parameter.second;
  const std::string id = fresh(name + "_");
  entry_points_ += "OpEntryPoint Kernel " + id + " \"" + name + "\"" + inputs_ + "\n";
  begin(id + " = OpFunction " + global("OpTypeVoid") + " None " + global(type) + "\n", parameters);
}

std::string ModuleText::begin_function(const std::string& result, const Parameters& parameters) {
  std::string type = "OpTypeFunction " + result;
  for (const auto& parameter : parameters) type += " " + parameter.second;
  const std::string id = fresh("function");
  begin(id + " = OpFunction " + result + " None " + global(type) + "\n", parameters);
  return id;
}

void ModuleText::end_function(const std::string& terminator) {
  functions_ += head_ + variables_ + body_ + terminator + "\nOpFunctionEnd\n";
}

std::string ModuleText::op(const std::string& words) {
  const std::string id = fresh();
  body_ += id + " = " + words + "\n";
  return id;
}

void ModuleText::act(const std::string& words) { body_ += words + "\n"; }

void ModuleText::label(const std::string& id) {
  body_ += id + " = OpLabel\n";
  block_ = id;
}

std::string ModuleText::variable(const std::string& type, const std::string& name) {
  const std::string id = fresh(name.empty() ? "slot" : name + "_");
  variables_ += id + " = OpVariable " + pointer(Space::kFunction, type) + " Function\n";
  if (!name.empty()) names_ += "OpName " + id + " \"" + name + "\"\n";
  return id;
}

void ModuleText::line(unsigned number) {
  act(number == 0 ? std::string("OpNoLine") : "OpLine %file " + std::to_string(number) + " 0");
}

std::string ModuleText::load(const std::string& type, const std::string& from,
                             std::uint64_t align) {
  return op("OpLoad " + type + " " + from + " Aligned " + std::to_string(align));
}

void ModuleText::store(const std::string& to, const std::string& value, std::uint64_t align) {
  act("OpStore " + to + " " + value + " Aligned " + std::to_string(align));
}

std::string ModuleText::element_at(const std::string& pointer_type, const std::string& base,
                                   const std::string& index) {
  return op("OpPtrAccessChain " + pointer_type + " " + base + " " + index);
}

std::string ModuleText::text() const {
  std::string text;
  for (const char* capability : {"Addresses", "Kernel", "Int64", "Int16", "Int8", "GenericPointer",
                                 "Int64Atomics", "Groups"})
    text += std::string("OpCapability ") + capability + "\n";
  text += std::string("OpMemoryModel ") + (wide_ ? "Physical64" : "Physical32") + " OpenCL\n";
  return text + entry_points_ + "%file = OpString \"hostile\"\n" + names_ + decorations_ +
         globals_ + functions_;
}

}  // namespace transpire::hostile
