#include "tests/shorthand/formula.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <regex>

#include "tests/shorthand/shorthand.h"

namespace transpire::shorthand {
namespace {

__extension__ using Whole = __int128;  // holds what unsigned and signed integers of 64 bits hold

/// A whole number, or a real one: an operation with a real operand gives a real number.
struct Number {
  Whole whole = 0;
  double real = 0;
  bool is_real = false;

  static Number of(Whole value) { return {value, static_cast<double>(value), false}; }
  static Number of_real(double value) { return {0, value, true}; }
  bool is_true() const { return is_real ? real != 0 : whole != 0; }
  std::string text() const { return is_real ? fmt::format("{}", real) : fmt::format("{}", whole); }
};

using Frame = std::vector<Number>;  ///< values of the names that a formula itself introduces
using Node = std::function<Number(const Frame&)>;
using Numbers = std::vector<Number>;

[[noreturn]] void fail(std::string_view reason, std::string_view what) {
  throw Mistake(fmt::format("a formula: {} '{}'", reason, what));
}

// ---- Operators and functions -------------------------------------------------------------------------

/// Operators of two operands, those that bind least first.
constexpr std::string_view kOperators[][4] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};

__extension__ using Bits = unsigned __int128;

/// Sums and products wrap at 128 bits.
Number of_whole(std::string_view op, Whole a, Whole b) {
  const Bits x = static_cast<Bits>(a), y = static_cast<Bits>(b);
  const auto number = [](auto value) { return Number::of(static_cast<Whole>(value)); };
  if ((op == "/" || op == "%") && b == 0) fail("no number to divide by in", op);
  if (op == "+") return number(x + y);
  if (op == "-") return number(x - y);
  if (op == "*") return number(x * y);
  if (op == "/") return number(a / b);
  if (op == "%") return number(a % b);
  if (op == "&") return number(a & b);
  if (op == "|") return number(a | b);
  if (op == "^") return number(a ^ b);
  if (op == "<<") return number(x << b);
  if (op == ">>") return number(a >> b);
  return number(op == "min" ? std::min(a, b) : std::max(a, b));
}

Number of_real(std::string_view op, double a, double b) {
  if (op == "+") return Number::of_real(a + b);
  if (op == "-") return Number::of_real(a - b);
  if (op == "*") return Number::of_real(a * b);
  if (op == "/") return Number::of_real(a / b);
  if (op == "min") return Number::of_real(std::min(a, b));
  if (op == "max") return Number::of_real(std::max(a, b));
  fail("real numbers have no", op);
}

template <class T>
std::optional<bool> comparison(std::string_view op, T a, T b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  if (op == ">=") return a >= b;
  return std::nullopt;
}

Number of_two(std::string_view op, const Number& a, const Number& b) {
  if (op == "&&") return Number::of(a.is_true() && b.is_true());
  if (op == "||") return Number::of(a.is_true() || b.is_true());
  const bool is_real = a.is_real || b.is_real;
  if (const auto answer =
          is_real ? comparison(op, a.real, b.real) : comparison(op, a.whole, b.whole))
    return Number::of(*answer);
  return is_real ? of_real(op, a.real, b.real) : of_whole(op, a.whole, b.whole);
}

/// The last `bits` bits of a number, with or without a sign.
Number wrapped(Whole value, unsigned bits, bool is_signed) {
  value &= (Whole{1} << bits) - 1;
  return Number::of(is_signed && (value >> (bits - 1)) != 0 ? value - (Whole{1} << bits) : value);
}

/// The nearest number of `bits` significant bits in a rounding mode: rte, rtz, rtp or rtn.
Number rounded(std::string_view mode, Whole value, Whole bits) {
  Whole unit = 1;
  for (const Whole size = value < 0 ? -value : value; (size / unit) >> bits != 0;) unit *= 2;
  Whole units = value / unit - (value % unit < 0 ? 1 : 0);  // rounded down
  const Whole rest = value - units * unit;
  if (mode == "rte" ? 2 * rest > unit || (2 * rest == unit && units % 2 != 0)
                    : rest != 0 && (mode == "rtp" || (mode == "rtz" && value < 0)))
    ++units;
  return Number::of(units * unit);
}

using Function = std::function<Number(const Numbers&)>;

/// The functions that formulas may call, with their numbers of arguments.
const std::map<std::string_view, std::pair<std::size_t, Function>>& functions() {
  static const auto all = [] {
    std::map<std::string_view, std::pair<std::size_t, Function>> made;
    made["signed"] = {2, [](const Numbers& a) {
                        return wrapped(a[0].whole, static_cast<unsigned>(a[1].whole), true);
                      }};
    made["unsigned"] = {2, [](const Numbers& a) {
                          return wrapped(a[0].whole, static_cast<unsigned>(a[1].whole), false);
                        }};
    for (const auto& [name, round] :
         {std::pair<std::string_view, double (*)(double)>("floor", std::floor),
          {"ceil", std::ceil},
          {"trunc", std::trunc},
          {"rint", std::rint}})
      made[name] = {1, [round](const Numbers& a) {
                      return Number::of(static_cast<Whole>(round(a[0].real)));
                    }};
    made["float"] = {
        1, [](const Numbers& a) { return Number::of_real(static_cast<float>(a[0].real)); }};
    made["float_bits"] = {
        1, [](const Numbers& a) {
          return Number::of(std::bit_cast<std::uint32_t>(static_cast<float>(a[0].real)));
        }};
    for (const std::string_view mode : {"rte", "rtz", "rtp", "rtn"})
      made[mode] = {2, [mode](const Numbers& a) { return rounded(mode, a[0].whole, a[1].whole); }};
    for (const std::string_view name : {"min", "max"})
      made[name] = {2, [name](const Numbers& a) { return of_two(name, a[0], a[1]); }};
    return made;
  }();
  return all;
}

/// The operator that joins the values of `sum(I from 0 to 9: FORMULA)`; empty for other names.
std::string_view joining(std::string_view name) {
  static const std::map<std::string_view, std::string_view> all = {
      {"sum", "+"}, {"product", "*"}, {"min", "min"}, {"max", "max"},
      {"and", "&"}, {"or", "|"},      {"xor", "^"}};
  const auto found = all.find(name);
  return found == all.end() ? std::string_view() : found->second;
}

// ---- From text ---------------------------------------------------------------------------------------

/// Words, numbers and operators.
std::vector<std::string> tokens_of(std::string_view text) {
  static const std::regex token("[A-Za-z0-9_.]+|\\|\\||&&|==|!=|<=|>=|<<|>>|[^ ]");
  const std::string all(text);
  return {std::sregex_token_iterator(all.begin(), all.end(), token), {}};
}

/// A function of `define` that a line calls; it may call itself. Keeps its results for whole numbers.
struct Definition {
  Node formula;
  std::map<std::vector<Whole>, Number> results;
  int depth = 0;  ///< of calls that have not returned

