// Assembly's short form: what names of the kind that spirv-dis gives (%v4float, %uint_3) stand for, and
// instructions of its own: `kernel`, `function`, `load`, `store`; for shaders `shader`, `buffer`, `resource`, `block` and `at`.
#include <array>
#include <regex>
#include <set>
#include <utility>

#include "tests/shorthand/lines.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::shorthand {
namespace {

// ---- Text of an instruction --------------------------------------------------------------------------

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls `visit` with each name ("uint" of "%uint") outside of strings and comments, and with where it begins.
template <typename Visit>
void for_each_name(std::string_view line, Visit visit) {
  bool is_quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"') is_quoted = !is_quoted;
    if (!is_quoted && line[at] == ';') return;
    if (is_quoted || line[at] != '%') continue;
    std::size_t end = at + 1;
    while (end < line.size() && is_in_name(line[end])) ++end;
    visit(line.substr(at + 1, end - at - 1), at + 1);
  }
}

/// Where the comment of a line begins, or its size.
std::size_t comment_of(std::string_view line) {
  bool is_quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"') is_quoted = !is_quoted;
    if (line[at] == ';' && !is_quoted) return at;
  }
  return line.size();
}

struct Instruction {
  std::string_view result;  ///< without "%"; empty: it has none
  std::string_view word;    ///< "OpLoad", "kernel"
  std::string_view operands;
};

Instruction parsed(std::string_view line) {
  Instruction instruction;
  line = trimmed(line.substr(0, comment_of(line)));
  const std::size_t equals = line.find(" = ");
  if (line.starts_with('%') && equals != line.npos) {
    instruction.result = trimmed(line.substr(1, equals - 1));
    line = trimmed(line.substr(equals + 3));
  }
  const std::size_t end = std::min(line.find(' '), line.size());
  instruction.word = line.substr(0, end);
  instruction.operands = trimmed(line.substr(end));
  return instruction;
}

// ---- Sections of a module ----------------------------------------------------------------------------

enum Section : std::uint8_t {
  kCapabilities,
  kExtensions,
  kImports,
  kMemoryModel,
  kEntryPoints,
  kModes,
  kSources,
  kNames,
  kProcessed,
  kDecorations,
  kTypes,
  kFunctions,
  kSections,
};

/// The section of an instruction that stands in one section alone; none for others.
std::optional<Section> section_of(std::string_view word) {
  static const std::map<std::string_view, Section> sections = {
      {"OpCapability", kCapabilities},
      {"OpExtension", kExtensions},
      {"OpExtInstImport", kImports},
      {"OpMemoryModel", kMemoryModel},
      {"OpEntryPoint", kEntryPoints},
      {"OpExecutionMode", kModes},
      {"OpExecutionModeId", kModes},
      {"OpString", kSources},
      {"OpSource", kSources},
      {"OpSourceContinued", kSources},
      {"OpSourceExtension", kSources},
      {"OpName", kNames},
      {"OpMemberName", kNames},
      {"OpModuleProcessed", kProcessed},
      {"OpDecorate", kDecorations},
      {"OpMemberDecorate", kDecorations},
      {"OpDecorateId", kDecorations},
      {"OpGroupDecorate", kDecorations},
      {"OpGroupMemberDecorate", kDecorations},
      {"OpDecorationGroup", kDecorations}};
  const auto found = sections.find(word);
  if (found == sections.end()) return std::nullopt;
  return found->second;
}

// ---- What names stand for ----------------------------------------------------------------------------

struct Scalar {
  std::string_view name, type, capability;
  unsigned bytes;
};

constexpr std::array kScalars = {Scalar{"uchar", "OpTypeInt 8 0", "Int8", 1},
                                 Scalar{"ushort", "OpTypeInt 16 0", "Int16", 2},
                                 Scalar{"uint", "OpTypeInt 32 0", "", 4},
                                 Scalar{"ulong", "OpTypeInt 64 0", "Int64", 8},
                                 Scalar{"half", "OpTypeFloat 16", "Float16", 2},
                                 Scalar{"float", "OpTypeFloat 32", "", 4},
                                 Scalar{"double", "OpTypeFloat 64", "Float64", 8},
                                 Scalar{"char", "OpTypeInt 8 1", "Int8", 1},
                                 Scalar{"short", "OpTypeInt 16 1", "Int16", 2},
                                 Scalar{"int", "OpTypeInt 32 1", "", 4},
                                 Scalar{"long", "OpTypeInt 64 1", "Int64", 8}};

const Scalar* scalar_of(std::string_view name) {
  for (const Scalar& scalar : kScalars)
    if (scalar.name == name) return &scalar;
  return nullptr;
}

