// Trees of JSON: made of lists, read from text and written as text.
#include "base/json.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace transpire::test {
namespace {

/// The text of the value that a text describes.
std::string again(std::string_view text) { return Json::parse(text).dump(); }

/// "BYTES: MESSAGE" of a text that is not JSON.
std::string json_error(std::string_view text) {
  try {
    return "none: " + Json::parse(text).dump();
  } catch (const JsonError& error) {
    return std::to_string(error.bytes_read()) + ": " + error.what();
  }
}

/// A text of that many arrays, or objects, in each other.
std::string nested(std::size_t depth, std::string_view open, std::string_view close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += "1";
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("lists of members make objects, which keep the order") {
  const Json inner{{"text", "x"}};
  Json json{{"b", 1}, {"a", {{"c", true}, {"d", nullptr}}}, {"inner", inner}};
  CHECK(json.dump() == R"({"b":1,"a":{"c":true,"d":null},"inner":{"text":"x"}})");
  json["b"] = {{"e", 2.5F}};
  json["new"].push_back("first");
  json["new"].push_back({{"second", 2U}});
  CHECK(json.dump() == R"({"b":{"e":2.5},"a":{"c":true,"d":null},"inner":{"text":"x"},)"
                       R"("new":["first",{"second":2}]})");
  CHECK(json["new"].size() == 2);
  json["new"].back()["third"] = Json();
  CHECK(json["new"][1].dump() == R"({"second":2,"third":null})");
}

TEST_CASE("containers make arrays, maps objects") {
  const std::vector<std::string> texts{"a", "b"};
  const std::array<std::uint64_t, 3> id{1, 2, 3};
  const std::map<std::string, std::uint64_t> counts{{"x", 1}, {"y", 2}};
  CHECK(Json{{"texts", texts}, {"id", id}, {"counts", counts}}.dump() ==
        R"({"texts":["a","b"],"id":[1,2,3],"counts":{"x":1,"y":2}})");
  CHECK(Json::array({Json(1), Json("a")}).dump() == R"([1,"a"])");
  CHECK(Json(std::string_view("text")).dump() == R"("text")");
}

TEST_CASE("each level is indented, and what is empty stays in one line") {
  const Json json{{"list", Json::array({Json(1), Json::array()})}, {"none", Json::object()}};
  CHECK(json.dump(2) == "{\n  \"list\": [\n    1,\n    []\n  ],\n  \"none\": {}\n}");
  CHECK(Json::array().dump(2) == "[]");
}

TEST_CASE("a part of a value can become the value") {
  Json json{{"a", {{"b", Json::array({Json(1)})}}}};
  json = json["a"];
  CHECK(json.dump() == R"({"b":[1]})");
  json = std::move(json["b"]);
  CHECK(json.dump() == "[1]");
  json.push_back(json);
  CHECK(json.dump() == "[1,[1]]");
}

TEST_CASE("texts come back as they were") {
  for (const char* const text :
       {"null", "true", "false", "[]", "{}", "[[],{}]", R"({"b":1,"a":[2,{"c":"d"}]})", "\"\"",
        R"("\"\\\b\f\n\r\t\u0000\u001f/")", "\"\x7f\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""})
    CHECK(again(text) == text);
  CHECK(again(" \t\r\n[ 1 , 2 ]\n") == "[1,2]");
  CHECK(again("\xef\xbb\xbf[1]") == "[1]");
  CHECK(again(R"("\u00e9\u20AC\ud83d\ude00\/")") == "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80/\"");
}

TEST_CASE("a string that is not UTF-8 is refused, or what is not is replaced") {
  const Json json("a\xff\xc3(\xe2\x82");
  CHECK_THROWS_WITH_AS(json.dump(), "invalid UTF-8 byte at index 1: 0xFF", JsonError);
  CHECK(json.dump(-1, JsonText::kReplaced) == "\"a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\"");
  CHECK(json.dump(-1, JsonText::kAscii) == R"("a\ufffd\ufffd(\ufffd")");
  CHECK(Json("\xf0\x9f\x98\x80").dump(-1, JsonText::kAscii) == R"("\ud83d\ude00")");
}

TEST_CASE("numbers are integers as long as 64 bits hold them") {
  const Json least = Json::parse("-9223372036854775808");
  CHECK(least.get<std::int64_t>() == std::numeric_limits<std::int64_t>::min());
  CHECK(least.is_number_integer());
  CHECK_FALSE(least.is_number_unsigned());
  const Json most = Json::parse("18446744073709551615");
  CHECK(most.get<std::uint64_t>() == std::numeric_limits<std::uint64_t>::max());
  CHECK(most.is_number_unsigned());
  CHECK(most.dump() == "18446744073709551615");
  CHECK_FALSE(Json::parse("18446744073709551616").is_number_integer());
  CHECK(again("18446744073709551616") == "1.8446744073709552e+19");
  CHECK(again("-9223372036854775809") == "-9.223372036854776e+18");
  CHECK_FALSE(Json::parse("-0").is_number_unsigned());
  CHECK(again("-0") == "0");
}

TEST_CASE("doubles have the fewest digits that say them, and a fraction") {
  CHECK(again("[1.0,-0.0,1e2,0.1,1e-7,1e15,1e16]") == "[1.0,-0.0,100.0,0.1,1e-07,1e+15,1e+16]");
  CHECK(again("5e-324") == "5e-324");
  CHECK(again("1.7976931348623157e308") == "1.7976931348623157e+308");
  CHECK(Json(0.1F).dump() == "0.10000000149011612");
  CHECK(Json::array({Json(kInfinity), Json(-kInfinity), Json(kInfinity - kInfinity)}).dump() ==
        "[null,null,null]");
}

TEST_CASE("a text that is not JSON has an error with the bytes that were read") {
  CHECK(json_error("") ==
        "1: syntax error while parsing value - unexpected end of input; expected "
        "'[', '{', or a literal");
  CHECK(json_error("[1,\n 2 3]") ==
        "8: syntax error while parsing array - unexpected number literal; expected ']'");
  CHECK(json_error("{\"a\": tru}") ==
        "10: syntax error while parsing value - invalid literal; last read: '\"a\": tru}'");
  CHECK(json_error("{\"a\" 1}") ==
        "6: syntax error while parsing object separator - unexpected number literal; expected ':'");
  CHECK(json_error("[1] 2") ==
        "5: syntax error while parsing value - unexpected number literal; expected end of input");
  CHECK(json_error("\"a\xff\"")
            .starts_with("3: syntax error while parsing value - invalid string: "
                         "ill-formed UTF-8 byte; last read: "));
  CHECK(json_error("\"\\ud800\"")
            .starts_with("8: syntax error while parsing value - invalid string: "
                         "surrogate U+D800..U+DBFF must be followed by "));
  CHECK(json_error("// no comments\n1").starts_with("1: syntax error while parsing value - "));
  CHECK(json_error("[1e999]") == "0: number overflow parsing '1e999'");
  for (const char* const text : {"", "[1", "nul", "[1e999]", "{1:2}", "01"}) {
    CHECK_FALSE(Json::try_parse(text));
    CHECK_FALSE(Json::accept(text));
  }
  CHECK(Json::accept("[1]"));
  CHECK(Json::try_parse("[1]")->dump() == "[1]");
}

TEST_CASE("the last of several members of one name counts, and the others are noted") {
  std::vector<RepeatedMember> repeated;
  const Json json =
      Json::parse(R"({"a":1,"b/~":[0,{"x":1,"y":2,"x":{"z":1,"z":2}}],"a":[3],"a":4})", &repeated);
  CHECK(json.dump() == R"({"a":4,"b/~":[0,{"x":{"z":2},"y":2}]})");
  std::string notes;
  for (const RepeatedMember& each : repeated) notes += each.name + " " + each.pointer + "\n";
  CHECK(notes == "x /b~1~0/1/x\nz /b~1~0/1/x/z\na /a\na /a\n");
}

TEST_CASE("members are sorted by their bytes, in all objects") {
  Json json = Json::parse(R"({"b":[{"y":1,"x":{"d":1,"c":2}}],"é":1,"a":2,"B":3,"aa":4})");
  json.sort_members();
  CHECK(json.dump() == R"({"B":3,"a":2,"aa":4,"b":[{"x":{"c":2,"d":1},"y":1}],"é":1})");
}

TEST_CASE("nesting is not limited by the stack") {
  constexpr std::size_t kDepth = 1'000'000;
  for (const auto& [open, close] :
       {std::pair("[", "]"), std::pair("{\"a\":", "}"), std::pair("[0,{\"a\":", "}]")}) {
    const std::string text = nested(kDepth, open, close);
    CHECK(Json::accept(text));
    Json json = Json::parse(text);
    CHECK(json.is_structured());
    json.sort_members();
    json = Json();
    CHECK_THROWS_AS(Json::parse(text.substr(0, text.size() - 1)), JsonError);
  }
}

TEST_CASE("an object may have many members") {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  const Json json = Json::parse(text + "\"last\":1}");
  CHECK(json.size() == 200'001);
  CHECK(json.at("last").get<int>() == 1);
}

TEST_CASE("a value is got as what it is") {
  const Json json = Json::parse(R"({"yes":true,"n":300,"less":-1,"half":0.5,"t":["a","b"]})");
  CHECK(json["yes"].get<bool>());
  CHECK(json["n"].get<std::uint16_t>() == 300);
  CHECK(json["n"].get<double>() == 300);
  CHECK(json["less"].get<std::int8_t>() == -1);
  CHECK(json["t"].get<std::vector<std::string>>() == std::vector<std::string>{"a", "b"});
  CHECK_THROWS_WITH_AS(json["n"].get<std::uint8_t>(), "expected an integer from 0 to 255",
                       JsonError);
  CHECK_THROWS_WITH_AS(json["n"].get<std::int8_t>(), "expected an integer from -128 to 127",
                       JsonError);
  CHECK_THROWS_AS(json["less"].get<std::uint64_t>(), JsonError);
  CHECK_THROWS_AS(json["half"].get<int>(), JsonError);
  CHECK_THROWS_WITH_AS(json["yes"].get<double>(), "expected a number", JsonError);
  CHECK_THROWS_WITH_AS(json["n"].get<bool>(), "expected true or false", JsonError);
  CHECK_THROWS_WITH_AS(json["n"].string(), "expected a string", JsonError);
  CHECK_THROWS_WITH_AS(json["n"].elements(), "expected an array", JsonError);
  CHECK_THROWS_WITH_AS(json["n"].items(), "expected an object", JsonError);
}

TEST_CASE("members are found, or another value stands for them") {
  const Json json = Json::parse(R"({"text":"x","n":7,"list":[1,2]})");
  CHECK(json.contains("n"));
  CHECK_FALSE(json.contains("m"));
  CHECK(json.find("m") == nullptr);
  CHECK_THROWS_WITH_AS(json.at("m"), "there is no member 'm'", JsonError);
  CHECK(json.value("text", "") == "x");
  CHECK(json.value("m", "none") == "none");
  CHECK(json.value("n", 0U) == 7);
  CHECK(json.value("m", false) == false);
  CHECK_THROWS_AS(json.value("text", 0U), JsonError);
  CHECK(json.elements_of("list").size() == 2);
  CHECK(json.elements_of("m").empty());
  CHECK_THROWS_AS(json.elements_of("text"), JsonError);
  const Json number(1);
  CHECK_FALSE(number.contains("n"));
  CHECK_THROWS_AS(number.value("n", 0U), JsonError);
  CHECK_THROWS_AS(number.elements_of("n"), JsonError);
  CHECK_THROWS_AS(number.size(), JsonError);
}

TEST_CASE("a JSON pointer escapes what its syntax needs") {
  CHECK(json_pointer("", "steps") == "/steps");
  CHECK(json_pointer("/steps", "0") == "/steps/0");
  CHECK(json_pointer("/a", "x/y~z") == "/a/x~1y~0z");
}

}  // namespace transpire::test
