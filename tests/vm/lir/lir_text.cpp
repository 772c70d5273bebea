// The parser and printer of lir_text.h.
#include "tests/vm/lir/lir_text.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <stdexcept>
#include <vector>

#include "vm/exec/engine.h"

namespace transpire::test {
namespace {

Op op_named(std::string_view name) {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    if (info(static_cast<Op>(i)).name == name) return static_cast<Op>(i);
  }
  throw std::runtime_error("no such op: " + std::string(name));
}

Kind kind_named(std::string_view name) {
  for (std::size_t i = 0; i < kKindCount; ++i) {
    if (name == kind_name(static_cast<Kind>(i))) return static_cast<Kind>(i);
  }
  throw std::runtime_error("no such kind: " + std::string(name));
}

Space space_named(std::string_view name) {
  constexpr std::string_view kNames[] = {"global", "constant", "workgroup", "private", "generic"};
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) throw std::runtime_error("no such space: " + std::string(name));
  return static_cast<Space>(found - std::begin(kNames));
}

// One line, read from the left.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line), rest_(line) { skip(); }

  bool done() const { return rest_.empty(); }
  bool at(std::string_view text) const { return rest_.starts_with(text); }
  bool take(std::string_view text) {
    if (!at(text)) return false;
    rest_.remove_prefix(text.size());
    skip();
    return true;
  }
  void need(std::string_view text) {
    if (!take(text)) fail("expected '" + std::string(text) + "'");
  }
  // Letters, digits and what numbers and names are made of.
  std::string word() {
    std::size_t n = 0;
    while (n < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[n])) != 0 ||
            std::string_view("_.-+").find(rest_[n]) != std::string_view::npos)) {
      ++n;
    }
    std::string result(rest_.substr(0, n));
    if (n == 0) fail("expected a word");
    rest_.remove_prefix(n);
    skip();
    return result;
  }
  std::int64_t number() {
    const std::string text = word();
    return text.starts_with("-") ? std::stoll(text, nullptr, 0)
                                 : static_cast<std::int64_t>(std::stoull(text, nullptr, 0));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " at '" + std::string(rest_) + "' in '" + std::string(line_) +
                             "'");
  }

 private:
  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  std::string_view line_, rest_;
};

class Parser {
 public:
  Function run(std::string_view text, LirNames* names = nullptr) {
    split(text);
    name_values();
    for (const std::string& line : lines_) parse_line(line);
    if (block_ != kNoBlock && f_.blocks[block_].terminator == kNoValue) parse_line("Return");
    link();
    f_.scalar_handlers = &exec::handlers(exec::built_isas()[0]);
    for (const auto& [name, id] : names_)
      if (names != nullptr) names->emplace(id, name);
    return std::move(f_);
  }

