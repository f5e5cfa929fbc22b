#include "engine/usi/usi_text.h"

#include <algorithm>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::usi {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A bound of 2^40 ms. Larger values are mistakes, and sums of times must not overflow.
constexpr int64_t kMaxMs = int64_t{1} << 40;
constexpr int64_t kMaxNodes = int64_t{1} << 60;
constexpr int64_t kMaxMovesToGo = 1000;

absl::Status BadGo(std::string found, std::string expected) {
  return MakeProblem({.code = "bad_go",
                      .file = {},
                      .line = 0,
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

// The number after words[i]; advances `i` to it.
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

absl::StatusOr<PositionCommand> ParsePosition(const std::vector<std::string_view>& words,
                                              const Protocol& protocol) {
  auto bad = [](std::string found, std::string expected) {
    return MakeProblem({.code = "bad_position",
                        .file = {},
                        .line = 0,
                        .found = std::move(found),
                        .expected = std::move(expected)});
  };
  const std::string word(protocol.position);
  if (words.empty()) return bad("nothing", "startpos or " + word);
  PositionCommand command;
  size_t i = 1;
  if (words[0] == "startpos") {
    command.start = "startpos";
  } else if (words[0] == word) {
    for (; i < words.size() && words[i] != "moves"; ++i) {
      if (static_cast<int>(i) > protocol.position_fields) {
        return bad(Quote(words[i]), absl::StrCat(protocol.position_fields,
                                                 " fields of a position at most, then moves"));
      }
      if (!command.start.empty()) command.start += ' ';
      command.start += words[i];
    }
    if (command.start.empty()) return bad("nothing after " + word, "a position");
  } else {
    return bad(Quote(words[0]), "startpos or " + word);
  }
  if (i < words.size()) {
    if (words[i] != "moves") return bad(Quote(words[i]), "moves");
    command.moves.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
  }
  return command;
}

absl::StatusOr<GoCommand> ParseGo(const std::vector<std::string_view>& words,
                                  const Protocol& protocol, Color mover) {
  GoCommand go;
  const auto limit_at = [&](size_t i) {
    return std::find_if(protocol.go_words.begin(), protocol.go_words.end(),
                        [&](const GoWord& word) { return word.word == words[i]; });
  };
  const auto none = protocol.go_words.end();
  for (size_t i = 0; i < words.size(); ++i) {
    const auto known = limit_at(i);
    if (known == none) {
      go.passed_over.emplace_back(words[i]);
      continue;
    }
    int64_t* clock = nullptr;
    switch (known->limit) {
      case GoLimit::kInfinite:
        go.infinite = true;
        break;
      case GoLimit::kPonder:
        go.ponder = true;
        break;
      case GoLimit::kPassedOver:
        break;
      case GoLimit::kPassedOverTime:
        RETURN_IF_ERROR(NumberAfter(words, i, -kMaxMs, kMaxMs).status());
        break;
      case GoLimit::kMateSearch:
        // "go mate [<ms>|infinite]" and nothing else.
        if (i > 0) return BadGo(Quote(words[i - 1]) + " before mate", "go mate alone");
        go.mate = true;
        if (words.size() > 1 && words[1] != "infinite") {
          ASSIGN_OR_RETURN(go.mate_ms, NumberAfter(words, i, 1, kMaxMs));
        }
        if (words.size() > 2) return BadGo(Quote(words[2]), "nothing after the time of mate");
        return go;
      case GoLimit::kMateInMoves: {
        ASSIGN_OR_RETURN(const int64_t moves, NumberAfter(words, i, 1, kMaxPly / 2));
        go.depth = static_cast<int>(2 * moves - 1);
        break;
      }
      case GoLimit::kNodes: {
        ASSIGN_OR_RETURN(const int64_t nodes, NumberAfter(words, i, 1, kMaxNodes));
        go.nodes = static_cast<uint64_t>(nodes);
        break;
      }
      case GoLimit::kDepthOrEndless:
        if (i + 1 < words.size() && words[i + 1] == "infinite") break;  // handled as the next word
        [[fallthrough]];
      case GoLimit::kDepth: {
        ASSIGN_OR_RETURN(const int64_t depth, NumberAfter(words, i, 1, kMaxPly - 1));
        go.depth = static_cast<int>(depth);
        break;
      }
      case GoLimit::kMoveTime: {
        ASSIGN_OR_RETURN(go.movetime, NumberAfter(words, i, 1, kMaxMs));
        break;
      }
      case GoLimit::kSearchMoves:
        while (i + 1 < words.size() && limit_at(i + 1) == none) {
          go.search_moves.emplace_back(words[++i]);
        }
        if (go.search_moves.empty()) return BadGo("nothing after searchmoves", "moves");
        break;
      case GoLimit::kFirstTime:
        clock = &go.clock.remaining[0];
        break;
      case GoLimit::kSecondTime:
        clock = &go.clock.remaining[1];
        break;
      case GoLimit::kOwnTime:
        clock = &go.clock.remaining[Index(mover)];
        break;
      case GoLimit::kFirstIncrement:
        clock = &go.clock.increment[0];
        break;
      case GoLimit::kSecondIncrement:
        clock = &go.clock.increment[1];
        break;
      case GoLimit::kOwnIncrement:
        clock = &go.clock.increment[Index(mover)];
        break;
      case GoLimit::kByoyomi:
        clock = &go.clock.byoyomi;
        break;
      case GoLimit::kMovesToGo: {
        ASSIGN_OR_RETURN(const int64_t moves, NumberAfter(words, i, 0, kMaxMovesToGo));
        go.clock.moves_to_go = static_cast<int>(moves);
        break;
      }
    }
    if (clock == nullptr) continue;
    // A GUI may show a negative time on an expired clock.
    ASSIGN_OR_RETURN(const int64_t ms, NumberAfter(words, i, -kMaxMs, kMaxMs));
    *clock = std::max<int64_t>(ms, 0);
    go.has_clock = true;
  }
  if (!go.passed_over.empty() && !go.ends() && !go.infinite && !go.ponder) {
    return BadGo(Quote(go.passed_over.front()), "a limit of go");
  }
  return go;
}

absl::StatusOr<OptionCommand> ParseOption(const std::vector<std::string_view>& words,
                                          const Protocol& protocol) {
  const bool named = protocol.named_options;
  auto bad = [&](std::string found) {
    return MakeProblem({.code = "bad_setoption",
                        .file = {},
                        .line = 0,
                        .found = std::move(found),
                        .expected = named ? "name <name> [value <value>]" : "<name> [<value>]"});
  };
  if (words.empty()) return bad("nothing");
  if (named && words[0] != "name") return bad(Quote(words[0]));
  OptionCommand command;
  for (size_t i = named ? 1 : 0; i < words.size(); ++i) {
    const bool at_value = named && words[i] == "value";
    if (at_value || (!named && !command.name.empty())) {  // UCCI: a name is one word
      const size_t first = at_value ? i + 1 : i;
      if (first == words.size()) break;
      // To the end of the line as it stands: a path may have several blanks in a row.
      const std::string_view last = words.back();
      const char* const from = words[first].data();
      command.value.assign(from, static_cast<size_t>(last.data() + last.size() - from));
      break;
    }
    if (!command.name.empty()) command.name += ' ';
    command.name += words[i];
  }
  if (command.name.empty()) return bad("no name");
  return command;
}

std::string FormatScore(Value value, const Protocol& protocol) {
  if (protocol.plain_scores) return absl::StrCat(value);
  if (!IsMate(value)) return absl::StrCat("cp ", value);
  const int plies = value > 0 ? kValueMate - value : kValueMate + value;
  // The mated side plays as many moves as the other, or one less.
  const int count = protocol.mates_in_moves ? (plies + (value > 0 ? 1 : 0)) / 2 : plies;
  return absl::StrCat("mate ", value > 0 ? "" : "-", count);
}

std::string WithRanks(std::string_view move, int by) {
  std::string text;
  for (size_t i = 0; i < move.size();) {
    const size_t end = std::min(move.find_first_not_of("0123456789", i), move.size());
    int rank = 0;
    if (end == i) {
      text += move[i++];
      continue;
    }
    // Anything but a rank stays unchanged.
    const absl::string_view digits(move.data() + i, end - i);
    if (absl::SimpleAtoi(digits, &rank)) {
      absl::StrAppend(&text, rank + by);
    } else {
      absl::StrAppend(&text, digits);
    }
    i = end;
  }
  return text;
}

std::string FormatInfo(const SearchInfo& info, const Protocol& protocol,
                       const MoveText& move_text) {
  const auto ms = static_cast<uint64_t>(std::max<int64_t>(info.elapsed_ms, 1));
  const std::string score = FormatScore(info.value, protocol);
  std::string text =
      protocol.plain_scores
          ? absl::StrCat("info time ", info.elapsed_ms, " nodes ", info.nodes, "\ninfo depth ",
                         info.depth, " score ", score)
          : absl::StrCat("info depth ", info.depth, " seldepth ", info.seldepth, " score ", score,
                         " nodes ", info.nodes, " nps ", info.nodes * 1000 / ms, " hashfull ",
                         info.hashfull, " time ", info.elapsed_ms);
  if (info.lines > 1) absl::StrAppend(&text, " multipv ", info.line);
  if (!info.pv.empty()) {
    text += " pv";
    for (const Move move : info.pv) absl::StrAppend(&text, " ", move_text(move));
  }
  return text;
}

std::string FormatCheckmate(const MateResult& result, const MoveText& move_text) {
  switch (result.verdict) {
    case MateVerdict::kNoMate:
      return "checkmate nomate";
    case MateVerdict::kUnknown:
      return "checkmate timeout";
    case MateVerdict::kMate:
      break;
  }
  std::string text = "checkmate";
  for (const Move move : result.line) absl::StrAppend(&text, " ", move_text(move));
  return text;
}

std::string FormatBestMove(const SearchResult& result, bool with_ponder, const Protocol& protocol,
                           const MoveText& move_text) {
  if (result.declare) return "bestmove win";
  if (!result.best) return std::string(protocol.no_move);
  std::string text = "bestmove " + move_text(result.best);
  if (with_ponder && result.ponder) text += " ponder " + move_text(result.ponder);
  return text;
}

}  // namespace joseki::usi
