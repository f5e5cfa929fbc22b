#include "coordinator/offline/export_style.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "book/formats/db_minimax.h"
#include "book/formats/fit.h"
#include "book/formats/obk.h"
#include "book/formats/turned.h"

namespace joseki::coordinator {
namespace {

// The depth that makers of books from counts write; BookDepthLimit (16) refuses less.
constexpr int kStyleDepth = 32;
// The smallest share, as part of the answer's, of a move that is mixed in.
constexpr double kLeastMixed = 0.2;
constexpr double kYoCounts = 1'000'000;
constexpr double kAperyCounts = 65'535;
constexpr double kSbkWeights = 10'000;
// The least value that Apery accepts (Min_Book_Score).
constexpr int kAperyLeast = -180;
// Scores to which shogi programs and dlshogi fit expected results: 1 / (1 + exp(-score / scale)).
constexpr double kScale = 600;
constexpr double kDlshogiScale = 754.3;

struct StyleName {
  std::string_view name;
  ExportStyle style;
};
constexpr StyleName kNames[] = {
    {"yo-single", ExportStyle::kYoSingle}, {"yo-count", ExportStyle::kYoCount},
    {"yo-mix", ExportStyle::kYoMix},       {"peta", ExportStyle::kPeta},
    {"dlshogi", ExportStyle::kDlshogi},    {"sbk", ExportStyle::kSbk},
};

// A share in parts of `whole`; at least one if it is positive.
uint64_t Parts(double share, double whole) {
  if (share <= 0) return 0;
  return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(share * whole)));
}

book::DbMove MoveFor(const ExportBook::Move& move, double share, int best, ExportStyle style) {
  book::DbMove out;
  out.move = move.move;
  out.ponder = move.ponder;
  out.has_value = true;
  out.has_depth = true;
  out.value = move.worth;
  out.depth = std::max(kStyleDepth, move.depth);
  switch (style) {
    case ExportStyle::kYoSingle:
      out.count = static_cast<uint64_t>(std::max<int64_t>(1, move.games + move.book_count));
      break;
    case ExportStyle::kYoCount:
      out.value = best;  // no value may refuse what the counts allow
      out.count = Parts(share, kYoCounts);
      break;
    case ExportStyle::kYoMix:
      out.value = best;
      out.count = 1;
      break;
    case ExportStyle::kPeta:
      out.count = static_cast<uint64_t>(move.games + move.book_count);
      break;
    case ExportStyle::kDlshogi:
      out.count = Parts(share, kAperyCounts);
      out.value =
          std::max(static_cast<int>(std::lround(move.worth * kDlshogiScale / kScale)), kAperyLeast);
      break;
    case ExportStyle::kSbk:
      out.count = Parts(share, kSbkWeights);
      break;
  }
  return out;
}

// Turns `positions`, which hold the answers alone, to Black, and backs their values up along the
// answers. The other moves are added behind the answers: by minimax the best of many noisy values
// would lead.
void BackUpAnswers(const ExportBook& book, std::vector<book::DbPosition>& positions) {
  book::TurnToBlack(positions);
  // Two positions that are each other's images have an answer each: keep the one with more games.
  for (book::DbPosition& position : positions) {
    const auto most = std::max_element(
        position.moves.begin(), position.moves.end(),
        [](const book::DbMove& a, const book::DbMove& b) { return a.count < b.count; });
    position.moves = {*most};
  }
  book::MinimaxBook(positions, /*turned=*/true, /*draw=*/0, /*add_moves=*/false);
  std::vector<book::DbPosition> others;
  for (const ExportBook::Position& from : book.positions) {
    book::DbPosition position{.packed = from.packed, .ply = from.ply};
    for (const ExportBook::Move& move : from.moves) {
      if (move.bad && !move.answer) continue;
      position.moves.push_back({.move = move.move,
                                .value = move.worth,
                                .depth = 1,
                                .count = 0,
                                .has_value = true,
                                .has_depth = true});
    }
    if (!position.moves.empty()) others.push_back(std::move(position));
  }
  book::TurnToBlack(others);
  auto other = others.begin();
  for (book::DbPosition& position : positions) {
    while (other->packed != position.packed) ++other;
    const Move answer = position.moves.front().move;
    position.moves.front().count = 0;
    for (const book::DbMove& move : other->moves) {
      if (move.move != answer) position.moves.push_back(move);
    }
    book::FitFor(book::BookFormat::kYaneuraouDb, answer, position);
  }
}

}  // namespace

std::vector<std::string> ExportStyleNames() {
  std::vector<std::string> names;
  for (const StyleName& known : kNames) names.emplace_back(known.name);
  return names;
}

std::optional<ExportStyle> ExportStyleOf(std::string_view name) {
  for (const StyleName& known : kNames) {
    if (name == known.name) return known.style;
  }
  return std::nullopt;
}

