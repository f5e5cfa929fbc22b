#include "book/formats/reader.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "book/formats/turned.h"

namespace joseki::book {
namespace {

// Min_Book_Score of Apery and dlshogi.
constexpr int kAperyLeast = -180;
constexpr int kDlshogiLeast = -3000;
constexpr int kNoLimit = -99'999;
// Depth that YaneuraOu assigns to moves of a book.bin.
constexpr int kDepthOfBin = 256;

constexpr std::pair<Reader, std::string_view> kNames[] = {
    {Reader::kYaneuraou, "YaneuraOu"},     {Reader::kYaneuraouV2, "YaneuraOu V2"},
    {Reader::kShogiHome, "ShogiHome"},     {Reader::kApery, "Apery"},
    {Reader::kDlshogi, "dlshogi"},         {Reader::kShogiGui, "ShogiGUI"},
    {Reader::kElephantEye, "ElephantEye"}, {Reader::kBhgui, "BHGUI"},
    {Reader::kJoseki, "joseki-engine"},
};

constexpr Reader kOfDb[] = {Reader::kYaneuraou, Reader::kYaneuraouV2, Reader::kShogiHome,
                            Reader::kJoseki};
constexpr Reader kOfBin[] = {Reader::kApery, Reader::kDlshogi, Reader::kYaneuraou,
                             Reader::kShogiHome, Reader::kJoseki};
constexpr Reader kOfSbk[] = {Reader::kShogiGui, Reader::kShogiHome, Reader::kJoseki};
constexpr Reader kOfGikou[] = {Reader::kApery, Reader::kJoseki};
constexpr Reader kOfEleeye[] = {Reader::kElephantEye};
constexpr Reader kOfObk[] = {Reader::kBhgui};
constexpr Reader kOfOurs[] = {Reader::kJoseki};

// True if counts decide the move, as in the programs that the format comes from.
bool IsCounted(BookFormat format) {
  return format == BookFormat::kApery || format == BookFormat::kGikou ||
         format == BookFormat::kSbk || format == BookFormat::kEleeye || format == BookFormat::kObk;
}

YaneuraouOptions DefaultsOf(Reader reader, Color to_move) {
  if (reader != Reader::kYaneuraouV2) return {};
  return {
      .moves = 200, .eval_diff = 0, .depth_limit = to_move == Color::kFirst ? 0 : 5, .v2 = true};
}

// joseki-engine has no limit except BookEvalDiff.
YaneuraouOptions Unlimited(bool by_count, int eval_diff) {
  return {.moves = std::numeric_limits<int>::max(),
          .eval_diff = eval_diff,
          .black_limit = kNoLimit,
          .white_limit = kNoLimit,
          .depth_limit = 0,
          .by_count = by_count};
}

const char* DepthLimitName(const YaneuraouOptions& options, bool black) {
  if (!options.v2) return "BookDepthLimit";
  return black ? "BookDepthBlackLimit" : "BookDepthWhiteLimit";
}

const char* ValueLimitName(bool black) {
  return black ? "BookEvalBlackLimit" : "BookEvalWhiteLimit";
}

// The move that YaneuraOu sorts first.
const DbMove& FirstOf(const DbPosition& position, bool counts) {
  return *std::min_element(
      position.moves.begin(), position.moves.end(), [counts](const DbMove& a, const DbMove& b) {
        return counts ? std::tuple(b.count, b.value) < std::tuple(a.count, a.value)
                      : b.value < a.value;
      });
}

int BestValue(const DbPosition& position) {
  return std::max_element(position.moves.begin(), position.moves.end(),
                          [](const DbMove& a, const DbMove& b) { return a.value < b.value; })
      ->value;
}

// The position as YaneuraOu holds it in memory after reading this format.
DbPosition InYaneuraou(BookFormat format, DbPosition position) {
  for (DbMove& move : position.moves) {
    if (format == BookFormat::kApery) move.depth = kDepthOfBin;
    if (format == BookFormat::kYbb) move.count = 1;
  }
  return position;
}

// Distributes the share among the choices that nothing refuses, equally or by counts.
void Share(const DbPosition& position, bool by_count, Probe& probe) {
  double total = 0;
  const auto part = [&](size_t i) {
    if (!probe.choices[i].option.empty()) return 0.0;
    return by_count ? static_cast<double>(position.moves[i].count) : 1.0;
  };
  for (size_t i = 0; i < probe.choices.size(); ++i) total += part(i);
  for (size_t i = 0; i < probe.choices.size(); ++i) {
    if (total > 0) probe.choices[i].share = part(i) / total;
  }
  if (total == 0 && by_count) Share(position, false, probe);
}

Probe Of(const DbPosition& position) {
  Probe probe;
  for (const DbMove& move : position.moves) probe.choices.push_back({.move = move.move});
  return probe;
}

void RefuseAll(std::string option, std::string why, Probe& probe) {
  for (Probe::Choice& choice : probe.choices) choice.option = option;
  probe.option = std::move(option);
  probe.why = std::move(why);
}

// Plays the first move in the file.
Probe ProbeShogiHome(const DbPosition& position) {
  Probe probe = Of(position);
  for (size_t i = 0; i < probe.choices.size(); ++i) {
    Probe::Choice& choice = probe.choices[i];
    if (i == 0) {
      choice.share = 1;
    } else {
      choice.option = "moveSelectionRule";
      choice.why = "it is not the first in the file";
    }
  }
  return probe;
}

// Plays the move with the largest score.
Probe ProbeBhgui(const DbPosition& position) {
  Probe probe = Of(position);
  const auto most =
      std::max_element(position.moves.begin(), position.moves.end(),
                       [](const DbMove& a, const DbMove& b) { return a.count < b.count; });
  for (size_t i = 0; i < probe.choices.size(); ++i) {
    Probe::Choice& choice = probe.choices[i];
    if (choice.move == most->move) {
      choice.share = 1;
    } else {
      choice.option = "vscore";
      choice.why = "another has a larger score";
    }
  }
  return probe;
}

}  // namespace

std::string_view Name(Reader wanted) {
  for (const auto& [reader, name] : kNames) {
    if (reader == wanted) return name;
  }
  return "";
}

std::span<const Reader> ReadersOf(BookFormat format) {
  switch (format) {
    case BookFormat::kYaneuraouDb:
    case BookFormat::kYbb:
      return kOfDb;
    case BookFormat::kApery:
      return kOfBin;
    case BookFormat::kSbk:
      return kOfSbk;
    case BookFormat::kGikou:
      return kOfGikou;
    case BookFormat::kEleeye:
      return kOfEleeye;
    case BookFormat::kObk:
      return kOfObk;
    case BookFormat::kUsiLines:
    case BookFormat::kUcciLines:
      return {};
    case BookFormat::kProbe:
    case BookFormat::kJson:
      break;
  }
  return kOfOurs;
}

Probe ProbeBy(Reader reader, BookFormat format, const DbPosition& position) {
  switch (reader) {
    case Reader::kYaneuraou:
    case Reader::kYaneuraouV2:
      return ProbeYaneuraou(InYaneuraou(format, position),
                            DefaultsOf(reader, SideToMove(position.packed)));
    case Reader::kShogiHome:
      return ProbeShogiHome(position);
    case Reader::kApery:
      return ProbeApery(position, /*best=*/false, kAperyLeast);
    case Reader::kDlshogi:
      return ProbeApery(position, /*best=*/true, kDlshogiLeast);
    case Reader::kShogiGui:
    case Reader::kElephantEye:
      return ProbeByWeights(position);
    case Reader::kBhgui:
      return ProbeBhgui(position);
    case Reader::kJoseki:
      break;
  }
  return ProbeYaneuraou(position, Unlimited(IsCounted(format), YaneuraouOptions().eval_diff));
}

Probe ChoiceBy(Reader reader, BookFormat format, const DbPosition& position) {
  switch (reader) {
    case Reader::kYaneuraou:
    case Reader::kYaneuraouV2:
      return ProbeYaneuraou(
          InYaneuraou(format, position),
          Unlimited(false, DefaultsOf(reader, SideToMove(position.packed)).eval_diff));
    case Reader::kApery:
    case Reader::kDlshogi:
      return ProbeApery(position, reader == Reader::kDlshogi, kNoLimit);
    default:
      return ProbeBy(reader, format, position);
  }
}

std::optional<Refusal> RefusalBy(Reader reader, BookFormat format, const DbPosition& position) {
  if (position.moves.empty()) return std::nullopt;
  const auto below = [&](int least) -> std::optional<Refusal> {
    const int best = BestValue(position);
    if (best >= least) return std::nullopt;
    return Refusal{"Min_Book_Score", best};
  };
  switch (reader) {
    case Reader::kApery:
      return below(kAperyLeast);
    case Reader::kDlshogi: {
      const DbMove* most = &position.moves.front();
      for (const DbMove& move : position.moves) {
        if (move.count >= most->count) most = &move;
      }
      if (most->value >= kDlshogiLeast) return std::nullopt;
      return Refusal{"Min_Book_Score", most->value};
    }
    case Reader::kShogiGui:
    case Reader::kElephantEye:
      for (const DbMove& move : position.moves) {
        if (move.count > 0) return std::nullopt;
      }
      return Refusal{"Weight", 1};
    case Reader::kShogiHome:
    case Reader::kBhgui:
    case Reader::kJoseki:
      return std::nullopt;
    case Reader::kYaneuraou:
    case Reader::kYaneuraouV2:
      break;
  }
  const bool black = SideToMove(position.packed) == Color::kFirst;
  const YaneuraouOptions options = DefaultsOf(reader, black ? Color::kFirst : Color::kSecond);
  if (position.ply > options.moves) return Refusal{"BookMoves", position.ply};
  const int depth = format == BookFormat::kApery
                        ? kDepthOfBin
                        : FirstOf(position, /*counts=*/format != BookFormat::kYbb).depth;
  if (depth < options.depth_limit) return Refusal{DepthLimitName(options, black), 0};
  const int best = BestValue(position);
  if (best >= (black ? options.black_limit : options.white_limit)) return std::nullopt;
  return Refusal{ValueLimitName(black), best};
}

Probe ProbeYaneuraou(const DbPosition& position, const YaneuraouOptions& options) {
  Probe probe = Of(position);
  if (position.moves.empty()) return probe;
  if (position.ply > options.moves) {
    RefuseAll("BookMoves",
              absl::StrCat("ply ", position.ply, " is beyond BookMoves (", options.moves, ")"),
              probe);
    return probe;
  }
  const DbMove& first = FirstOf(position, /*counts=*/true);
  const bool black = SideToMove(position.packed) == Color::kFirst;
  if (first.depth < options.depth_limit) {
    const char* const name = DepthLimitName(options, black);
    RefuseAll(name,
              absl::StrCat("the first move's depth ", first.depth, " is below ", name, " (",
                           options.depth_limit, ")"),
              probe);
    return probe;
  }
  const int limit = black ? options.black_limit : options.white_limit;
  const char* const limit_name = ValueLimitName(black);
  const char* const diff_name = !options.v2 ? "BookEvalDiff"
                                : black     ? "BookEvalBlackDiff"
                                            : "BookEvalWhiteDiff";
  const int near = first.value - options.eval_diff;
  for (size_t i = 0; i < position.moves.size(); ++i) {
    const int value = position.moves[i].value;
    Probe::Choice& choice = probe.choices[i];
    if (value < limit) {
      choice.option = limit_name;
      choice.why = absl::StrCat("its value ", value, " is below ", limit_name, " (", limit, ")");
    } else if (value < near) {
      choice.option = diff_name;
      choice.why = absl::StrCat("its value ", value, " is more than ", diff_name, " (",
                                options.eval_diff, ") below the first move's ", first.value);
    }
  }
  Share(position, options.by_count, probe);
  return probe;
}

Probe ProbeApery(const DbPosition& position, bool best, int min_score) {
  Probe probe = Of(position);
  size_t last = 0;  // last move with the largest count
  for (size_t i = 0; i < position.moves.size(); ++i) {
    if (position.moves[i].count >= position.moves[last].count) last = i;
  }
  for (size_t i = 0; i < position.moves.size(); ++i) {
    const DbMove& move = position.moves[i];
    Probe::Choice& choice = probe.choices[i];
    if (move.value < min_score) {
      choice.option = "Min_Book_Score";
      choice.why =
          absl::StrCat("its value ", move.value, " is below Min_Book_Score (", min_score, ")");
    } else if (best && i != last) {
      choice.option = "Best_Book_Move";
      choice.why = absl::StrCat("its count ", move.count, " is not the largest (",
                                position.moves[last].count, "), or not the last of these");
    }
  }
  Share(position, /*by_count=*/true, probe);
  return probe;
}

Probe ProbeByWeights(const DbPosition& position) {
  Probe probe = Of(position);
  for (size_t i = 0; i < position.moves.size(); ++i) {
    if (position.moves[i].count > 0) continue;
    probe.choices[i].option = "Weight";
    probe.choices[i].why = "its weight is 0";
  }
  if (std::all_of(position.moves.begin(), position.moves.end(),
                  [](const DbMove& move) { return move.count == 0; })) {
    return probe;
  }
  Share(position, /*by_count=*/true, probe);
  return probe;
}

}  // namespace joseki::book
