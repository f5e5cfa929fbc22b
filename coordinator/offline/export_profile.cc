#include "coordinator/offline/export_profile.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "book/formats/db_minimax.h"
#include "book/formats/turned.h"

namespace joseki::coordinator {
namespace {

// Makers of books from counts write this; BookDepthLimit (16) refuses less.
constexpr int kNominalDepth = 32;
// A move with less than this part of the answer's share is not worth mixing in.
constexpr double kLeastMixed = 0.2;
constexpr double kYoCounts = 1'000'000;
constexpr double kAperyCounts = 65'535;
constexpr double kSbkWeights = 10'000;
constexpr int kNoLimit = -99'999;

struct ProfileName {
  std::string_view name;
  ExportProfile profile;
};
constexpr ProfileName kNames[] = {
    {"yo-single", ExportProfile::kYoSingle}, {"yo-count", ExportProfile::kYoCount},
    {"yo-mix", ExportProfile::kYoMix},       {"peta", ExportProfile::kPeta},
    {"dlshogi", ExportProfile::kDlshogi},    {"sbk", ExportProfile::kSbk},
};

// The scale that dlshogi fits its win rates to.
int ScoreOfShare(double score) {
  return static_cast<int>(std::lround(-std::log(1 / score - 1) * 754.3));
}

double ScoreOf(const book::Evidence& evidence) {
  return (evidence.wins + 0.5 * evidence.draws + 1) / (evidence.games() + 2.0);
}

// A share in parts of `whole`: at least one where there is any.
uint64_t Parts(double share, double whole) {
  if (share <= 0) return 0;
  return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(share * whole)));
}

book::DbMove MoveFor(const ExportBook::Move& move, double share, int best, ExportProfile profile) {
  book::DbMove out;
  out.move = move.move;
  out.ponder = move.ponder;
  out.has_value = true;
  out.has_depth = true;
  out.value = ValueOf(move);
  out.depth = std::max(kNominalDepth, move.depth);
  switch (profile) {
    case ExportProfile::kYoSingle:
      out.count = static_cast<uint64_t>(std::max<int64_t>(1, move.games + move.book_count));
      break;
    case ExportProfile::kYoCount:
      out.value = best;  // so that no value refuses what the counts allow
      out.count = Parts(share, kYoCounts);
      break;
    case ExportProfile::kYoMix:
      out.value = best;
      out.count = 1;
      break;
    case ExportProfile::kPeta:
      out.count = 0;
      break;
    case ExportProfile::kDlshogi:
      out.count = Parts(share, kAperyCounts);
      out.value = ScoreOfShare(move.value.has_value() ? 1 / (1 + std::exp(-*move.value / 600.0))
                                                      : ScoreOf(move.evidence));
      break;
    case ExportProfile::kSbk:
      out.count = Parts(share, kSbkWeights);
      break;
  }
  return out;
}

}  // namespace

std::vector<std::string> ExportProfileNames() {
  std::vector<std::string> names;
  for (const ProfileName& known : kNames) names.emplace_back(known.name);
  return names;
}

std::optional<ExportProfile> ExportProfileOf(std::string_view name) {
  for (const ProfileName& known : kNames) {
    if (name == known.name) return known.profile;
  }
  return std::nullopt;
}

ExportFormat DefaultFormat(ExportProfile profile) {
  if (profile == ExportProfile::kDlshogi) return ExportFormat::kApery;
  if (profile == ExportProfile::kSbk) return ExportFormat::kSbk;
  return ExportFormat::kYaneuraouDb;
}

bool MayBeWrittenAs(ExportProfile profile, ExportFormat format) {
  // A .ybb book has no counts.
  const bool ybb = profile == ExportProfile::kYoSingle || profile == ExportProfile::kYoMix ||
                   profile == ExportProfile::kPeta;
  const bool text = DefaultFormat(profile) == ExportFormat::kYaneuraouDb;
  return format == DefaultFormat(profile) || (ybb && format == ExportFormat::kYbb) ||
         (text && format == ExportFormat::kProbe);
}

