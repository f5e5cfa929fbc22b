#include "book/simulation/simulate_lines.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "base/status_macros.h"
#include "book/simulation/each_book.h"
#include "book/stats/interval.h"
#include "book/tuning/record_opinion.h"
#include "book/tuning/repertoire.h"
#include "book/tuning/trial.h"

namespace joseki::book {
namespace {

// Plies after which a game of a match counts by the worth of its position.
constexpr int kMatchPlies = 60;
constexpr uint64_t kPatience = 10;
// The measure of books: it stays while a run's rules vary.
constexpr double kMatchScale = RepertoireRules().scale;

// An opponent of a match, and the limit of both sides.
enum class Book : uint8_t { kNone, kShares, kEvenly };
struct Opponent {
  Book book = Book::kNone;
  uint64_t nodes = 0;
};

struct MatchResult {
  double elo = 0;
  double own_moves = 0;  // of the tuned book, a game
};

// One run of searches along lines, and the matches of its books.
class LineRun {
 public:
  LineRun(const LineSimulation& options, const LineWorld& world, std::shared_ptr<const Graph> book,
          Repertoire repertoire, uint64_t seed)
      : options_(options),
        world_(world),
        players_(std::move(book), options.rules),
        repertoire_(std::move(repertoire)),
        rng_(seed),
        match_rng_(Rng(seed).Split(1)) {}

  // Searches until the budget is spent.
  absl::Status SearchFor(uint64_t budget) {
    const uint64_t nodes = budget * kGameMoves * options_.rules.reply_nodes * options_.share / 100;
    while (spent_ < nodes) {
      const bool trial = 100 * in_trials_ < options_.trial_share * spent_;
      std::optional<LineTask> task = repertoire_.Next(trial, rng_);
      if (!task) task = repertoire_.Next(!trial, rng_);
      if (!task) break;
      ++lines_;
      ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state,
                       world_.Start("startpos", MatchRules{}));
      RETURN_IF_ERROR(repertoire_.Add(FindingOf(*task, *state), &*task).status());
    }
    return absl::OkStatus();
  }

  absl::StatusOr<LineBook> Judge() const {
    const uint64_t nodes = options_.rules.reply_nodes;
    LineBook book;
    ASSIGN_OR_RETURN(const MatchResult input, Play({Book::kShares, nodes}));
    ASSIGN_OR_RETURN(const MatchResult equal, Play({Book::kEvenly, nodes}));
    ASSIGN_OR_RETURN(const MatchResult bookless, Play({Book::kNone, nodes}));
    ASSIGN_OR_RETURN(const MatchResult patient, Play({Book::kShares, kPatience * nodes}));
    book.input = input.elo;
    book.equal = equal.elo;
    book.bookless = bookless.elo;
    book.patient_input = patient.elo;
    book.lines = lines_;
    book.answers = repertoire_.answers();
    book.own_moves = input.own_moves;
    book.patient_own_moves = patient.own_moves;
    return book;
  }

 private:
  LineFinding FindingOf(const LineTask& task, GameState& state) {
    LineFinding finding;
    finding.task = task;
    switch (task.kind) {
      case TaskKind::kAnswer: {
        state.PlayAll(task.line);
        const LineWorld::Found found = Search(state, task.nodes, task.excluded);
        finding.best = found.move;
        finding.centipawns = Rounded(found.centipawns);
        break;
      }
      case TaskKind::kReply:
        FindReply(task, state, finding);
        break;
      case TaskKind::kTrial:
        state.PlayAll(task.line);
        finding.centipawns = Rounded(Try(state));
        break;
    }
    return finding;
  }

  // The opponent searches each of its positions on the line; its first other move is the reply.
  void FindReply(const LineTask& task, GameState& state, LineFinding& finding) {
    finding.task.line.clear();
    for (size_t ply = 0; ply <= task.line.size(); ++ply) {
      const bool searches = ply >= task.searched_from && (task.line.size() - ply) % 2 == 0;
      if (searches) {
        finding.best = Search(state, task.nodes, {}).move;
        if (ply == task.line.size() || finding.best != task.line[ply]) return;
      }
      state.Play(task.line[ply]);
      finding.task.line.push_back(task.line[ply]);
    }
  }

  // The mean score of a trial's window, for the side to move at its start.
  double Try(GameState& state) {
    double sum = 0;
    for (size_t ply = 0; ply < kTrialPlies; ++ply) {
      const LineWorld::Found found = Search(state, options_.rules.reply_nodes, {});
      in_trials_ += options_.rules.reply_nodes;
      if (ply >= kTrialPlies - kTrialWindow) {
        sum += ply % 2 == 0 ? found.centipawns : -found.centipawns;
      }
      state.Play(found.move);
    }
    return sum / static_cast<double>(kTrialWindow);
  }

