#include "book/formats/json_book.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/game_form.h"
#include "nlohmann/json.hpp"

namespace joseki::book {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr int kDeepestBook = 32;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Finds the borders of the values in a JSON text. The values themselves are left to the parser,
// which gets one position at a time.
class Values {
 public:
  explicit Values(std::string_view bytes) : bytes_(bytes) {
    if (bytes_.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
  }

  // The next non-blank character, not consumed; 0 at the end. Counts lines.
  char Peek() {
    for (; at_ < bytes_.size() && IsBlank(bytes_[at_]); ++at_) line_ += bytes_[at_] == '\n';
    return at_ < bytes_.size() ? bytes_[at_] : '\0';
  }
  int line() const { return line_; }
  // Empty after an unterminated string was skipped.
  std::string_view rest() const { return bytes_.substr(std::min(at_, bytes_.size())); }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  // The text of the next value; nullopt if it is unterminated or nested too deeply.
  std::optional<std::string_view> Next() {
    Peek();
    const size_t begin = at_;
    int depth = 0;
    do {
      if (at_ == bytes_.size()) return std::nullopt;
      const char c = bytes_[at_];
      line_ += c == '\n';
      if (c == '"') {
        if (!PassText()) return std::nullopt;
      } else if (c == '{' || c == '[') {
        if (++depth > kDeepestBook) return std::nullopt;
        ++at_;
      } else if (c == '}' || c == ']') {
        if (--depth < 0) return std::nullopt;
        ++at_;
      } else if (depth > 0) {
        ++at_;
      } else {
        while (at_ < bytes_.size() && !IsBlank(bytes_[at_]) && bytes_[at_] != ',' &&
               bytes_[at_] != ']' && bytes_[at_] != '}') {
          ++at_;
        }
        if (at_ == begin || at_ == bytes_.size()) return std::nullopt;
      }
    } while (depth > 0);
    return bytes_.substr(begin, at_ - begin);
  }

 private:
  bool PassText() {
    for (++at_; at_ < bytes_.size(); ++at_) {
      if (bytes_[at_] == '\\') {
        ++at_;
      } else if (bytes_[at_] == '"') {
        ++at_;
        return true;
      }
      if (at_ < bytes_.size()) line_ += bytes_[at_] == '\n';
    }
    return false;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  int line_ = 1;
};

// The member `key` of an object; null if it is missing.
const Json* Member(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

// The text of a member; empty if it is missing or not a string.
std::string Text(const Json& object, const char* key) {
  const Json* const member = Member(object, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

// Reads an integer, clamped to T's range; nullopt if it is null or missing. Returns false for
// anything else.
template <typename T>
bool Number(const Json& object, const char* key, std::optional<T>& number) {
  const Json* const member = Member(object, key);
  if (member == nullptr || member->is_null()) return true;
  if (member->is_number_unsigned()) {
    number = static_cast<T>(
        std::min<uint64_t>(member->get<uint64_t>(), uint64_t{std::numeric_limits<T>::max()}));
    return true;
  }
  if (!member->is_number_integer() || std::numeric_limits<T>::min() == 0) return false;
  number = static_cast<T>(
      std::max<int64_t>(member->get<int64_t>(), int64_t{std::numeric_limits<int>::min()}));
  return true;
}

template <typename Form>
class JsonBookReader {
  using Position = typename Form::Position;

 public:
  JsonBookReader(std::string_view bytes, std::string_view file, const DbSink& sink)
      : values_(bytes), file_(file), sink_(sink) {}

  absl::Status Read() {
    if (!values_.Take('{')) return Broken("an object");
    bool read = false;
    for (bool first = true; !values_.Take('}'); first = false) {
      if (!first && !values_.Take(',')) return Broken("',' or '}' after a value");
      if (values_.Peek() != '"') return Broken("a key");
      const std::optional<std::string_view> key = values_.Next();
      if (!key.has_value() || !values_.Take(':')) return Broken("a key and ':'");
      if (*key == "\"positions\"") {
        if (std::exchange(read, true)) return Broken("\"positions\" once");
        RETURN_IF_ERROR(ReadPositions());
        continue;
      }
      const std::optional<std::string_view> value = values_.Next();
      if (!value.has_value()) return Broken("a value that ends");
      RETURN_IF_ERROR(CheckHead(*key, *value));
    }
    if (values_.Peek() != '\0') return Broken("nothing after the object");
    if (!read) return Broken("an object with \"positions\"");
    return absl::OkStatus();
  }

 private:
  absl::Status Broken(std::string expected) {
    values_.Peek();
    return MakeProblem({.code = "bad_json",
                        .file = std::string(file_),
                        .line = values_.line(),
                        .found = values_.rest().empty() ? "the end" : Quote(values_.rest(), 20),
                        .expected = std::move(expected)});
  }

  absl::Status CheckHead(std::string_view key, std::string_view value) {
    const std::string game = absl::StrCat("\"", std::string(Form::kGame), "\"");
    const bool fits = (key != "\"schema\"" || value == "1") && (key != "\"game\"" || value == game);
    if (fits) return absl::OkStatus();
    return MakeProblem({.code = "unknown_version",
                        .file = std::string(file_),
                        .line = values_.line(),
                        .found = Quote(value),
                        .expected = key == "\"game\"" ? game : "schema 1"});
  }

  absl::Status ReadPositions() {
    if (!values_.Take('[')) return Broken("an array of positions");
    for (bool first = true; !values_.Take(']'); first = false) {
      if (!first && !values_.Take(',')) return Broken("',' or ']' after a position");
      values_.Peek();
      line_ = values_.line();
      const std::optional<std::string_view> value = values_.Next();
      if (!value.has_value()) return Broken("a position that ends");
      ReadPosition(ParseJson<Json>(*value));
    }
    return absl::OkStatus();
  }

  void ReadPosition(const Json& json) {
    if (!json.is_object()) return Reject("bad_json", "no object", "a position with its moves");
    const std::string text = Text(json, "position");
    const absl::StatusOr<Placed<Position>> parsed = Form::Parse(text);
    if (!parsed.ok()) return Reject(parsed.status());
    if (!Form::HasKings(parsed->position)) {
      return Reject("no_king", Quote(text), "a king of each side, as in a game");
    }
    const Json* const moves = Member(json, "moves");
    if (moves == nullptr || !moves->is_array() || moves->empty()) {
      return Reject("no_moves", "a position without moves", "at least one move");
    }
    DbPosition position;
    position.line = line_;
    position.packed = Form::Pack(parsed->position);
    position.ply = parsed->ply;
    for (const Json& move : *moves) ReadMove(parsed->position, move, position.moves);
    if (!position.moves.empty()) sink_.accept(std::move(position));
  }

  void ReadMove(const Position& position, const Json& json, std::vector<DbMove>& moves) {
    if (!json.is_object()) return Reject("bad_json", "no object", "a move");
    const absl::StatusOr<Move> move = Form::ParseMove(position, Text(json, "move"));
    if (!move.ok()) return Reject(move.status());
    if (Text(json, "mark") == "bad") {
      return Reject("marked_bad", Quote(Form::Text(*move)), "a move that the book may play");
    }
    DbMove entry;
    entry.move = *move;
    std::optional<int> value;
    std::optional<int> depth;
    std::optional<uint64_t> count;
    std::optional<uint64_t> games;
    std::optional<uint64_t> played;
    if (!Number(json, "value", value) || !Number(json, "depth", depth) ||
        !Number(json, "count", count) || !Number(json, "games", games) ||
        !Number(json, "n", played)) {
      return Reject("bad_json", Quote(Form::Text(*move)),
                    "whole numbers as value, depth, count, games and n");
    }
    entry.has_value = value.has_value();
    entry.value = value.value_or(0);
    entry.has_depth = depth.has_value();
    entry.depth = depth.value_or(0);
    if (count.has_value() || games.has_value()) {
      entry.count = SumOfCounts(count.value_or(0), games.value_or(0));
    } else {
      entry.count = SumOfCounts(0, played.value_or(entry.count));
    }
    SetPonder(position, Text(json, "ponder"), entry);
    AddMove(moves, entry);
  }

  void SetPonder(const Position& position, const std::string& text, DbMove& entry) {
    if (text.empty()) return;
    Position next = position;
    typename Form::Undo undo;
    next.Do(entry.move, undo);
    const absl::StatusOr<Move> ponder = Form::ParseMove(next, text);
    if (ponder.ok()) {
      entry.ponder = *ponder;
      return;
    }
    const Problem problem = ProblemOf(ponder.status());
    Reject("illegal_ponder", problem.found, problem.expected);
  }

  void Reject(const absl::Status& problem) { sink_.reject(At(problem, file_, line_)); }
  void Reject(const char* code, std::string found, std::string expected) {
    Reject(MakeProblem({.code = code, .found = std::move(found), .expected = std::move(expected)}));
  }

  Values values_;
  const std::string_view file_;
  const DbSink& sink_;
  int line_ = 0;  // of the current position
};

}  // namespace

bool IsJsonBook(std::string_view bytes) {
  Values values(bytes);
  if (!values.Take('{')) return false;
  for (bool first = true;; first = false) {
    if (!first && !values.Take(',')) return false;
    if (values.Peek() != '"') return false;
    const std::optional<std::string_view> key = values.Next();
    if (!key.has_value() || !values.Take(':')) return false;
    if (*key == "\"positions\"") return true;
    if (*key == "\"moves\"" || *key == "\"header\"" || *key == "\"initial\"") return false;
    if (!values.Next().has_value()) return false;
  }
}

std::string GameOfJsonBook(std::string_view bytes) {
  std::string game(ShogiForm::kGame);
  Values values(bytes);
  if (!values.Take('{')) return game;
  do {
    const std::optional<std::string_view> key = values.Next();
    if (!key.has_value() || *key == "\"positions\"" || !values.Take(':')) break;
    const std::optional<std::string_view> value = values.Next();
    if (!value.has_value()) break;
    if (*key == "\"game\"" && value->size() > 2) game = value->substr(1, value->size() - 2);
  } while (values.Take(','));
  return game;
}

absl::Status ReadJsonBook(std::string_view bytes, std::string_view file, const DbSink& sink) {
  return WithForm(GameOfJsonBook(bytes), [&](auto form) {
    return JsonBookReader<decltype(form)>(bytes, file, sink).Read();
  });
}

namespace {

// Texts of positions and moves never need escaping.
template <typename Form>
bool AppendPosition(const DbPosition& position, const char* separator, std::string& out) {
  const absl::StatusOr<typename Form::Position> board = Form::Unpack(position.packed);
  if (!board.ok()) return false;
  absl::StrAppend(&out, separator, "{\"position\":\"", Form::Text(*board, position.ply),
                  "\",\"moves\":[");
  const char* comma = "";
  for (const DbMove& move : position.moves) {
    absl::StrAppend(&out, comma, "{\"move\":\"", Form::Text(move.move), "\",\"ponder\":",
                    move.ponder ? absl::StrCat("\"", Form::Text(move.ponder), "\"") : "null");
    absl::StrAppend(&out, ",\"value\":", move.has_value ? absl::StrCat(move.value) : "null",
                    ",\"depth\":", move.has_depth ? absl::StrCat(move.depth) : "null",
                    ",\"count\":", move.count, "}");
    comma = ",";
  }
  out += "]}";
  return true;
}

}  // namespace

void JsonBookWriter::Add(const DbPosition& position, std::string& out) {
  if (!any_) game_ = GameOf(position.packed);
  // Malformed positions are skipped.
  const bool added = WithForm(game_, [&](auto form) {
    return AppendPosition<decltype(form)>(position, any_ ? ",\n" : "\n", out);
  });
  any_ = any_ || added;
}

std::string JsonBookWriter::Head() const {
  return absl::StrCat("{\"schema\":1,\"game\":\"", std::string(game_), "\",\"positions\":[");
}
std::string JsonBookWriter::Tail() { return "\n]}\n"; }

std::string WriteJsonBook(std::vector<DbPosition> positions) {
  Canonicalise(positions);
  std::string text;
  JsonBookWriter writer;
  for (const DbPosition& position : positions) writer.Add(position, text);
  return absl::StrCat(writer.Head(), text, JsonBookWriter::Tail());
}

}  // namespace joseki::book