/// The scalar type and the number of components of "v4float".
std::optional<std::pair<const Scalar*, unsigned>> vector_of(std::string_view name) {
  for (const unsigned count : {2u, 3u, 4u, 8u, 16u}) {
    const std::string prefix = fmt::format("v{}", count);
    if (!name.starts_with(prefix)) continue;
    if (const Scalar* scalar = scalar_of(name.substr(prefix.size())))
      return std::pair(scalar, count);
  }
  return std::nullopt;
}

/// Storage class and pointee of "_ptr_CrossWorkgroup_uint".
std::optional<std::pair<std::string_view, std::string_view>> pointer_of(std::string_view name) {
  constexpr std::string_view kPrefix = "_ptr_";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const std::size_t end = name.find('_');
  if (end == name.npos) return std::nullopt;
  return std::pair(name.substr(0, end), name.substr(end + 1));
}

bool begins_function(std::string_view word) {
  return word == "kernel" || word == "shader" || word == "function" || word == "OpFunction";
}

bool ends_block(std::string_view word) {
  static const std::set<std::string_view> words = {
      "OpBranch", "OpBranchConditional", "OpSwitch", "OpReturn", "OpReturnValue", "OpUnreachable"};
  return words.contains(word);
}

/// Type and literal of "uint_3", "uint_0x208", "float_n1_5".
std::optional<std::pair<const Scalar*, std::string>> constant_of(std::string_view name) {
  static const std::regex number("n?(0x[0-9a-fA-F]+|[0-9]+(_[0-9]+)?(en?[0-9]+)?)");
  const std::size_t end = name.find('_');
  if (end == name.npos) return std::nullopt;
  const Scalar* scalar = scalar_of(name.substr(0, end));
  const std::string text(name.substr(end + 1));
  if (scalar == nullptr || !std::regex_match(text, number)) return std::nullopt;
  std::string literal;
  for (const char c : text) literal += c == 'n' ? '-' : c == '_' ? '.' : c;
  return std::pair(scalar, literal);
}

/// Element and length of "_arr_uint_4".
std::optional<std::pair<std::string_view, std::string_view>> array_of(std::string_view name) {
  constexpr std::string_view kPrefix = "_arr_";
  const std::size_t end = name.rfind('_');
  if (!name.starts_with(kPrefix) || end < kPrefix.size()) return std::nullopt;
  const std::string_view length = name.substr(end + 1);
  if (length.find_first_not_of("0123456789") != length.npos) return std::nullopt;
  return std::pair(name.substr(kPrefix.size(), end - kPrefix.size()), length);
}

/// The type of a built-in variable, where pointers have 64 bits; empty for other names.
std::string_view built_in_type(std::string_view name) {
  static const std::set<std::string_view> vectors = {
      "GlobalInvocationId", "LocalInvocationId", "WorkgroupId",  "GlobalSize",
      "WorkgroupSize",      "NumWorkgroups",     "GlobalOffset", "EnqueuedWorkgroupSize"};
  static const std::set<std::string_view> longs = {"GlobalLinearId", "LocalInvocationIndex"};
  static const std::set<std::string_view> ints = {
      "WorkDim",    "SubgroupSize",         "SubgroupMaxSize",          "NumSubgroups",
      "SubgroupId", "NumEnqueuedSubgroups", "SubgroupLocalInvocationId"};
  if (vectors.contains(name)) return "v3ulong";
  if (longs.contains(name)) return "ulong";
  return ints.contains(name) ? "uint" : "";
}

/// The bytes that OpLoad and OpStore of a type are aligned to; 0 where its name does not say it.
unsigned alignment_of(std::string_view type, unsigned pointer_bytes) {
  if (pointer_of(type)) return pointer_bytes;
  if (const Scalar* scalar = scalar_of(type)) return scalar->bytes;
  if (const auto vector = vector_of(type))
    return vector->first->bytes * (vector->second == 3 ? 4 : vector->second);
  return 0;
}

// ---- A module ----------------------------------------------------------------------------------------

class Module {
 public:
  explicit Module(std::string_view text) : lines_(split_lines(text)) {}

  std::string written() {
    std::size_t first = 0;
    while (first < lines_.size() && is_remark(lines_[first])) ++first;
    for (std::size_t i = 0; i < lines_.size(); ++i) note_definition(lines_[i]);
    for (std::size_t i = first; i < lines_.size(); ++i) add_line(i);
    if (first == lines_.size()) return joined(first);
    end_kernel();
    declare_rest();
    add_header();
    return joined(first);
  }

 private:
  static bool is_remark(std::string_view line) {
    line = trimmed(line);
    return line.empty() || line[0] == ';';
  }

  [[noreturn]] void fail(std::size_t line, std::string_view reason) const {
    throw Mistake(fmt::format("line {} ('{}'): {}", line + 1, trimmed(lines_[line]), reason));
  }

