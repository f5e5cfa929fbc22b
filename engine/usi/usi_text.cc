#include "engine/usi/usi_text.h"

#include <algorithm>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/shogi/sfen.h"

namespace joseki::usi {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A day and more: what is larger is a mistake, and sums of times must not overflow.
constexpr int64_t kMaxMs = int64_t{1} << 40;
constexpr int64_t kMaxNodes = int64_t{1} << 60;

absl::Status BadGo(std::string found, std::string expected) {
  return MakeProblem({.code = "bad_go",
                      .file = {},
                      .line = 0,
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

// The number after words[i], which moves on to it.
absl::StatusOr<int64_t> NumberAfter(const std::vector<std::string_view>& words, size_t& i,
                                    int64_t least, int64_t most) {
  const std::string name(words[i]);
  int64_t value = 0;
  if (i + 1 >= words.size()) return BadGo("nothing after " + name, "a number");
  const std::string_view text = words[++i];
  if (!absl::SimpleAtoi(absl::string_view(text.data(), text.size()), &value) || value < least ||
      value > most) {
    return BadGo(absl::StrCat(name, " ", Quote(text)),
                 absl::StrCat("a number from ", least, " to ", most));
  }
  return value;
}

}  // namespace

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  size_t i = 0;
  while (i < line.size()) {
    while (i < line.size() && IsSpace(line[i])) ++i;
    const size_t begin = i;
    while (i < line.size() && !IsSpace(line[i])) ++i;
    if (i > begin) words.push_back(line.substr(begin, i - begin));
  }
  return words;
}

absl::StatusOr<PositionCommand> ParsePosition(const std::vector<std::string_view>& words) {
  auto bad = [](std::string found, std::string expected) {
    return MakeProblem({.code = "bad_position",
                        .file = {},
                        .line = 0,
                        .found = std::move(found),
                        .expected = std::move(expected)});
  };
  if (words.empty()) return bad("nothing", "startpos or sfen");
  PositionCommand command;
  size_t i = 1;
  if (words[0] == "startpos") {
    command.start = "startpos";
  } else if (words[0] == "sfen") {
    for (; i < words.size() && words[i] != "moves"; ++i) {
      if (i > 4) return bad(Quote(words[i]), "four fields of a position, then moves");
      if (!command.start.empty()) command.start += ' ';
      command.start += words[i];
    }
    if (command.start.empty()) return bad("nothing after sfen", "a position");
  } else {
    return bad(Quote(words[0]), "startpos or sfen");
  }
  if (i < words.size()) {
    if (words[i] != "moves") return bad(Quote(words[i]), "moves");
    command.moves.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
  }
  return command;
}

absl::StatusOr<GoCommand> ParseGo(const std::vector<std::string_view>& words) {
  GoCommand go;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "infinite") {
      go.infinite = true;
    } else if (word == "ponder") {
      go.ponder = true;
    } else if (word == "mate") {
      // "go mate [<ms>|infinite]" and nothing else.
      if (i > 0) return BadGo(Quote(words[i - 1]) + " before mate", "go mate alone");
      go.mate = true;
      if (words.size() > 1 && words[1] != "infinite") {
        ASSIGN_OR_RETURN(go.mate_ms, NumberAfter(words, i, 1, kMaxMs));
      }
      if (words.size() > 2) return BadGo(Quote(words[2]), "nothing after the time of mate");
      return go;
    } else if (word == "nodes") {
      ASSIGN_OR_RETURN(const int64_t nodes, NumberAfter(words, i, 1, kMaxNodes));
      go.nodes = static_cast<uint64_t>(nodes);
    } else if (word == "depth") {
      ASSIGN_OR_RETURN(const int64_t depth, NumberAfter(words, i, 1, kMaxPly - 1));
      go.depth = static_cast<int>(depth);
    } else if (word == "movetime") {
      ASSIGN_OR_RETURN(go.movetime, NumberAfter(words, i, 1, kMaxMs));
    } else if (word == "searchmoves") {
      go.search_moves.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      if (go.search_moves.empty()) return BadGo("nothing after searchmoves", "moves");
      return go;
    } else {
      int64_t* field = nullptr;
      if (word == "btime") field = &go.clock.remaining[0];
      if (word == "wtime") field = &go.clock.remaining[1];
      if (word == "binc") field = &go.clock.increment[0];
      if (word == "winc") field = &go.clock.increment[1];
      if (word == "byoyomi") field = &go.clock.byoyomi;
      if (field == nullptr) return BadGo(Quote(word), "a limit of go");
      // A clock that has run out may be shown below zero.
      ASSIGN_OR_RETURN(const int64_t ms, NumberAfter(words, i, -kMaxMs, kMaxMs));
      *field = std::max<int64_t>(ms, 0);
      go.has_clock = true;
    }
  }
  return go;
}

absl::StatusOr<OptionCommand> ParseOption(const std::vector<std::string_view>& words) {
  auto bad = [](std::string found) {
    return MakeProblem({.code = "bad_setoption",
                        .file = {},
                        .line = 0,
                        .found = std::move(found),
                        .expected = "name <name> [value <value>]"});
  };
  if (words.empty()) return bad("nothing");
  if (words[0] != "name") return bad(Quote(words[0]));
  OptionCommand command;
  std::string* target = &command.name;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "value" && target == &command.name) {
      target = &command.value;
      continue;
    }
    if (!target->empty()) *target += ' ';
    *target += words[i];
  }
  if (command.name.empty()) return bad("no name");
  return command;
}

std::string FormatScore(Value value) {
  if (!IsMate(value)) return absl::StrCat("cp ", value);
  return value > 0 ? absl::StrCat("mate ", kValueMate - value)
                   : absl::StrCat("mate -", kValueMate + value);
}

std::string FormatInfo(const SearchInfo& info) {
  const auto ms = static_cast<uint64_t>(std::max<int64_t>(info.elapsed_ms, 1));
  std::string text =
      absl::StrCat("info depth ", info.depth, " seldepth ", info.seldepth, " score ",
                   FormatScore(info.value), " nodes ", info.nodes, " nps ", info.nodes * 1000 / ms,
                   " hashfull ", info.hashfull, " time ", info.elapsed_ms);
  if (info.lines > 1) absl::StrAppend(&text, " multipv ", info.line);
  if (!info.pv.empty()) {
    text += " pv";
    for (const Move move : info.pv) absl::StrAppend(&text, " ", shogi::ToUsi(move));
  }
  return text;
}

std::string FormatCheckmate(const shogi::MateResult& result) {
  switch (result.verdict) {
    case shogi::MateVerdict::kNoMate:
      return "checkmate nomate";
    case shogi::MateVerdict::kUnknown:
      return "checkmate timeout";
    case shogi::MateVerdict::kMate:
      break;
  }
  std::string text = "checkmate";
  for (const Move move : result.line) absl::StrAppend(&text, " ", shogi::ToUsi(move));
  return text;
}

std::string FormatBestMove(const SearchResult& result, bool with_ponder) {
  if (result.declare) return "bestmove win";
  if (!result.best) return "bestmove resign";
  std::string text = "bestmove " + shogi::ToUsi(result.best);
  if (with_ponder && result.ponder) text += " ponder " + shogi::ToUsi(result.ponder);
  return text;
}

}  // namespace joseki::usi
