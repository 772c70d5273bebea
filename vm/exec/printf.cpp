// printf of OpenCL C (OpenCL C 2.0, "printf"): flags, width, precision, vector and length
// modifiers, and the conversions d i o u x X f F e E g G a A c s p %. A conversion that does not
// fit its operand prints what the operand is; missing operands print nothing.
#include <cstdio>
#include <cstring>
#include <string>

#include "vm/exec/access.h"
#include "vm/program.h"

namespace transpire::vm::exec {
namespace {

struct Conversion {
  std::string flags;             ///< flags, width and precision as written
  std::uint32_t components = 1;  ///< of %vN
  std::uint32_t bits = 0;        ///< by length modifier; 0 = the operand's
  char letter = 0;
};

bool is_one_of(char c, const char* set) { return c != 0 && std::strchr(set, c) != nullptr; }

/// Parses what follows a '%'. Gives the number of characters, 0 when it is no conversion.
std::size_t parse(const char* text, Conversion* out) {
  const char* p = text;
  while (is_one_of(*p, "-+ #0123456789.")) out->flags += *p++;
  if (*p == 'v') {
    ++p;
    std::uint32_t n = 0;
    while (*p >= '0' && *p <= '9' && n < 100) n = n * 10 + static_cast<std::uint32_t>(*p++ - '0');
    out->components = n;
  }
  if (p[0] == 'h' && p[1] == 'h') {
    out->bits = 8;
    p += 2;
  } else if (p[0] == 'h' && p[1] == 'l') {
    out->bits = 32;
    p += 2;
  } else if (*p == 'h') {
    out->bits = 16;
    ++p;
  } else if (*p == 'l') {
    out->bits = 64;
    ++p;
  }
  if (!is_one_of(*p, "diouxXfFeEgGaAcsp%")) return 0;
  out->letter = *p++;
  return static_cast<std::size_t>(p - text);
}

double half_value(std::uint16_t h) {
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  double magnitude = exponent == 0 ? __builtin_ldexp(fraction, -24)
                                   : __builtin_ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) magnitude = fraction == 0 ? __builtin_inf() : __builtin_nan("");
  return (h & 0x8000) != 0 ? -magnitude : magnitude;
}

/// The lane's bits of a row, zero-extended.
std::uint64_t lane_bits(const std::byte* r, std::uint32_t offset, Kind kind, std::uint32_t lane) {
  std::uint64_t bits = 0;
  if (kind == Kind::kBool) {
    std::memcpy(&bits, r + offset + lane / 64 * 8, 8);
    return bits >> (lane % 64) & 1;
  }
  std::memcpy(&bits, r + offset + std::size_t{lane} * lane_bytes(kind), lane_bytes(kind));
  return bits;
}

double as_double(std::uint64_t bits, Kind kind) {
  if (kind == Kind::kF16) return half_value(static_cast<std::uint16_t>(bits));
  if (kind == Kind::kF32) {
    float f;
    std::memcpy(&f, &bits, 4);
    return f;
  }
  double d;
  std::memcpy(&d, &bits, 8);
  return d;
}

template <class T>
void append(std::string* out, const std::string& format, T value) {
  char buffer[512];
  const int n = std::snprintf(buffer, sizeof(buffer), format.c_str(), value);
  if (n < 0) return;
  if (static_cast<std::size_t>(n) < sizeof(buffer)) {
    out->append(buffer, static_cast<std::size_t>(n));
    return;
  }
  std::string large(static_cast<std::size_t>(n) + 1, '\0');
  std::snprintf(large.data(), large.size(), format.c_str(), value);
  out->append(large, 0, static_cast<std::size_t>(n));
}

/// A width or precision of more than four digits would only serve to fill memory.
std::string bounded(const std::string& flags) {
  std::string out;
  int digits = 0;
  for (const char c : flags) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits <= 4) out += c;
  }
  return out;
}

void print_component(std::string* out, const Conversion& c, Kind kind, std::uint64_t bits) {
  const std::string flags = "%" + bounded(c.flags);
  if (is_one_of(c.letter, "fFeEgGaA") || is_float(kind)) {
    const char letter = is_one_of(c.letter, "fFeEgGaA") ? c.letter : 'f';
    const double value = is_float(kind) ? as_double(bits, kind) : static_cast<double>(bits);
    return append(out, flags + letter, value);
  }
  // Vectors say the width of their components by a modifier, scalars are promoted to int.
  std::uint32_t width = width_bits(kind) == 1 ? 8 : width_bits(kind);
  if (c.bits != 0 && c.bits < width) width = c.bits;
  const std::uint64_t kept = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  if (c.letter == 'd' || c.letter == 'i' || c.letter == 's') {  // %s of a number: no string
    const auto value = static_cast<long long>(kept << (64 - width)) >> (64 - width);
    return append(out, flags + "lld", value);
  }
  if (c.letter == 'c') return append(out, flags + "c", static_cast<int>(kept & 0xff));
  if (c.letter == 'p') return append(out, flags + "p", reinterpret_cast<void*>(kept));
  append(out, flags + "ll" + c.letter, static_cast<unsigned long long>(kept));
}

class LanePrinter {
 public:
  LanePrinter(const PrintfSite& site, const std::byte* r, std::uint32_t lane)
      : site_(site), r_(r), lane_(lane) {}

  std::string run() {
    const std::string& format = site_.info.format;
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%') {
        out_ += format[i];
        continue;
      }
      Conversion conversion;
      const std::size_t length = parse(format.c_str() + i + 1, &conversion);
      if (length == 0) {
        out_ += '%';
        continue;
      }
      i += length;
      if (conversion.letter == '%') {
        out_ += '%';
      } else {
        print(conversion);
      }
    }
    return std::move(out_);
  }

 private:
  void print(const Conversion& conversion) {
    if (argument_ >= site_.info.arguments.size()) return;
    const lir::PrintfInfo::Argument& argument = site_.info.arguments[argument_++];
    if (argument.is_string) {
      append(&out_, "%" + bounded(conversion.flags) + "s", argument.text.c_str());
      return;
    }
    for (std::uint32_t c = 0; c < argument.components; ++c) {
      const std::uint64_t bits = lane_bits(r_, site_.values[value_++], argument.kind, lane_);
      if (c != 0) out_ += ',';
      print_component(&out_, conversion, argument.kind, bits);
    }
  }

  const PrintfSite& site_;
  const std::byte* r_;
  std::uint32_t lane_;
  std::size_t argument_ = 0, value_ = 0;
  std::string out_;
};

}  // namespace

void print_lanes(const Inst* ip, std::byte* r, Batch* batch) {
  const PrintfSite& site = batch->program->printfs[ip->imm];
  std::int32_t results[kMaxLanes];  // the row of the result may be an operand's
  const auto for_each = [batch](auto visit) {
    for (std::uint32_t lane = 0; lane < batch->program->lanes; ++lane)
      if ((batch->mask[lane / 64] >> (lane % 64) & 1) != 0) visit(lane);
  };
  for_each([&](std::uint32_t lane) {
    const std::string text = LanePrinter(site, r, lane).run();
    const bool fits = batch->sink->print(*batch, lane, text.data(), text.size());
    results[lane] = fits ? 0 : -1;
  });
  auto* d = reinterpret_cast<std::int32_t*>(r + ip->d);
  for_each([&](std::uint32_t lane) { d[lane] = results[lane]; });
}

}  // namespace transpire::vm::exec