book::BookFormat DefaultFormat(ExportStyle style) {
  if (style == ExportStyle::kDlshogi) return book::BookFormat::kApery;
  if (style == ExportStyle::kSbk) return book::BookFormat::kSbk;
  return book::BookFormat::kYaneuraouDb;
}

bool MayBeWrittenAs(ExportStyle style, book::BookFormat format) {
  // A .ybb book has no counts.
  const bool ybb = style == ExportStyle::kYoSingle || style == ExportStyle::kYoMix ||
                   style == ExportStyle::kPeta;
  const bool text = DefaultFormat(style) == book::BookFormat::kYaneuraouDb;
  return format == DefaultFormat(style) || (ybb && format == book::BookFormat::kYbb) ||
         (text && format == book::BookFormat::kProbe);
}

std::vector<double> SharesOf(const ExportBook::Position& position) {
  std::vector<double> shares;
  double most = 0;
  double total = 0;
  const ExportBook::Move* const answer = AnswerAmong(position.moves);
  const int least = answer == nullptr ? 0 : answer->worth - kMixMargin;
  const bool expected = answer != nullptr && answer->expected.has_value();
  for (const ExportBook::Move& move : position.moves) {
    const bool mixes = !move.bad && move.worth >= least && (!expected || move.expected.has_value());
    shares.push_back(mixes ? static_cast<double>(std::max<int64_t>(0, move.games + move.book_count))
                           : 0);
    most = std::max(most, shares.back());
  }
  for (size_t i = 0; i < shares.size(); ++i) {
    if (position.moves[i].answer) shares[i] = most > 0 ? most : 1;
    total += shares[i];
  }
  for (double& share : shares) share = total > 0 ? share / total : 0;
  return shares;
}

void KeepSide(ExportBook& book, Color side) {
  std::erase_if(book.positions, [&](const ExportBook::Position& position) {
    return book::SideToMove(position.packed) != side;
  });
}

