#include "book/database/extended_book.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "book/formats/turned.h"
#include "book/records/game_filter.h"

namespace joseki::book {
namespace {

constexpr double kHalfTrusted = 4;  // number of games at which their evidence counts half
constexpr double kEqualMoves = 8;
constexpr double kWorstShare = -0.15;
constexpr double kRatingScale = 200;
constexpr double kYearScale = 10;
constexpr double kValueScale = 300;

// The start state; null if the rules have no such start.
std::unique_ptr<GameState> StartOf(const Rules& rules) {
  auto state = rules.Start("startpos", MatchRules{});
  return state.ok() ? *std::move(state) : nullptr;
}

double Unit(double x) { return std::clamp(x, -1.0, 1.0); }

// Mean of `sum` over `count` minus the mean of `all` over `all_count`, in units of `scale`. 0 if a
// count is 0.
double Beside(int64_t sum, uint32_t count, int64_t all, uint32_t all_count, double scale) {
  if (count == 0) return 0;
  return Unit((static_cast<double>(sum) / count - static_cast<double>(all) / all_count) / scale);
}

}  // namespace

ExtendedBook::Facts& ExtendedBook::At(const GameState& state, int ply, Move move) {
  Entry& entry = entries_[state.key()];
  if (entry.moves.empty()) {
    entry.packed = state.packed();
    entry.ply = ply;
  }
  entry.ply = std::min(entry.ply, ply);
  for (Facts& facts : entry.moves) {
    if (facts.move == move) return facts;
  }
  entry.moves.emplace_back().move = move;
  return entry.moves.back();
}

void ExtendedBook::Add(const book::GameRecord& game) {
  ++games_;
  const std::optional<int> day = book::DayOf(game.date);
  const auto state = StartOf(rules_);
  if (state == nullptr) return;
  int ply = 0;
  for (const Move move : game.moves) {
    if (++ply > options_.plies) break;
    Facts& facts = At(*state, ply, move);
    const Color side = book::SideToMove(state->packed());
    ++facts.games;
    facts.wins += game.result == WinFor(side);
    facts.losses += game.result == WinFor(~side);
    facts.draws += game.result == Result::kDraw;
    if (const std::optional<int>& rating = game.ratings[Index(side)]; rating.has_value()) {
      ++facts.rated;
      facts.ratings += *rating;
    }
    if (day.has_value()) {
      ++facts.dated;
      facts.years += *day / 10'000;
    }
    for (const book::Opinion& opinion : game.opinions) {
      if (opinion.ply != ply) continue;
      ++facts.valued;
      facts.values += opinion.value;
    }
    if (!state->Play(move)) return;
  }
}

void ExtendedBook::Add(const book::Variation& variation) {
  ++variations_;
  const auto state = StartOf(rules_);
  if (state == nullptr) return;
  int ply = 0;
  for (const Move move : variation.moves) {
    if (++ply > options_.plies) break;
    if (ply >= variation.first) {
      ++At(*state, ply, move).in_comments;
    }
    if (!state->Play(move)) return;
  }
}

int ExtendedBook::BonusOf(const Entry& entry, const Facts& facts) const {
  Facts all;
  for (const Facts& move : entry.moves) {
    all.games += move.games;
    all.in_comments += move.in_comments;
    all.rated += move.rated;
    all.ratings += move.ratings;
    all.dated += move.dated;
    all.years += move.years;
  }
  const bool played = facts.games > 0;
  const double seen = played ? facts.games : facts.in_comments;
  const double of = played ? all.games : all.in_comments;
  const double share =
      std::max(kWorstShare, Unit((seen / of - 1 / kEqualMoves) / (1 - 1 / kEqualMoves)));
  const double decided = facts.wins + facts.draws + facts.losses;
  const double result = Unit(2 * (facts.wins + 0.5 * facts.draws + 1) / (decided + 2) - 1);
  const double strength = Beside(facts.ratings, facts.rated, all.ratings, all.rated, kRatingScale);
  const double lately = Beside(facts.years, facts.dated, all.years, all.dated, kYearScale);
  const double comments =
      facts.valued == 0 ? 0 : Unit(static_cast<double>(facts.values) / facts.valued / kValueScale);
  const double sum = Unit(share + 0.5 * result + 0.25 * strength + 0.15 * lately + 0.25 * comments);
  const double trust = seen / (seen + kHalfTrusted) * (played ? 1 : 0.5);
  return static_cast<int>(std::lround(options_.most * trust * sum));
}

std::vector<book::DbPosition> ExtendedBook::Make() const {
  std::vector<book::DbPosition> positions;
  for (const auto& [key, entry] : entries_) {
    uint64_t games = 0;
    for (const Facts& facts : entry.moves) games += facts.games + facts.in_comments;
    if (games < options_.min_games) continue;
    book::DbPosition& position = positions.emplace_back();
    position.packed = entry.packed;
    position.ply = entry.ply;
    for (const Facts& facts : entry.moves) {
      book::DbMove& move = position.moves.emplace_back();
      move.move = facts.move;
      move.value = BonusOf(entry, facts);
      move.has_value = true;
      move.count = facts.games;
    }
  }
  book::Canonicalise(positions);
  return positions;
}

}  // namespace joseki::book