  void note_definition(std::string_view line) {
    constexpr std::string_view kTarget = "; target: spv1.";
    if (line.starts_with(kTarget)) minor_version_ = line[kTarget.size()] - '0';
    if (is_remark(line)) return;
    const Instruction instruction = parsed(line);
    if (!instruction.result.empty()) defined_.emplace(instruction.result);
    if (instruction.word == "OpMemoryModel" && instruction.operands.starts_with("Physical32"))
      pointer_bytes_ = 4;
    if (instruction.word == "shader") is_shader_ = true;
    if (instruction.operands.starts_with("\"NonSemantic.ClspvReflection.")) is_by_clspv_ = true;
    const std::vector<std::string> operands = words_of(instruction.operands);
    const std::string result(instruction.result);
    if (instruction.word == "OpTypePointer" && operands.size() == 2)
      pointers_[result] = {operands[0], operands[1].substr(1)};
    const bool is_struct = instruction.word == "OpTypeStruct" || instruction.word == "block";
    for (const std::string& operand : operands)
      if ((is_struct || (instruction.word.starts_with("OpType") && members_[result].empty())) &&
          operand.starts_with('%'))
        members_[result].push_back(operand.substr(1));
  }

  void add(Section section, std::string text) { sections_[section].push_back(std::move(text)); }

  void add_line(std::size_t at) {
    const std::string_view line = lines_[at];
    if (is_remark(line)) {
      remarks_.emplace_back(line);
      return;
    }
    const Instruction instruction = parsed(line);
    if (begins_function(instruction.word)) {
      end_kernel();
      is_in_functions_ = true;
    }
    const Section section =
        section_of(instruction.word).value_or(is_in_functions_ ? kFunctions : kTypes);
    if (section == kTypes) declare_names(line);
    if (section == kFunctions && instruction.word != "OpVariable") add_ids();
    if (section == kFunctions) follow_blocks(instruction);
    for (std::string& remark : remarks_) add(section, std::move(remark));
    remarks_.clear();
    const bool may_nest = section == kFunctions && !begins_function(instruction.word);
    const std::string text = may_nest ? with_values(at, line) : std::string(line);
    add_parsed(at, section, text, parsed(text));
  }

  /// An instruction in parentheses comes before the line, where its result stands for it: `%y = OpIAdd %uint (OpIMul %uint %x %x) %x`.
  std::string with_values(std::size_t at, std::string_view line) {
    std::string text(line);
    for (;;) {
      const std::size_t close = std::string_view(text).substr(0, comment_of(text)).find(')');
      const std::size_t open =
          std::max({text.rfind("(Op", close) + 1, text.rfind("(load ", close) + 1,
                    text.rfind("(at ", close) + 1});  // 0: there is none
      if (close == text.npos || open == 0) return text;
      text.replace(open - 1, close + 2 - open, add_value(at, text.substr(open, close - open)));
    }
  }

  /// Adds an instruction, and returns a new name of its result.
  std::string add_value(std::size_t at, std::string_view instruction) {
    const std::string line = fmt::format("%{} = {}", new_name("value"), instruction);
    const Instruction value = parsed(line);
    const bool was_nested = std::exchange(is_nested_, true);
    add_parsed(at, section_of(value.word).value_or(kFunctions), line, value);
    is_nested_ = was_nested;
    return line.substr(0, line.find(' '));
  }

  void add_parsed(std::size_t at, Section section, std::string_view line,
                  const Instruction& instruction) {
    if (instruction.word == "kernel" || instruction.word == "function")
      add_kernel(at, instruction);
    else if (instruction.word == "shader")
      add_shader(at, instruction);
    else if (instruction.word == "buffer")
      add_buffers(words_of(instruction.operands));
    else if (instruction.word == "resource")
      add_resources(words_of(instruction.operands));
    else if (instruction.word == "set")
      set_ = instruction.operands, bindings_ = 0;
    else if (instruction.word == "block")
      add_block(instruction);
    else if (instruction.word == "at")
      add_chain(at, instruction.operands, instruction.result);
    else if (instruction.word == "load")
      add_load(at, instruction);
    else if (instruction.word == "store")
      add_store(at, instruction);
    else
      add_instruction(section, line, instruction);
  }

  void add_instruction(Section section, std::string_view line, const Instruction& instruction) {
    const std::vector<std::string> operands = words_of(instruction.operands);
    if (!instruction.result.empty() && !operands.empty() && operands[0].starts_with('%'))
      types_[std::string(instruction.result)] = operands[0].substr(1);
    const bool is_variable = instruction.word == "OpVariable" && section == kTypes;
    if (is_variable && operands.size() > 1 && (operands[1] == "Input" || has_all_in_interface()))
      interface_ += fmt::format(" %{}", instruction.result);
    if (section == kCapabilities && operands.size() > 1) {
      for (const std::string& capability : operands)
        add(section, fmt::format("OpCapability {}", capability));
      return;
    }
    if (section == kModes && operands.size() > 1 && operands[1] == "SubgroupSize")
      capabilities_.insert("SubgroupDispatch");
    if (instruction.word == "OpFunctionEnd" && is_shader_ && is_in_block_)
      add(kFunctions, "OpReturn");
    add(section, renamed(line));
    if (instruction.word == "OpFunctionEnd") leave_function();
  }