  Number of(const Numbers& arguments, std::string_view name) {
    std::vector<Whole> key;
    for (const Number& each : arguments)
      if (!each.is_real) key.push_back(each.whole);
    const bool is_kept = key.size() == arguments.size();
    if (const auto found = results.find(key); is_kept && found != results.end())
      return found->second;
    if (++depth > 1000) fail("too many calls of itself in", name);
    const Number result = formula(arguments);
    --depth;
    return is_kept ? results[key] = result : result;
  }
};
using Definitions = std::map<std::string, Definition>;

class Parser {
 public:
  /// Nodes that it returns refer to `called`.
  Parser(std::string_view text, const Values& values, Definitions& called,
         std::vector<std::string> names = {})
      : text_(text),
        values_(values),
        called_(called),
        names_(std::move(names)),
        tokens_(tokens_of(text)) {}

  /// NAME from FIRST to LAST: FORMULA, ... or NAME from FIRST to LAST, NAME from FIRST to LAST: FORMULA
  std::string list() {
    const auto [first, last] = range();
    std::pair<Whole, Whole> component{0, 0};
    const bool has_components = accept(",");
    if (has_components) component = range();
    expect(":");
    std::vector<Node> parts{formula()};
    while (accept(",")) parts.push_back(formula());
    if (at_ != tokens_.size()) fail("no operator in", tokens_[at_]);
    std::string all;
    for (Whole i = first; i <= last; ++i) {
      std::string text;
      for (Whole k = component.first; k <= component.second; ++k)
        for (const Node& part : parts)
          (text += text.empty() ? "" : ",") += part({Number::of(i), Number::of(k)}).text();
      if (!all.empty()) all += ' ';
      all += has_components || parts.size() > 1 ? fmt::format("({})", text) : text;
    }
    return all;
  }