std::vector<book::DbPosition> PositionsFor(const ExportBook& book, ExportStyle style) {
  const bool by_counts = style == ExportStyle::kYoCount || style == ExportStyle::kDlshogi ||
                         style == ExportStyle::kSbk;
  std::vector<book::DbPosition> positions;
  for (const ExportBook::Position& from : book.positions) {
    const ExportBook::Move* const answer = AnswerAmong(from.moves);
    if (answer == nullptr) continue;
    const std::vector<double> shares = SharesOf(from);
    const double largest = shares[static_cast<size_t>(answer - from.moves.data())];
    const int best = std::max(answer->worth, book::LeastValue(book::SideToMove(from.packed)));
    book::DbPosition position;
    position.packed = from.packed;
    position.ply = from.ply;
    for (size_t i = 0; i < from.moves.size(); ++i) {
      const ExportBook::Move& move = from.moves[i];
      if (move.bad && !move.answer) continue;
      const bool alone = style == ExportStyle::kYoSingle || style == ExportStyle::kPeta;
      if (alone && !move.answer) continue;
      if (style == ExportStyle::kYoCount && shares[i] <= 0) continue;
      if (style == ExportStyle::kYoMix && shares[i] < kLeastMixed * largest) continue;
      position.moves.push_back(MoveFor(move, shares[i], best, style));
      // Among equal shares the answer's count is made the largest.
      if (move.answer && by_counts) ++position.moves.back().count;
      if (move.answer && style == ExportStyle::kDlshogi) {
        int& value = position.moves.back().value;
        value = std::max(value, book::LeastValue(book::SideToMove(from.packed)));
      }
    }
    if (style == ExportStyle::kDlshogi) {
      for (book::DbMove& move : position.moves) move.count = std::min<uint64_t>(move.count, 65'535);
    }
    if (style == ExportStyle::kYoSingle) {
      book::FitFor(book::BookFormat::kYaneuraouDb, answer->move, position);
    }
    positions.push_back(std::move(position));
  }
  if (style == ExportStyle::kPeta) BackUpAnswers(book, positions);
  return positions;
}

book::Reader ReaderFor(ExportStyle style) {
  if (style == ExportStyle::kDlshogi) return book::Reader::kDlshogi;
  if (style == ExportStyle::kSbk) return book::Reader::kShogiGui;
  return book::Reader::kYaneuraou;
}

book::Probe ProbeFor(const book::DbPosition& position, ExportStyle style) {
  book::YaneuraouOptions set = {.moves = std::numeric_limits<int>::max()};
  switch (style) {
    case ExportStyle::kYoSingle:
      return book::ProbeYaneuraou(position, set);
    case ExportStyle::kYoCount:
      set.by_count = true;
      return book::ProbeYaneuraou(position, set);
    case ExportStyle::kYoMix:
      set.eval_diff = 0;
      return book::ProbeYaneuraou(position, set);
    case ExportStyle::kPeta:
      return book::ProbeYaneuraou(position, set);
    case ExportStyle::kDlshogi:
    case ExportStyle::kSbk:
      break;
  }
  return book::ProbeBy(ReaderFor(style), DefaultFormat(style), position);
}

std::vector<std::string> OptionsFor(ExportStyle style) {
  switch (style) {
    case ExportStyle::kYoSingle:
      return {};
    case ExportStyle::kYoCount:
      return {
          "set in YaneuraOu: ConsiderBookMoveCount true (not in versions with BOOK_OPTIONS V2)"};
    case ExportStyle::kYoMix:
      return {"set in YaneuraOu: BookEvalDiff 0 (V2 has it so)"};
    case ExportStyle::kPeta:
      return {"set in YaneuraOu: FlippedBook true, IgnoreBookPly true"};
    case ExportStyle::kDlshogi:
      return {
          "set in dlshogi or Apery: Best_Book_Move true for the answer alone, false to play by "
          "counts"};
    case ExportStyle::kSbk:
      return {};
  }
  return {};
}

namespace {

std::string Positions(int64_t count) {
  return absl::StrCat(count, count == 1 ? " position" : " positions");
}

// How many positions a .obk answers otherwise, as it answers their mirror images.
int64_t AnsweredAsImages(const std::vector<book::DbPosition>& positions) {
  const auto answer = [](const book::DbPosition& position) {
    return std::max_element(
               position.moves.begin(), position.moves.end(),
               [](const book::DbMove& a, const book::DbMove& b) { return a.count < b.count; })
        ->move;
  };
  const std::vector<book::DbPosition> written = book::AsWrittenToObk(positions);
  int64_t others = 0;
  for (size_t i = 0; i < positions.size(); ++i) {
    if (positions[i].moves.empty()) continue;
    others += answer(positions[i]) != answer(written[i]);
  }
  return others;
}

}  // namespace

std::vector<std::string> NotesOn(const ExportBook& book,
                                 const std::vector<book::DbPosition>& positions,
                                 book::BookFormat format) {
  if (!book.run.has_value()) return {};
  const book::BookHolds& holds = book::RowOf(format).holds;
  if (!holds.values && !holds.counts) return {};
  int64_t fitted = 0;
  for (size_t i = 0; i < positions.size(); ++i) {
    const std::vector<ExportBook::Move>& moves = book.positions[i].moves;
    fitted += std::any_of(
        positions[i].moves.begin(), positions[i].moves.end(), [&](const book::DbMove& written) {
          const auto move =
              std::find_if(moves.begin(), moves.end(),
                           [&](const ExportBook::Move& m) { return m.move == written.move; });
          return written.value != move->worth ||
                 written.count != static_cast<uint64_t>(move->games);
        });
  }
  std::vector<std::string> notes;
  if (fitted > 0) {
    notes.push_back(absl::StrCat(
        "at ", Positions(fitted),
        " values and counts are fitted, so that programs play the answer by default; what games "
        "say of the moves stands in ",
        format == book::BookFormat::kYaneuraouDb ? "the comments, all that is known in " : "",
        "--format json"));
  }
  const int64_t others = format == book::BookFormat::kObk ? AnsweredAsImages(positions) : 0;
  if (others > 0) {
    notes.push_back(absl::StrCat("at ", Positions(others),
                                 " the answer is that of the mirror image, which the run knows "
                                 "better: a .obk has one for both"));
  }
  return notes;
}

std::vector<std::string> WarningsFor(const std::vector<book::DbPosition>& positions,
                                     book::BookFormat format) {
  struct Refused {
    int64_t positions = 0;
    int64_t furthest = 0;  // ply, or value
  };
  if (std::all_of(positions.begin(), positions.end(),
                  [](const book::DbPosition& position) { return position.moves.empty(); })) {
    return {"the file has no positions: no move is played from it"};
  }
  std::vector<std::string> warnings;
  for (const book::Reader reader : book::ReadersOf(format)) {
    std::map<std::string_view, Refused> refused;  // by option
    for (const book::DbPosition& position : positions) {
      const std::optional<book::Refusal> refusal = book::RefusalBy(reader, format, position);
      if (!refusal) continue;
      Refused& row = refused[refusal->option];
      ++row.positions;
      row.furthest = refusal->needed >= 0 ? std::max(row.furthest, refusal->needed)
                                          : std::min(row.furthest, refusal->needed);
    }
    if (refused.empty()) continue;
    int64_t count = 0;
    std::vector<std::string> options;
    for (const auto& [option, row] : refused) {
      count += row.positions;
      options.push_back(absl::StrCat(std::string(option), " ", row.furthest));
    }
    warnings.push_back(absl::StrCat("set in ", std::string(book::Name(reader)), ": ",
                                    absl::StrJoin(options, ", "), " (its defaults refuse ",
                                    Positions(count), ")"));
  }
  return warnings;
}

}  // namespace joseki::coordinator