  // -- Ends of blocks and of kernels

  /// A block of a kernel that has no end of its own goes on at the label `instruction`.
  void follow_blocks(const Instruction& instruction) {
    const bool is_label = instruction.word == "OpLabel";
    if (is_label && is_in_kernel_ && is_in_block_)
      add(kFunctions, fmt::format("OpBranch %{}", instruction.result));
    if (is_label) is_in_block_ = true;
    if (ends_block(instruction.word)) is_in_block_ = false;
  }

  /// Returns from a kernel whose end is not written.
  void end_kernel() {
    if (!is_in_kernel_) return;
    add_ids();
    if (is_in_block_) add(kFunctions, "OpReturn");
    add(kFunctions, "OpFunctionEnd");
    leave_function();
  }

  void leave_function() {
    renamed_.clear();
    is_in_kernel_ = is_in_block_ = false;
  }

  // -- kernel, load, store

  /// `kernel NAME(TYPE name name, TYPE name)` and `function TYPE NAME(...)`, with control words behind the type; parameters may go on in
  /// the next lines.
  void add_kernel(std::size_t at, const Instruction& instruction) {
    const bool is_kernel = instruction.word == "kernel";
    std::string text(instruction.operands);
    for (std::size_t next = at + 1; !text.ends_with(')') && next < lines_.size(); ++next)
      (text += ' ') += trimmed(std::exchange(lines_[next], {}));
    const std::size_t open = text.find('('), close = text.rfind(')');
    const std::vector<std::string> head = words_of(text.substr(0, open));
    if (open == text.npos || close == text.npos || head.size() < (is_kernel ? 1 : 2))
      fail(at, fmt::format("expected {} NAME(TYPE PARAMETER..., ...)",
                           is_kernel ? "kernel" : "function TYPE"));
    const std::string& name = head.back();
    const std::string result = is_kernel ? "%void" : head[0];
    std::string type = "OpTypeFunction " + result, parameters;
    for (const auto& [parameter_type, parameter] :
         parameters_of(std::string_view(text).substr(open + 1, close - open - 1))) {
      type += " " + parameter_type;
      std::string id = parameter;
      if (!defined_.insert(parameter).second)  // a kernel before has one of that name
        id = renamed_[parameter] = fmt::format("{}_of_{}", parameter, name);
      parameters += fmt::format("%{} = OpFunctionParameter {}\n", id, parameter_type);
      if (is_kernel) add(kNames, fmt::format("OpName %{} \"{}\"", id, parameter));
      types_[parameter] = parameter_type.substr(1);
    }
    defined_.insert(name);
    if (is_kernel) kernels_.push_back(name);
    add(kFunctions, fmt::format("%{} = OpFunction {} {} %{}", name, result,
                                head.size() > 2 ? head[1] : "None", function_type(type)));
    if (!parameters.empty()) add(kFunctions, parameters.substr(0, parameters.size() - 1));
    add(kFunctions, fmt::format("%entry_of_{} = OpLabel", name));
    is_in_kernel_ = is_in_block_ = true;
    note_ids(at, name);
  }

  /// `shader NAME X Y Z`, or `shader NAME` where something else gives the size of its work-groups.
  void add_shader(std::size_t at, const Instruction& instruction) {
    const std::vector<std::string> words = words_of(instruction.operands);
    if (words.size() != 1 && words.size() != 4) fail(at, "expected shader NAME X Y Z");
    const std::string& name = words[0];
    defined_.insert(name);
    kernels_.push_back(name);
    if (words.size() == 4)
      add(kModes, fmt::format("OpExecutionMode %{} LocalSize {} {} {}", name, words[1], words[2],
                              words[3]));
    const std::string type = function_type("OpTypeFunction %void");
    add(kFunctions,
        fmt::format("%{0} = OpFunction %void None %{1}\n%entry_of_{0} = OpLabel", name, type));
    is_in_kernel_ = is_in_block_ = true;
    note_ids(at, name);
  }

  /// `buffer TYPE NAME...`: storage buffers, each a run-time array.
  void add_buffers(const std::vector<std::string>& words) {
    const std::string array = "_runtimearr_" + words[0], block = "buffer_of_" + words[0];
    if (defined_.insert(block).second) {
      use(words[0]);
      members_[block] = {array};
      members_[array] = {words[0]};
      add(kTypes, fmt::format("%{} = OpTypeRuntimeArray %{}", array, words[0]));
      add(kDecorations, fmt::format("OpDecorate %{} ArrayStride {}", array,
                                    alignment_of(words[0], pointer_bytes_)));
      add_block(parsed(fmt::format("%{} = block %{} 0", block, array)));
    }
    std::vector<std::string> resources{"StorageBuffer", block};
    resources.insert(resources.end(), words.begin() + 1, words.end());
    add_resources(resources);
    buffers_.insert(words.begin() + 1, words.end());
  }