std::vector<double> SharesOf(const ExportBook::Position& position) {
  std::vector<double> shares;
  double most = 0;
  double total = 0;
  for (const ExportBook::Move& move : position.moves) {
    shares.push_back(move.mark.empty()
                         ? static_cast<double>(std::max<int64_t>(0, move.games + move.book_count))
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

std::vector<book::DbPosition> PositionsFor(const ExportBook& book, ExportProfile profile) {
  const bool by_counts = profile == ExportProfile::kYoCount || profile == ExportProfile::kDlshogi ||
                         profile == ExportProfile::kSbk;
  std::vector<book::DbPosition> positions;
  for (const ExportBook::Position& from : book.positions) {
    const auto answer = std::find_if(from.moves.begin(), from.moves.end(),
                                     [](const ExportBook::Move& move) { return move.answer; });
    if (answer == from.moves.end()) continue;
    const std::vector<double> shares = SharesOf(from);
    const double largest = shares[static_cast<size_t>(answer - from.moves.begin())];
    const int best = ValueOf(*answer);
    book::DbPosition position;
    position.packed = from.packed;
    position.ply = from.ply;
    for (size_t i = 0; i < from.moves.size(); ++i) {
      const ExportBook::Move& move = from.moves[i];
      if (!move.mark.empty() && !move.answer) continue;
      if (profile == ExportProfile::kYoSingle && !move.answer) continue;
      if (profile == ExportProfile::kYoMix && shares[i] < kLeastMixed * largest) continue;
      position.moves.push_back(MoveFor(move, shares[i], best, profile));
      // Of equal shares the answer's is the larger one.
      if (move.answer && by_counts) ++position.moves.back().count;
    }
    if (profile == ExportProfile::kDlshogi) {
      for (book::DbMove& move : position.moves) move.count = std::min<uint64_t>(move.count, 65'535);
    }
    positions.push_back(std::move(position));
  }
  if (profile == ExportProfile::kPeta) {
    book::TurnToBlack(positions);
    book::MinimaxBook(positions, /*turned=*/true);
  }
  return positions;
}

book::Probe ProbeFor(const book::DbPosition& position, ExportProfile profile) {
  const Color to_move = book::SideToMove(position.packed);
  switch (profile) {
    case ExportProfile::kYoSingle:
      return book::ProbeYaneuraou(position, to_move, {});
    case ExportProfile::kYoCount:
      return book::ProbeYaneuraou(position, to_move, {.by_count = true});
    case ExportProfile::kYoMix:
      return book::ProbeYaneuraou(position, to_move, {.eval_diff = 0});
    case ExportProfile::kPeta:
      return book::ProbeYaneuraou(position, to_move, {.eval_diff = 0, .depth_limit = 0});
    case ExportProfile::kDlshogi:
      return book::ProbeApery(position, /*best=*/false);
    case ExportProfile::kSbk:
      return book::ProbeShogiGui(position);
  }
  return {};
}

std::vector<std::string> OptionsFor(ExportProfile profile) {
  switch (profile) {
    case ExportProfile::kYoSingle:
      return {};
    case ExportProfile::kYoCount:
      return {"ConsiderBookMoveCount true (not in versions with BOOK_OPTIONS V2)"};
    case ExportProfile::kYoMix:
      return {"BookEvalDiff 0 (V2: BookEvalBlackDiff 0, BookEvalWhiteDiff 0)"};
    case ExportProfile::kPeta:
      return {"BookEvalDiff 0 (V2: BookEvalBlackDiff 0, BookEvalWhiteDiff 0)", "BookDepthLimit 0",
              "FlippedBook true", "IgnoreBookPly true"};
    case ExportProfile::kDlshogi:
      return {"Best_Book_Move true for the answer alone, false to play by counts"};
    case ExportProfile::kSbk:
      return {};
  }
  return {};
}

std::vector<std::string> WarningsFor(const std::vector<book::DbPosition>& positions,
                                     ExportProfile profile) {
  struct Refused {
    int64_t positions = 0;
    int64_t furthest = 0;  // ply, or value
  };
  std::map<std::string, Refused> refused;  // by option
  for (const book::DbPosition& position : positions) {
    const book::Probe probe = ProbeFor(position, profile);
    if (std::any_of(probe.choices.begin(), probe.choices.end(),
                    [](const book::Probe::Choice& choice) { return choice.share > 0; })) {
      continue;
    }
    const std::string& option = !probe.option.empty() || probe.choices.empty()
                                    ? probe.option
                                    : probe.choices.front().option;
    Refused& row = refused[option];
    ++row.positions;
    if (option == "BookMoves") {
      row.furthest = std::max<int64_t>(row.furthest, position.ply);
    } else {
      int best = kNoLimit;
      for (const book::DbMove& move : position.moves) best = std::max(best, move.value);
      row.furthest = std::min<int64_t>(row.furthest, best);
    }
  }
  std::vector<std::string> warnings;
  for (const auto& [option, row] : refused) {
    warnings.push_back(absl::StrCat("at ", row.positions, " positions the engine's default ",
                                    option, " refuses the tuned move; set it to ", row.furthest,
                                    " to play all of them"));
  }
  return warnings;
}

}  // namespace joseki::coordinator
