#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "nlohmann/json.hpp"

// Parsing of JSON from others. Parsed values are copied, compared and written recursively, so
// parsing bounds their depth.
namespace joseki {

// The deepest nesting of objects and arrays.
inline constexpr size_t kDeepestJson = 256;

// The reason why a text was refused.
struct JsonFault {
  size_t at = 0;          // offset in bytes; unknown if `too_deep`
  bool too_deep = false;  // more than kDeepestJson
};

namespace json_internal {

// The library's parser, with a bound on the depth.
template <typename Json>
class BoundedParser : public nlohmann::detail::json_sax_dom_parser<Json> {
 public:
  using Base = nlohmann::detail::json_sax_dom_parser<Json>;

  BoundedParser(Json& value, JsonFault& fault)
      : Base(value, /*allow_exceptions=*/false), fault_(fault) {}

  bool start_object(size_t size) { return Enter() && Base::start_object(size); }
  bool start_array(size_t size) { return Enter() && Base::start_array(size); }
  bool end_object() {
    --depth_;
    return Base::end_object();
  }
  bool end_array() {
    --depth_;
    return Base::end_array();
  }
  template <typename Exception>
  bool parse_error(size_t at, const std::string& token, const Exception& exception) {
    fault_.at = at;
    return Base::parse_error(at, token, exception);
  }

 private:
  bool Enter() {
    fault_.too_deep = ++depth_ > kDeepestJson;
    return !fault_.too_deep;
  }

  JsonFault& fault_;
  size_t depth_ = 0;
};

}  // namespace json_internal

enum class JsonComments { kRefused, kIgnored };

// Parses a text into nlohmann::json or ordered_json. If it is no JSON or too deep, the value is
// discarded and `fault`, unless null, is set.
template <typename Json>
Json ParseJson(std::string_view text, JsonFault* fault = nullptr,
               JsonComments comments = JsonComments::kRefused) {
  Json value;
  JsonFault told;
  json_internal::BoundedParser<Json> parser(value, told);
  const bool taken = Json::sax_parse(text, &parser, Json::input_format_t::json, /*strict=*/true,
                                     comments == JsonComments::kIgnored);
  if (fault != nullptr) *fault = told;
  return taken ? value : Json(Json::value_t::discarded);
}

}  // namespace joseki