  LineWorld::Found Search(const GameState& state, uint64_t nodes, std::span<const Move> excluded) {
    spent_ += nodes;
    return world_.Search(state, nodes, excluded, rng_);
  }

  static int Rounded(double centipawns) { return static_cast<int>(std::lround(centipawns)); }

  absl::StatusOr<MatchResult> Play(const Opponent& opponent) const {
    double score = 0;
    uint64_t own_moves = 0;
    for (uint32_t game = 0; game < options_.match_games; ++game) {
      const Color own = game % 2 == 0 ? Color::kFirst : Color::kSecond;
      ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state,
                       world_.Start("startpos", MatchRules{}));
      Rng rng = match_rng_.Split(game);
      bool left[2] = {false, false};  // whose book has ended
      while (state->plies() < kMatchPlies) {
        const bool ours = state->side_to_move() == own;
        std::optional<Move> move;
        if (bool& gone = left[ours ? 0 : 1]; !gone) {
          move = ours ? OwnMove(*state) : BookMove(opponent.book, *state, rng);
          gone = !move;
        }
        if (move && ours) ++own_moves;
        state->Play(move ? *move : world_.Search(*state, opponent.nodes, {}, rng).move);
      }
      const double worth = world_.Worth(*state);
      score += ExpectedResult(Rounded(state->side_to_move() == own ? worth : -worth), kMatchScale);
    }
    return MatchResult{EloOf(score / options_.match_games),
                       static_cast<double>(own_moves) / options_.match_games};
  }

  std::optional<Move> OwnMove(const GameState& state) const {
    const Repertoire::Answer answer = repertoire_.AnswerAt(state.key());
    if (answer.nodes == 0) return std::nullopt;
    return answer.move;
  }

  std::optional<Move> BookMove(Book kind, const GameState& state, Rng& rng) const {
    if (kind == Book::kNone) return std::nullopt;
    return players_.BookMove(state.key(), kind == Book::kEvenly, rng);
  }

  const LineSimulation& options_;
  const LineWorld& world_;
  RecordOpinion players_;
  Repertoire repertoire_;
  Rng rng_;
  Rng match_rng_;
  uint64_t spent_ = 0;  // nodes
  uint64_t in_trials_ = 0;
  size_t lines_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<LineBook>> SimulateLines(const LineSimulation& options, uint64_t seed) {
  const LineWorld world(options.world, seed);
  ASSIGN_OR_RETURN(Graph graph, world.Book());
  const auto book = std::make_shared<const Graph>(std::move(graph));
  RepertoireRules rules = options.rules;
  rules.trusting = true;  // there is one source
  ASSIGN_OR_RETURN(Repertoire repertoire, Repertoire::Create(world, "startpos", book, rules));
  LineRun run(options, world, book, std::move(repertoire), seed);
  std::vector<LineBook> books;
  for (const uint64_t budget : options.budgets) {
    RETURN_IF_ERROR(run.SearchFor(budget));
    ASSIGN_OR_RETURN(books.emplace_back(), run.Judge());
  }
  return books;
}

absl::StatusOr<std::vector<LineBooks>> SimulateLineBooks(const LineSimulation& options,
                                                         uint64_t seed, uint32_t books,
                                                         uint32_t threads) {
  ASSIGN_OR_RETURN(const std::vector<std::vector<LineBook>> runs,
                   EachBook<std::vector<LineBook>>(books, threads, [&](uint32_t book) {
                     return SimulateLines(options, seed + book);
                   }));
  std::vector<LineBooks> means;
  for (size_t i = 0; i < options.budgets.size(); ++i) {
    const auto mean = [&](auto part) {
      std::vector<double> values;
      for (const std::vector<LineBook>& run : runs) {
        values.push_back(static_cast<double>(run[i].*part));
      }
      return MeanOf(values);
    };
    means.push_back({.budget = options.budgets[i],
                     .input = mean(&LineBook::input),
                     .equal = mean(&LineBook::equal),
                     .bookless = mean(&LineBook::bookless),
                     .patient_input = mean(&LineBook::patient_input),
                     .lines = mean(&LineBook::lines),
                     .answers = mean(&LineBook::answers),
                     .own_moves = mean(&LineBook::own_moves),
                     .patient_own_moves = mean(&LineBook::patient_own_moves)});
  }
  return means;
}

}  // namespace joseki::book
