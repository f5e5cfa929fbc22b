#include "cli/experiment/judging.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/mutex.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/candidate_values.h"
#include "coordinator/model/messages.h"
#include "coordinator/runs/run_calibration.h"
#include "engine/core/resignation.h"

namespace joseki::cli {
namespace {

constexpr int kMostCentipawns = 3000;  // a won position counts no more than this

struct JudgedPosition {
  const MatchGame* game = nullptr;  // one that has the position
  size_t plies = 0;
};

// Centipawns of the first side, by the hash of the moves.
using Scores = std::map<std::string, int>;

std::string NameOf(const MatchGame& game, size_t plies) {
  const std::vector<Move> moves(game.moves.begin(),
                                game.moves.begin() + static_cast<std::ptrdiff_t>(plies));
  return absl::StrCat(absl::Hex(HashOf(game.start, moves), absl::kZeroPad16));
}

absl::StatusOr<Scores> ReadScores(const Judging& judging) {
  const absl::StatusOr<std::string> text = ReadFile(judging.file);
  if (absl::IsNotFound(text.status())) return Scores();
  RETURN_IF_ERROR(text.status());
  const Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  const auto is_score = [](const Json& score) {
    return score.is_number_integer() && score >= -kMostCentipawns && score <= kMostCentipawns;
  };
  const bool fits = json.is_object() && json.value("nodes", Json()) == Json(judging.nodes) &&
                    json.value("scores", Json()).is_object() &&
                    std::all_of(json["scores"].begin(), json["scores"].end(), is_score);
  if (!fits) {
    return MakeProblem({.code = "bad_scores",
                        .file = judging.file,
                        .expected = absl::StrCat("scores of searches of ", judging.nodes,
                                                 " nodes; remove it to search again")});
  }
  return json["scores"].get<Scores>();
}

absl::Status WriteScores(const Judging& judging, const Scores& scores) {
  Json json;
  json["nodes"] = judging.nodes;
  json["scores"] = scores;
  return WriteFileAtomically(judging.file, json.dump() + "\n");
}

absl::StatusOr<int> Search(const Rules& rules, const JudgedPosition& position, uint64_t nodes,
                           worker::Player& player) {
  const MatchGame& game = *position.game;
  const std::span<const Move> moves = std::span<const Move>(game.moves).first(position.plies);
  RETURN_IF_ERROR(player.NewGame(/*seed=*/0));
  worker::Limits limits;
  limits.nodes = nodes;
  ASSIGN_OR_RETURN(const worker::Choice choice,
                   player.Choose({game.start.position, moves}, limits));
  int score = choice.score;
  if (choice.kind == worker::Choice::Kind::kResign) score = -kMostCentipawns;
  if (choice.kind == worker::Choice::Kind::kDeclareWin) score = kMostCentipawns;
  if (score == kNoScore) {
    return MakeProblem({.code = "no_scores", .expected = "an engine that gives scores"},
                       absl::StatusCode::kFailedPrecondition);
  }
  score = std::clamp(score, -kMostCentipawns, kMostCentipawns);
  ASSIGN_OR_RETURN(const auto state, rules.Start(game.start.position, MatchRules{}));
  state->PlayAll(moves);
  return state->side_to_move() == Color::kFirst ? score : -score;
}

// Searches positions on several threads, the caller's among them.
class Searches {
 public:
  Searches(const Rules& rules, const Judging& judging,
           std::vector<std::pair<std::string, JudgedPosition>> positions)
      : rules_(rules), judging_(judging), positions_(std::move(positions)) {}

  // Adds what was found, also if an error or the end came before the rest.
  absl::Status Go(Scores& scores) {
    const auto threads =
        std::min<size_t>(static_cast<size_t>(std::max(1, judging_.threads)), positions_.size());
    std::vector<std::unique_ptr<worker::Player>> players(threads);
    for (auto& player : players) {
      ASSIGN_OR_RETURN(player, judging_.make_player());
    }
    std::vector<std::thread> others;
    for (size_t i = 1; i < threads; ++i) {
      others.emplace_back([this, player = players[i].get()] { Work(*player, nullptr); });
    }
    if (threads > 0) Work(*players[0], judging_.ended);
    for (std::thread& other : others) other.join();
    const ScopedLock lock(mutex_);
    scores.merge(found_);
    return status_;
  }

 private:
  void Work(worker::Player& player, const std::function<bool()>& ended) {
    while (!stopped_) {
      if (ended && ended()) return Stop(absl::CancelledError("a signal came"));
      const size_t i = next_++;
      if (i >= positions_.size()) return;
      const absl::StatusOr<int> score =
          Search(rules_, positions_[i].second, judging_.nodes, player);
      if (!score.ok()) return Stop(score.status());
      const ScopedLock lock(mutex_);
      found_.emplace(positions_[i].first, *score);
    }
  }

  void Stop(const absl::Status& status) {
    const ScopedLock lock(mutex_);
    status_.Update(status);
    stopped_ = true;
  }

  const Rules& rules_;
  const Judging& judging_;
  const std::vector<std::pair<std::string, JudgedPosition>> positions_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  Mutex mutex_;
  Scores found_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

// Positions at which a game is judged: those in which it went on.
template <typename Visit>
void ForEachJudged(const MatchGame& game, const Visit& visit) {
  for (const size_t plies : kJudgedPlies) {
    if (plies < game.moves.size()) visit(plies);
  }
}

double ResultOf(const MatchGame& game) {
  switch (game.outcome.ending.result) {
    case Result::kFirstWins:
      return game.game.a_first ? 1 : 0;
    case Result::kSecondWins:
      return game.game.a_first ? 0 : 1;
    default:
      return 0.5;
  }
}

}  // namespace

absl::StatusOr<std::vector<double>> JudgeGames(const Rules& rules, std::span<const MatchGame> games,
                                               const Judging& judging) {
  ASSIGN_OR_RETURN(Scores scores, ReadScores(judging));
  std::map<std::string, JudgedPosition> missing;
  for (const MatchGame& game : games) {
    ForEachJudged(game, [&](size_t plies) {
      std::string name = NameOf(game, plies);
      if (!scores.contains(name)) missing.emplace(std::move(name), JudgedPosition{&game, plies});
    });
  }
  if (!missing.empty()) {
    if (!judging.make_player) return absl::CancelledError("not all games are judged");
    Searches searches(rules, judging, {missing.begin(), missing.end()});
    const absl::Status searched = searches.Go(scores);
    RETURN_IF_ERROR(WriteScores(judging, scores));
    RETURN_IF_ERROR(searched);
  }
  const double scale = coordinator::ScoreScale(coordinator::LineSearchSpec().calibration);
  std::vector<double> expected;
  for (const MatchGame& game : games) {
    double sum = 0;
    int count = 0;
    ForEachJudged(game, [&](size_t plies) {
      const int score = scores.at(NameOf(game, plies));
      sum += book::ExpectedResult(game.game.a_first ? score : -score, scale);
      ++count;
    });
    expected.push_back(count > 0 ? sum / count : ResultOf(game));
  }
  return expected;
}

}  // namespace joseki::cli