 private:
  void split(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      line = line.substr(0, line.find(';'));
      while (!line.empty() && line.back() == ' ') line.pop_back();
      if (!line.empty()) lines_.push_back(std::move(line));
    }
  }

  // Values first: a phi names values of later lines.
  void name_values() {
    for (const std::string& line : lines_) {
      Cursor c(line);
      if (c.take("arguments:")) parse_arguments(c);
      if (!c.take("%")) continue;
      const std::string name = c.word();
      name_value(c, name, kind_named(c.word()));
    }
  }

  Value& name_value(const Cursor& c, const std::string& name, Kind kind) {
    Value value;
    value.kind = value.from = kind;
    const ValueId id = f_.add(std::move(value));
    if (!names_.try_emplace(name, id).second) c.fail("value named twice");
    return f_.values[id];
  }

  void parse_arguments(Cursor& c) {
    do {
      c.need("%");
      const std::string name = c.word(), type = c.word();
      const bool is_private = type == "private" || type == "by-value",
                 is_pointer = type == "pointer";
      Value& value = name_value(c, name, is_private || is_pointer ? Kind::kI64 : kind_named(type));
      value.op = Op::kArgument;
      value.imm = f_.argument_slots;
      if (type != "private") {
        Parameter parameter;
        parameter.name = name;
        parameter.kind = is_pointer   ? Parameter::Kind::kPointer
                         : is_private ? Parameter::Kind::kByValue
                                      : Parameter::Kind::kValue;
        parameter.first_slot = f_.argument_slots;
        parameter.slot_count = is_private ? 0 : 1;
        parameter.private_variable = static_cast<std::uint32_t>(f_.private_variables.size());
        f_.parameters.push_back(std::move(parameter));
      }
      if (is_private) {
        PrivateVariable variable;
        variable.name = name;
        variable.size_bytes = static_cast<std::uint64_t>(c.number());
        f_.private_variables.push_back(std::move(variable));
      } else if (!f_.private_variables.empty()) {
        c.fail("variables come last");
      }
      ++f_.argument_slots;
    } while (c.take(","));
  }

  void parse_line(const std::string& line) {
    Cursor c(line);
    if (c.at("arguments:")) return;
    if (block_ == kNoBlock && !c.at("b0:")) parse_line("b0:");
    c.at("b") ? parse_block(c) : parse_value(c);
  }

  BlockId block_number(Cursor& c) {
    c.need("b");
    const auto block = static_cast<BlockId>(c.number());
    if (f_.blocks.size() <= block) f_.blocks.resize(block + 1);
    return block;
  }

  void parse_block(Cursor& c) {
    const BlockId block = block_number(c);
    if (block_ != kNoBlock && f_.blocks[block_].terminator == kNoValue)
      parse_line("Branch b" + std::to_string(block));
    block_ = block;
    c.need(":");
    if (!c.take("from")) return;
    while (!c.done()) {
      const BlockId pred = block_number(c);
      f_.blocks[block_].preds.push_back(pred);
    }
  }

  ValueId operand(Cursor& c) {
    if (c.take("%")) {
      const std::string name = c.word();
      const auto found = names_.find(name);
      if (found == names_.end()) c.fail("no value %" + name);
      return found->second;
    }
    if (c.take("true")) return f_.constant(Kind::kBool, 1);
    if (c.take("false")) return f_.constant(Kind::kBool, 0);
    const Kind kind = kind_named(c.word());
    c.need(":");
    if (kind == Kind::kF32)
      return f_.constant(kind, std::bit_cast<std::uint32_t>(std::stof(c.word())));
    if (kind == Kind::kF64)
      return f_.constant(kind, std::bit_cast<std::uint64_t>(std::stod(c.word())));
    return f_.constant(kind, static_cast<std::uint64_t>(c.number()));
  }

  void parse_value(Cursor& c) {
    ValueId id = kNoValue;
    if (c.take("%")) {
      id = names_.at(c.word());
      c.word();  // its kind
      c.need("=");
    } else {
      id = f_.add({});
      f_.values[id].kind = Kind::kVoid;
    }
    Value value = std::move(f_.values[id]);
    value.op = op_named(c.word());
    value.block = block_;
    if (value.op == Op::kLoad || value.op == Op::kStore || value.op == Op::kAddress) {
      parse_place(c, value);
    } else {
      parse_operands(c, value);
    }
    const bool ends = info(value.op).shape == Shape::kTerminator;
    const Op op = value.op;
    f_.values[id] = std::move(value);
    Block& block = f_.blocks.at(block_);
    if (ends)
      block.terminator = id;
    else
      (op == Op::kPhi ? block.phis : block.instructions).push_back(id);
  }

  void parse_place(Cursor& c, Value& value) {
    value.args.push_back(operand(c));
    std::int64_t scale = 1;
    std::int64_t offset = 0;
    while (c.take("+")) {
      if (!c.at("%") && !c.at("(") && !c.at("s32") && !c.at("u32") && !c.at("i64:") &&
          !c.at("i32:")) {
        offset = c.number();
        continue;
      }
      value.extend = c.take("s32 ")   ? Extend::kSigned32
                     : c.take("u32 ") ? Extend::kUnsigned32
                                      : Extend::kNone;
      const bool is_sum = c.take("(");
      value.args.push_back(operand(c));
      if (is_sum) {
        c.need("+");
        value.args.push_back(operand(c));
        c.need(")");
      }
      c.need("*");
      scale = c.number();
    }
    if (value.op == Op::kAddress) {
      value.imm = static_cast<std::uint64_t>(scale);
      value.imm2 = offset;
      return;
    }
    while (c.take(",")) value.args.push_back(operand(c));
    value.imm = parse_access(c, scale, offset);
  }

  std::uint64_t parse_access(Cursor& c, std::int64_t scale, std::int64_t offset) {
    MemAccess access;
    access.scale = scale;
    access.offset = offset;
    c.need("(");
    access.space = space_named(c.word());
    access.source_space = Space::kGeneric;
    std::string kind = c.word();
    if (const std::size_t x = kind.find('x'); x != std::string::npos) {
      access.components = static_cast<std::uint32_t>(std::stoul(kind.substr(x + 1)));
      kind.resize(x);
    }
    access.kind = kind_named(kind);
    if (c.take("from")) access.source_space = space_named(c.word());
    while (c.take(",")) {
      if (c.take("volatile")) {
        access.is_volatile = true;
      } else {
        c.need("align");
        access.align_bytes = static_cast<std::uint32_t>(c.number());
      }
    }
    c.need(")");
    f_.mem.push_back(access);
    return f_.mem.size() - 1;
  }

  void parse_operands(Cursor& c, Value& value) {
    while (!c.done()) {
      if (c.take(",")) continue;
      if (c.take("[")) {
        value.imm = static_cast<std::uint64_t>(c.number());
        c.need("]");
      } else if (c.at("(")) {
        value.imm = parse_access(c, 1, 0);
      } else if (info(value.op).shape == Shape::kTerminator && !is_value(c)) {
        parse_target(c);
      } else {
        value.args.push_back(operand(c));
      }
    }
    const Signature& signature = info(value.op).signature;
    if (!signature.has(Takes::kFrom) || signature.fixed[0] != Takes::kFrom) return;
    if (value.args.empty()) c.fail("expected an operand");
    value.from = f_.values[value.args[0]].kind;
  }

  static bool is_value(const Cursor& c) {
    return c.at("%") || c.at("i") || c.at("true") || c.at("false");
  }

  void parse_target(Cursor& c) {
    if (c.at("b")) {
      const BlockId target = block_number(c);
      f_.blocks[block_].targets.push_back(target);
      return;
    }
    SwitchCase entry;
    entry.value = static_cast<std::uint64_t>(c.number());
    c.need(":");
    entry.target = static_cast<std::uint32_t>(c.number());
    f_.blocks[block_].cases.push_back(entry);
  }

  void link() {
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      for (const BlockId target : f_.blocks[b].targets) {
        auto& preds = f_.blocks[target].preds;
        if (std::find(preds.begin(), preds.end(), b) == preds.end()) preds.push_back(b);
      }
    }
  }

  Function f_;
  std::vector<std::string> lines_;
  std::map<std::string, ValueId> names_;
  BlockId block_ = kNoBlock;
};

}  // namespace

Function parse_lir(std::string_view text) { return Parser().run(text); }

Function parse_lir(std::string_view text, LirNames& names) { return Parser().run(text, &names); }

namespace {

std::string renumber(std::string_view text, const LirNames& names) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '%') {
      result += text[i++];
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::string number(text.substr(i + 1, end - i - 1));
    i = end;
    const auto named =
        number.empty() ? names.end() : names.find(static_cast<ValueId>(std::stoul(number)));
    if (named != names.end())
      result += '%' + named->second;
    else
      result += '%' + std::to_string(numbers.try_emplace(number, numbers.size()).first->second);
  }
  return result;
}

std::string from_first_block(const std::string& text) {
  return text.substr(std::min(text.find("b0:"), text.size()));
}

}  // namespace

std::string lir_text(const Function& function) { return lir_text(function, {}); }

std::string lir_text(const Function& function, const LirNames& names) {
  return renumber(from_first_block(print(function)), names);
}

}  // namespace transpire::test