  /// The whole text.
  Node only() {
    Node node = formula();
    if (at_ != tokens_.size()) fail("no operator in", tokens_[at_]);
    return node;
  }

 private:
  /// NAME from FIRST to LAST; formulas behind it know the name.
  std::pair<Whole, Whole> range() {
    names_.emplace_back(take());
    expect("from");
    const Whole first = formula()(Frame(2)).whole;
    expect("to");
    return {first, formula()(Frame(2)).whole};
  }

  std::string_view peek() const { return at_ < tokens_.size() ? tokens_[at_] : std::string_view(); }
  std::string_view take() {
    if (at_ == tokens_.size()) fail("no end of", text_);
    return tokens_[at_++];
  }
  bool accept(std::string_view token) {
    if (peek() != token) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail(fmt::format("expected '{}', found", token), peek());
  }

  Node formula() {
    Node condition = two_operands(0);
    if (!accept("?")) return condition;
    Node yes = formula();
    expect(":");
    Node no = formula();
    return [=](const Frame& frame) { return condition(frame).is_true() ? yes(frame) : no(frame); };
  }

  Node two_operands(std::size_t level) {
    if (level == std::size(kOperators)) return one_operand();
    Node a = two_operands(level + 1);
    for (;;) {
      const auto& known = kOperators[level];
      const auto op = std::find(std::begin(known), std::end(known), peek());
      if (op == std::end(known) || op->empty()) return a;
      ++at_;
      a = [op = *op, a, b = two_operands(level + 1)](const Frame& frame) {
        return of_two(op, a(frame), b(frame));
      };
    }
  }

  Node one_operand() {
    if (accept("-"))
      return [a = one_operand()](const Frame& frame) {
        const Number number = a(frame);
        return number.is_real ? Number::of_real(-number.real) : Number::of(-number.whole);
      };
    if (accept("~"))
      return [a = one_operand()](const Frame& frame) { return Number::of(~a(frame).whole); };
    if (accept("(")) {
      Node node = formula();
      expect(")");
      return node;
    }
    const std::string_view word = take();
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) return literal(word);
    if (accept("(")) return call(word);
    if (accept("[")) return element(word);
    if (word == "inf") return constant(Number::of_real(HUGE_VAL));
    const auto name = std::find(names_.rbegin(), names_.rend(), word);
    if (name != names_.rend())
      return [index = names_.rend() - name - 1](const Frame& frame) {
        return frame[static_cast<std::size_t>(index)];
      };
    const auto value = values_.find(word);
    if (value == values_.end()) fail("nothing is named", word);
    return Parser(value->second, values_, called_).only();
  }

  static Node constant(const Number& number) {
    return [number](const Frame&) { return number; };
  }

  static Node literal(std::string_view word) {
    const bool is_hex = word.starts_with("0x");
    const char* const end = word.data() + word.size();
    if (!is_hex && word.find('.') != word.npos) {
      double real = 0;
      if (std::from_chars(word.data(), end, real).ptr != end) fail("no number is", word);
      return constant(Number::of_real(real));
    }
    std::uint64_t whole = 0;
    if (std::from_chars(word.data() + (is_hex ? 2 : 0), end, whole, is_hex ? 16 : 10).ptr != end)
      fail("no number is", word);
    return constant(Number::of(whole));
  }

  /// A formula, or a real number such as -6e-8 or nan.
  Number number_in(std::string_view text) const {
    double real = 0;
    const bool is_real = text.find_first_of(".en") != text.npos &&
                         std::from_chars(text.data(), text.data() + text.size(), real).ptr ==
                             text.data() + text.size();
    return is_real ? Number::of_real(real) : Parser(text, values_, called_).only()({});
  }

