#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "nlohmann/json.hpp"

// JSON from others. Functions that recurse for each nested value copy, compare and write a parsed
// value, so reading bounds the depth.
namespace joseki {

// The deepest nesting of objects and arrays.
inline constexpr size_t kDeepestJson = 256;

// Why a text was not taken.
struct JsonFault {
  size_t at = 0;          // the byte; not known of what is too deep
  bool too_deep = false;  // more than kDeepestJson
};

namespace json_internal {

// The library's own way to a value, with a bound.
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

// The value of a text, nlohmann::json or ordered_json; a discarded one, with `fault` told if it is
// not null, of a text that is no JSON or too deep.
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
