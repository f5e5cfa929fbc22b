#include "coordinator/runs/match_state.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "coordinator/model/match_spec.h"
#include "coordinator/store/own_sides.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

using book::PlayedGame;

book::Series SeriesOf(const book::SeriesRules& rules, const std::vector<PlayedGame>& played) {
  book::Series series(rules);
  for (const PlayedGame& game : played) series.Done(game.game, game.outcome);
  return series;
}

}  // namespace

std::string MatchEnd(book::Series::State state) {
  return absl::StrCat("the match is ", std::string(Name(state)));
}

PlayedGame PlayedGameOf(const Slot& slot, const GameRow& row) {
  PlayedGame played;
  played.game = GameOf(slot);
  played.outcome.ending = row.ending;
  played.outcome.moves_hash = row.moves_hash;
  played.outcome.plies = static_cast<uint32_t>(row.moves.size());
  played.outcome.worker = row.worker;
  return played;
}

absl::StatusOr<std::vector<PlayedGame>> ReadMatch(RunStore& rows, const RunRow& run,
                                                  const Trust& trust) {
  std::vector<PlayedGame> played;
  if (!run.spec.match) return played;
  OwnSides sides(rows, run.spec);
  RETURN_IF_ERROR(rows.games().ForEach(run.run, 0, [&](const GameRow& game) -> absl::Status {
    if (trust.Excludes(game.worker, game.lease)) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::optional<Slot> slot, sides.SlotOf(game));
    if (slot) played.push_back(PlayedGameOf(*slot, game));
    return absl::OkStatus();
  }));
  return played;
}

absl::Status CheckMatchBooks(RunStore& rows, const RunSpec& spec) {
  const std::string own = spec.play.own_book ? spec.play.own_book->sha256 : "";
  for (const std::string& book : {own, spec.play.opponent->book}) {
    if (book.empty()) continue;
    Sha256 sha256{};
    std::copy_n(book.begin(), std::min(book.size(), sha256.size()), sha256.begin());
    RETURN_IF_ERROR(rows.runs().ReadSnapshot(sha256).status());
  }
  return absl::OkStatus();
}

MatchState::MatchState(const RunSpec& spec, int attempts, const std::vector<PlayedGame>& played)
    : seed_(spec.seed),
      rules_(SeriesRulesOf(*spec.match)),
      attempts_(static_cast<uint32_t>(attempts)),
      series_(SeriesOf(rules_, played)) {}

bool MatchState::Next(Slot& slot) {
  const std::optional<book::SeriesGame> game = series_.Next();
  if (!game) return false;
  out_.insert(*game);
  slot.kind = SlotKind::kMatch;
  slot.seed = book::SeedOf(seed_, *game);
  slot.own = game->a_first ? Color::kFirst : Color::kSecond;
  slot.pair = game->pair;
  slot.attempt = game->attempt;
  return true;
}

void MatchState::Take(const Slot& slot) {
  const book::SeriesGame game = GameOf(slot);
  out_.insert(game);
  series_.Take(game);
}

void MatchState::GiveBack(const Slot& slot, const std::optional<LineFailure>& failed) {
  const book::SeriesGame game = GameOf(slot);
  out_.erase(game);
  series_.GiveBack(game);
  if (!failed) return;
  std::vector<LineFailure>& failures = failures_[game];
  failures.push_back(*failed);
  if (failures.size() < attempts_) return;
  const bool one = std::all_of(failures.begin(), failures.end(), [&](const LineFailure& failure) {
    return failure.worker == failed->worker;
  });
  series_.Void(game, one ? failed->worker : "");
}

void MatchState::GiveUp() {
  if (series_.IsHopeless()) series_.EndAsVoid();
}

void MatchState::Done(const Slot& slot, const GameRow& row) {
  const PlayedGame played = PlayedGameOf(slot, row);
  out_.erase(played.game);
  failures_.erase(played.game);
  series_.Done(played.game, played.outcome);
  if (tail_) tail_->push_back({played, row.worker, row.lease});
}

void MatchState::Adopt(std::vector<PlayedGame> played, const Trust& trust) {
  // A game in both lists is ignored the second time.
  const std::vector<TailGame> tail =
      std::exchange(tail_, std::nullopt).value_or(std::vector<TailGame>());
  for (const TailGame& game : tail) {
    if (!trust.Excludes(game.worker, game.lease)) played.push_back(game.played);
  }
  for (auto& [game, failures] : failures_) {
    std::erase_if(failures, [&](const LineFailure& failure) {
      return trust.Excludes(failure.worker, failure.lease);
    });
  }
  series_ = SeriesOf(rules_, played);
  for (const book::SeriesGame& game : out_) series_.Take(game);
}

}  // namespace joseki::coordinator