  /// `resource STORAGE_CLASS TYPE NAME...`: variables with the next bindings of the set. What clspv writes has no names.
  void add_resources(const std::vector<std::string>& words) {
    const std::string type = "_ptr_" + words[0] + "_" + words[1];
    use(type);
    for (std::size_t i = 2; i < words.size(); ++i) {
      defined_.insert(words[i]);
      if (!is_by_clspv_) add(kNames, fmt::format("OpName %{0} \"{0}\"", words[i]));
      add(kDecorations,
          fmt::format("OpDecorate %{0} DescriptorSet {1}\nOpDecorate %{0} Binding {2}", words[i],
                      set_, bindings_++));
      const std::string line = fmt::format("%{} = OpVariable %{} {}", words[i], type, words[0]);
      add_instruction(kTypes, line, parsed(line));
    }
  }

  /// `%NAME = block %TYPE OFFSET %TYPE OFFSET...`: a struct that is a Block.
  void add_block(const Instruction& instruction) {
    const std::vector<std::string> words = words_of(instruction.operands);
    std::string types;
    add(kDecorations, fmt::format("OpDecorate %{} Block", instruction.result));
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
      types += " " + words[i];
      add(kDecorations, fmt::format("OpMemberDecorate %{} {} Offset {}", instruction.result, i / 2,
                                    words[i + 1]));
    }
    add(kTypes, fmt::format("%{} = OpTypeStruct{}", instruction.result, types));
  }

  static std::vector<std::pair<std::string, std::string>> parameters_of(std::string_view list) {
    std::vector<std::pair<std::string, std::string>> all;
    while (!list.empty()) {
      const std::size_t end = std::min(list.find(','), list.size());
      const std::vector<std::string> words = words_of(list.substr(0, end));
      for (std::size_t i = 1; i < words.size(); ++i) all.emplace_back(words[0], words[i]);
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    return all;
  }

  /// The name of a function type: each is declared once.
  std::string function_type(const std::string& type) {
    const auto [found, is_new] =
        function_types_.emplace(type, fmt::format("kernel_type_{}", function_types_.size()));
    if (is_new) {
      declare_names(type);
      add(kTypes, fmt::format("%{} = {}", found->second, type));
    }
    return found->second;
  }

  /// %gid, %gid32, %lid and %lid32, where the kernel that begins at line `at` uses them. They stand behind its variables.
  void note_ids(std::size_t at, const std::string& kernel) {
    for (const auto& [id, built_in] :
         {std::pair("gid", "GlobalInvocationId"), std::pair("lid", "LocalInvocationId"),
          std::pair("group", "WorkgroupId")}) {
      const std::string narrow = fmt::format("{}32", id);
      const bool has_narrow = !defined_.contains(narrow) && is_used(narrow, at);
      if (defined_.contains(id) || !(has_narrow || is_used(id, at))) continue;
      const std::string name = name_of_id(id, kernel);
      use(built_in);
      const std::string_view size = size_type();
      ids_.push_back(fmt::format("%{}_vector = OpLoad %v3{} %{}{}", name, size, built_in,
                                 is_shader_ ? "" : fmt::format(" Aligned {}", 4 * pointer_bytes_)));
      ids_.push_back(fmt::format("%{0} = OpCompositeExtract %{1} %{0}_vector 0", name, size));
      use(fmt::format("v3{}", size));
      use(size);
      if (!has_narrow) continue;
      ids_.push_back(fmt::format("%{} = OpUConvert %uint %{}", name_of_id(narrow, kernel), name));
      use("uint");
    }
  }

  /// The name of an id in `kernel`: each kernel behind the first one that uses it has its own name for it.
  std::string name_of_id(const std::string& id, const std::string& kernel) {
    if (used_ids_.insert(id).second) return id;
    return renamed_[id] = fmt::format("{}_of_{}", id, kernel);
  }

  /// The type of an integer that holds an address.
  std::string_view size_type() const {
    return pointer_bytes_ == 8 && !is_shader_ ? "ulong" : "uint";
  }

  void add_ids() {
    for (std::string& line : ids_) add(kFunctions, std::move(line));
    ids_.clear();
  }

  bool is_used(std::string_view wanted, std::size_t at) const {
    for (const std::size_t first = at; at < lines_.size(); ++at) {
      const std::string_view word = parsed(lines_[at]).word;
      if (word == "OpFunctionEnd" || (at != first && begins_function(word))) return false;
      bool found = false;
      for_each_name(lines_[at],
                    [&](std::string_view name, std::size_t) { found = found || name == wanted; });
      if (found) return true;
    }
    return false;
  }

  /// `%x = load %p` or `%x = load %p[%i]`; in a shader operands of the access may follow.
  void add_load(std::size_t at, const Instruction& instruction) {
    const std::size_t end = end_of_place(instruction.operands);
    const Place place = add_place(at, instruction.operands.substr(0, end));
    types_[std::string(instruction.result)] = place.type;
    add_access(at, fmt::format("%{} = OpLoad %{} {}{}{}", instruction.result, place.type,
                               place.pointer, instruction.operands.substr(end), place.aligned));
    use(place.type);
  }

  /// Where the `%p[%i]` ends with which the operands begin.
  static std::size_t end_of_place(std::string_view operands) {
    const std::size_t open = std::min(operands.find_first_of("[ "), operands.size());
    return operands.substr(open).starts_with('[') ? operands.find(']') + 1 : open;
  }

  /// `store %p %x` or `store %p[%i] %x`. An instruction may stand for %x: `store %p OpIAdd %uint %a %b`.
  void add_store(std::size_t at, const Instruction& instruction) {
    const std::string_view operands = instruction.operands;
    const std::size_t end = end_of_place(operands);
    std::string value(trimmed(operands.substr(end)));
    if (value.empty()) fail(at, "expected store POINTER VALUE");
    if (!value.starts_with('%')) value = add_value(at, value);
    const Place place = add_place(at, operands.substr(0, end));
    add_access(at, fmt::format("OpStore {} {}{}", place.pointer, value, place.aligned));
  }

  /// A name such as "at_0" that nothing has.
  std::string new_name(std::string_view stem) {
    unsigned& next = next_[std::string(stem)];
    while (defined_.contains(fmt::format("{}_{}", stem, next))) ++next;
    return fmt::format("{}_{}", stem, next++);
  }

  /// An access keeps the comment of line `at`, unless it is in parentheses.
  void add_access(std::size_t at, const std::string& text) {
    const std::size_t comment = comment_of(lines_[at]);
    const bool has_comment = comment != lines_[at].size() && !is_nested_;
    add(kFunctions,
        renamed(text) +
            (has_comment ? " " + std::string(trimmed(lines_[at].substr(comment))) : ""));
  }

  struct Place {
    std::string pointer, type;  ///< the type of what is there
    std::string aligned;        ///< " Aligned 4", where accesses have it
  };

  /// Storage class and pointee of the pointer %NAME.
  std::pair<std::string, std::string> pointer_at(std::size_t at, std::string_view pointer) {
    if (is_shader_) use(pointer.substr(1));
    const auto type = types_.find(std::string(pointer.substr(1)));
    if (type == types_.end()) fail(at, fmt::format("the type of {} is not known here", pointer));
    if (const auto declared = pointers_.find(type->second); declared != pointers_.end())
      return declared->second;
    if (const auto named = pointer_of(type->second))
      return {std::string(named->first), std::string(named->second)};
    fail(at, fmt::format("{} is no pointer", pointer));
  }

  /// `%p[%i 3]` of a shader becomes an access chain of that name, of which an index is an id or a number. A buffer's struct is passed over.
  Place add_chain(std::size_t at, std::string_view text, std::string_view name) {
    const std::size_t open = std::min(text.find('['), text.size());
    std::string pointer(trimmed(text.substr(0, open)));
    auto [storage, type] = pointer_at(at, pointer);
    if (open != text.size()) {
      std::vector<std::string> indexes =
          words_of(text.substr(open + 1, text.rfind(']') - open - 1));
      if (buffers_.contains(pointer.substr(1))) indexes.insert(indexes.begin(), "0");
      std::string chain;
      for (const std::string& index : indexes) {
        chain += index[0] == '%' ? " " + index : fmt::format(" %uint_{}", index);
        type = member_of(at, type, index);
      }
      std::string result = fmt::format("_ptr_{}_{}", storage, type);
      for (const auto& [declared, facts] : pointers_)
        if (facts == std::pair(storage, type)) result = declared;
      use(result);
      types_[std::string(name)] = result;
      add(kFunctions,
          renamed(fmt::format("%{} = OpAccessChain %{} {}{}", name, result, pointer, chain)));
      pointer = fmt::format("%{}", name);
    }
    const bool is_aligned = storage == "PhysicalStorageBuffer";
    return {pointer, type,
            is_aligned ? fmt::format(" Aligned {}", alignment_of(type, pointer_bytes_)) : ""};
  }

  /// The type of a member, component or element.
  std::string member_of(std::size_t at, const std::string& type, std::string_view index) const {
    if (const auto vector = vector_of(type)) return std::string(vector->first->name);
    if (const auto array = array_of(type)) return std::string(array->first);
    const auto members = members_.find(type);
    if (members == members_.end()) fail(at, fmt::format("%{} has no members", type));
    if (members->second.size() == 1) return members->second[0];
    if (index[0] == '%') fail(at, "the index of a struct's member is a number");
    return members->second.at(std::stoul(std::string(index)));
  }

  Place add_place(std::size_t at, std::string_view text) {
    if (is_shader_) return add_chain(at, text, text.find('[') == text.npos ? "" : new_name("at"));
    const std::size_t open = std::min(text.find('['), text.size());
    std::string pointer(trimmed(text.substr(0, open)));
    const std::string pointee = pointer_at(at, pointer).second;
    const unsigned alignment = alignment_of(pointee, pointer_bytes_);
    if (alignment == 0) fail(at, fmt::format("how %{} is aligned is to be written out", pointee));
    if (open != text.size()) {
      std::string index(trimmed(text.substr(open + 1, text.rfind(']') - open - 1)));
      const std::string place = "%" + new_name("at");
      if (const std::size_t plus = index.find(" + "); plus != index.npos) {
        const std::string sum = place + "_sum";
        add(kFunctions,
            renamed(fmt::format("{} = OpIAdd %{} {} %{}_{}", sum, size_type(),
                                index.substr(0, plus), size_type(), index.substr(plus + 3))));
        index = sum;
      }
      add(kFunctions, renamed(fmt::format("{} = OpInBoundsPtrAccessChain %{} {} {}", place,
                                          types_[pointer.substr(1)], pointer, index)));
      pointer = place;
    }
    return {pointer, pointee, fmt::format(" Aligned {}", alignment)};
  }

  std::string renamed(std::string_view line) const {
    std::string text(line);
    if (renamed_.empty()) return text;
    std::size_t moved = 0;
    for_each_name(line, [&](std::string_view name, std::size_t at) {
      const auto found = renamed_.find(std::string(name));
      if (found == renamed_.end()) return;
      text.replace(at + moved, name.size(), found->second);
      moved += found->second.size() - name.size();
    });
    return text;
  }

  // -- Declarations

  void declare_names(std::string_view line) {
    for_each_name(line, [&](std::string_view name, std::size_t) { use(name); });
  }

  /// Declares a name that is defined nowhere, if the name says what it is.
  void use(std::string_view name) {
    if (defined_.contains(name)) return;
    if (const auto text = declared(name)) {
      defined_.emplace(name);
      add(kTypes, fmt::format("%{} = {}", name, *text));
    }
  }

  std::optional<std::string> declared(std::string_view name) {
    if (name == "void") return "OpTypeVoid";
    if (name == "bool") return "OpTypeBool";
    if (const Scalar* scalar = scalar_of(name)) {
      if (!scalar->capability.empty()) capabilities_.insert(scalar->capability);
      return std::string(scalar->type);
    }
    if (name == "true" || name == "false") {
      use("bool");
      return name == "true" ? "OpConstantTrue %bool" : "OpConstantFalse %bool";
    }
    if (name == "std") {
      defined_.emplace(name);
      add(kImports, "%std = OpExtInstImport \"OpenCL.std\"");
      return std::nullopt;
    }
    if (const auto vector = vector_of(name)) {
      use(vector->first->name);
      if (vector->second > 4) capabilities_.insert("Vector16");
      return fmt::format("OpTypeVector %{} {}", vector->first->name, vector->second);
    }
    if (const auto pointer = pointer_of(name)) {
      use(pointer->second);
      if (pointer->first == "Generic") capabilities_.insert("GenericPointer");
      if (pointer->first == "StorageBuffer") has_storage_buffer_ = true;
      return fmt::format("OpTypePointer {} %{}", pointer->first, pointer->second);
    }
    if (const auto array = array_of(name)) {
      const std::string length = fmt::format("{}_{}", size_type(), array->second);
      use(array->first);
      use(length);
      return fmt::format("OpTypeArray %{} %{}", array->first, length);
    }
    if (const auto constant = constant_of(name)) {
      use(constant->first->name);
      return fmt::format("OpConstant %{} {}", constant->first->name, constant->second);
    }
    if (std::string type(built_in_type(name)); !type.empty()) {
      if (const std::size_t at = type.find("ulong"); at != type.npos)
        type.replace(at, type.npos, size_type());
      const std::string pointer = fmt::format("_ptr_Input_{}", type);
      use(pointer);
      types_[std::string(name)] = pointer;
      add(kDecorations, fmt::format("OpDecorate %{0} BuiltIn {0}", name));
      interface_ += fmt::format(" %{}", name);
      return fmt::format("OpVariable %{} Input", pointer);
    }
    return std::nullopt;
  }

  /// Declares the names that only functions, entry points, modes and decorations use.
  void declare_rest() {
    use("void");
    for (std::string& remark : remarks_) add(kFunctions, std::move(remark));
    for (const Section section : {kEntryPoints, kModes, kDecorations, kFunctions}) {
      const std::vector<std::string> texts = sections_[section];
      for (const std::string& text : texts)
        for (const std::string_view line : split_lines(text)) declare_names(line);
    }
  }

  /// SPIR-V 1.4 and later: all variables of the module are in the interface of a shader.
  bool has_all_in_interface() const { return is_shader_ && minor_version_ >= 4; }

  void add_header() {
    for (const std::string& kernel : kernels_)
      add(kEntryPoints, fmt::format("OpEntryPoint {0} %{1} \"{1}\"{2}",
                                    is_shader_ ? "GLCompute" : "Kernel", kernel, interface_));
    const bool has_model = !sections_[kMemoryModel].empty();
    if (has_model && pointer_bytes_ == 8 && !is_shader_) return;
    if (!has_model)
      add(kMemoryModel,
          is_shader_ ? "OpMemoryModel Logical GLSL450" : "OpMemoryModel Physical64 OpenCL");
    std::set<std::string> written(sections_[kCapabilities].begin(), sections_[kCapabilities].end());
    for (const std::string& line : sections_[kCapabilities]) written.emplace(trimmed(line));
    if (is_shader_)
      capabilities_.insert("Shader");
    else
      capabilities_.insert({"Addresses", "Kernel"});
    if (sections_[kMemoryModel][0].ends_with(" Vulkan")) capabilities_.insert("VulkanMemoryModel");
    if (is_shader_ && has_storage_buffer_ && minor_version_ < 3)
      add(kExtensions, "OpExtension \"SPV_KHR_storage_buffer_storage_class\"");
    for (const std::string_view capability : capabilities_) {
      std::string line = fmt::format("OpCapability {}", capability);
      if (!written.contains(line)) add(kCapabilities, std::move(line));
    }
  }

  std::string joined(std::size_t first) const {
    std::string text;
    for (std::size_t i = 0; i < first; ++i) (text += lines_[i]) += '\n';
    for (const std::vector<std::string>& section : sections_)
      for (const std::string& line : section) (text += line) += '\n';
    return text;
  }

  std::vector<std::string_view> lines_;
  std::array<std::vector<std::string>, kSections> sections_;
  std::vector<std::string> remarks_;  ///< stand before the next instruction
  bool is_in_functions_ = false;
  bool is_in_kernel_ = false;     ///< in a function that `kernel` began
  bool is_in_block_ = false;      ///< behind a label, and no branch or return ended its block
  std::vector<std::string> ids_;  ///< of the current kernel, until its variables are over
  std::set<std::string, std::less<>> defined_;
  std::map<std::string, std::string> types_;  ///< of results
  std::map<std::string, std::pair<std::string, std::string>>
      pointers_;  ///< storage class and pointee of types that are written out
  std::map<std::string, std::vector<std::string>> members_;  ///< of types
  std::set<std::string> buffers_;                            ///< variables that `buffer` made
  std::map<std::string, std::string> function_types_;
  std::map<std::string, std::string> renamed_;  ///< ids of the current kernel
  std::set<std::string> used_ids_;
  std::vector<std::string> kernels_;
  std::set<std::string_view> capabilities_;
  std::string interface_;
  std::map<std::string, unsigned> next_;  ///< number of a new name, by its stem
  unsigned pointer_bytes_ = 8;
  bool is_nested_ = false;  ///< in an instruction in parentheses
  bool is_shader_ = false;
  bool has_storage_buffer_ = false;
  int minor_version_ = 2;  ///< of SPIR-V 1
  bool is_by_clspv_ = false;
  std::string set_ = "0";
  unsigned bindings_ = 0;  ///< of the set's resources so far
};

/// Line and column of instructions, by "@" and the name of their result, or by what stands at their end as in "; @late".
Values places_of(const std::vector<std::string_view>& lines) {
  Values places;
  const auto add = [&](std::string name, const std::string& place) {
    if (!places.emplace(name, place).second)
      throw Mistake(fmt::format("two instructions have the name '{}'", name));
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Instruction instruction = parsed(lines[i]);
    if (instruction.word.empty()) continue;
    const std::string place =
        fmt::format("{}:{}", i + 1, instruction.word.data() - lines[i].data() + 1);
    const std::string_view comment = lines[i].substr(comment_of(lines[i]));
    if (!instruction.result.empty()) add(fmt::format("@{}", instruction.result), place);
    if (comment.starts_with("; @")) add(std::string(trimmed(comment.substr(2))), place);
  }
  return places;
}

}  // namespace

std::string declare(std::string_view text) {
  const std::string written = Module(text).written();
  if (written.find("{@") == written.npos) return written;
  const std::vector<std::string_view> lines = split_lines(written);
  return with_places(lines, ";!", places_of(lines));
}

}  // namespace transpire::shorthand