  /// NAME[FORMULA], an element of the value "1,2,3" of NAME.
  Node element(std::string_view name) {
    Node index = formula();
    expect("]");
    const auto value = values_.find(name);
    if (value == values_.end()) fail("nothing is named", name);
    Numbers all;
    for (std::string_view rest = value->second; !rest.empty();) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      all.push_back(number_in(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return [=, name = std::string(name)](const Frame& frame) {
      const Whole at = index(frame).whole;
      if (at < 0 || at >= static_cast<Whole>(all.size()))
        fail(fmt::format("no element {} of", at), name);
      return all[static_cast<std::size_t>(at)];
    };
  }

  /// Behind "NAME(": a loop, a function, or one that the file defines.
  Node call(std::string_view name) {
    if (!joining(name).empty() && at_ + 1 < tokens_.size() && tokens_[at_ + 1] == "from")
      return loop(joining(name));
    std::vector<Node> arguments;
    do arguments.push_back(formula());
    while (accept(","));
    expect(")");
    const auto evaluated = [arguments](const Frame& frame) {
      Numbers numbers;
      for (const Node& argument : arguments) numbers.push_back(argument(frame));
      return numbers;
    };
    const auto known = functions().find(name);
    if (known != functions().end() && known->second.first == arguments.size())
      return [=, f = known->second.second](const Frame& frame) { return f(evaluated(frame)); };
    const auto defined = values_.find(fmt::format("{}/{}", name, arguments.size()));
    if (defined == values_.end()) fail("no function of so many arguments is", name);
    const auto [entry, is_new] = called_.try_emplace(defined->first);
    Definition& definition = entry->second;
    if (is_new) {
      const std::string_view text = defined->second;
      const std::size_t equals = text.find('=');
      definition.formula =
          Parser(text.substr(equals + 1), values_, called_, words_of(text.substr(0, equals)))
              .only();
    }
    return [=, &definition](const Frame& frame) {
      return definition.of(evaluated(frame), defined->first);
    };
  }

  /// Behind "sum(": I from FIRST to LAST: FORMULA). Without a value it is 0.
  Node loop(std::string_view op) {
    const std::string name(take());
    expect("from");
    Node first = formula();
    expect("to");
    Node last = formula();
    expect(":");
    names_.push_back(name);
    const std::size_t depth = names_.size();
    Node body = formula();
    names_.pop_back();
    expect(")");
    return [=](const Frame& frame) {
      Frame inner(frame);
      inner.resize(depth);
      const Whole begin = first(frame).whole, end = last(frame).whole;
      Number all = Number::of(0);
      for (Whole i = begin; i <= end; ++i) {
        inner.back() = Number::of(i);
        const Number value = body(inner);
        all = i == begin ? value : of_two(op, all, value);
      }
      return all;
    };
  }

  std::string_view text_;
  const Values& values_;
  Definitions& called_;
  std::vector<std::string> names_;  ///< in the order of the frame
  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
};

/// True for text that begins with "NAME from ".
bool is_list(std::string_view text) {
  const std::size_t end = text.find(' ');
  return end != text.npos && end > 0 && text.substr(end).starts_with(" from ");
}

}  // namespace

std::string substituted(std::string_view line, const Values& values) {
  static const std::regex sum("\\w+([-+*]\\w+)+");
  return replaced(line, [&](std::string_view name) -> std::optional<std::string> {
    const auto value = values.find(name);
    if (value != values.end()) return value->second;
    if (!std::regex_match(name.begin(), name.end(), sum)) return std::nullopt;
    const std::vector<std::string> words = tokens_of(name);
    if (std::ranges::none_of(words, [&](const std::string& word) { return values.contains(word); }))
      return std::nullopt;
    try {
      Definitions called;
      return Parser(name, values, called).only()({}).text();
    } catch (const Mistake&) {
      return std::nullopt;
    }
  });
}

std::string with_formulas(std::string_view line, const Values& values) {
  return replaced(line, [&](std::string_view text) -> std::optional<std::string> {
    if (!is_list(text)) return std::nullopt;
    Definitions called;
    return Parser(text, values, called).list();
  });
}

}  // namespace transpire::shorthand
