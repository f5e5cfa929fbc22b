#include "coordinator/offline/exporter.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/fit.h"
#include "book/stats/interval.h"
#include "coordinator/runs/book_answer.h"
#include "coordinator/runs/evaluations.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {
namespace {

// YaneuraOu skips a position whose first move has a depth below BookDepthLimit (16). Makers of
// books from counts write 32, which stands for no search.
constexpr int kNominalDepth = 32;
// The scale from scores to centipawns to which shogi programs fit their evaluations.
constexpr double kCentipawns = 600;

uint32_t Narrow(int64_t count) {
  return static_cast<uint32_t>(std::clamp<int64_t>(count, 0, UINT32_MAX));
}

void SetInterval(ExportBook::Move& move) {
  const book::Interval interval = book::Wilson(move.evidence.wins, move.evidence.decided());
  move.low = interval.low;
  move.high = interval.high;
}

ExportBook::Move MoveOfBook(const book::BookMove& from) {
  ExportBook::Move move;
  move.move = from.move;
  move.weight = static_cast<double>(from.base_weight);
  move.prior = from.base_weight;
  book::MoveCounts sum;
  for (const book::MoveCounts& counts : from.counts) {
    sum.games += counts.games;
    sum.wins += counts.wins;
    sum.draws += counts.draws;
    sum.losses += counts.losses;
  }
  move.games = sum.games;
  move.evidence = {Narrow(sum.wins), Narrow(sum.draws), Narrow(sum.losses), 0};
  move.value = from.value;
  move.depth = from.depth;
  move.book_count = from.book_count;
  move.ponder = from.ponder;
  move.bad = from.mark == book::kBad;
  SetInterval(move);
  return move;
}

void MarkAnswer(std::vector<ExportBook::Move>& moves) {
  const auto rank = [](const ExportBook::Move& move) {
    return std::tuple(!move.bad, move.prior, move.games, move.value.value_or(INT32_MIN),
                      move.book_count, move.depth);
  };
  // Among equals it is the one that is written first.
  const auto best = std::min_element(
      moves.begin(), moves.end(), [&](const ExportBook::Move& a, const ExportBook::Move& b) {
        const auto of_a = rank(a);
        const auto of_b = rank(b);
        return of_a != of_b ? of_a > of_b : book::GoesBefore({.move = a.move}, {.move = b.move});
      });
  best->answer = true;
}

// Raises the count of the answer to the largest. Readers of an Apery book play the move with the
// largest count, or by counts.
void LiftCount(Move answer, std::vector<book::DbMove>& moves) {
  uint64_t most = 0;  // of the others
  for (const book::DbMove& move : moves) {
    if (move.move != answer) most = std::max(most, move.count);
  }
  for (book::DbMove& move : moves) {
    if (move.move == answer && moves.size() > 1) move.count = std::max(move.count, most + 1);
  }
}

int CentipawnsOf(double score) {
  const double value = std::clamp(score, 0.001, 0.999);
  return static_cast<int>(std::lround(kCentipawns * std::log(value / (1 - value))));
}

// Takes over what searches along lines and their trials say of the position's moves. The best of
// `candidates` that the user has not marked becomes the answer. A position that lacks it gets it,
// and with `all` the other candidates, too. If all are marked, the position stays as it is.
// REQUIRES: `candidates` is not empty.
void TakeSearched(const TunedRun& tuned, std::span<const book::Repertoire::Answer> candidates,
                  bool all, ExportBook::Position& position) {
  const auto mark = [&](Move move) { return tuned.MarkOf(position.packed, move); };
  std::vector<book::Repertoire::Answer> unmarked(candidates.begin(), candidates.end());
  std::erase_if(unmarked, [&](const auto& candidate) { return mark(candidate.move) != 0; });
  if (unmarked.empty()) return;
  const book::Repertoire::Answer& best = unmarked.front();
  for (const book::Repertoire::Answer& candidate : candidates) {
    auto at = std::lower_bound(
        position.moves.begin(), position.moves.end(), candidate.move,
        [](const ExportBook::Move& a, Move move) { return a.move.raw() < move.raw(); });
    if (at == position.moves.end() || at->move != candidate.move) {
      if ((!all && candidate.move != best.move) || mark(candidate.move) > book::kBad) continue;
      at = position.moves.insert(at, ExportBook::Move{.move = candidate.move,
                                                      .bad = mark(candidate.move) == book::kBad,
                                                      .origin = OriginOf(candidate)});
      SetInterval(*at);
    }
    at->weight = candidate.value;
    at->expected = candidate.value;
    at->trials = candidate.trials;
    if (candidate.centipawns) at->evaluation = *candidate.centipawns;
    // The worth includes the trials: readers of a file take one value alone.
    at->worth = CentipawnsOf(candidate.value);
  }
  // Candidates are found best first, so a move that never was one is worth no more than the least.
  const int least = CentipawnsOf(candidates.back().value);
  for (ExportBook::Move& move : position.moves) {
    move.answer = move.move == best.move;
    move.decided_by = move.answer ? std::optional(DecidedAmong(unmarked)) : std::nullopt;
    move.searched = move.answer ? best.nodes : 0;
    if (!move.expected) move.worth = std::min(move.worth, least);
  }
}

// Whether the position has an imported value; such a position keeps its imported answer.
bool HasImportedValue(const ExportBook::Position& position) {
  return std::any_of(position.moves.begin(), position.moves.end(),
                     [](const ExportBook::Move& move) { return move.value.has_value(); });
}

// Replaces the book by the results of searches along the lines that it will be played by. Elsewhere
// games alone are too few for a better answer than the engine's own move. So the book ends there,
// unless it was imported with values.
void TakeLineSearches(const TunedRun& tuned, ExportBook& book) {
  std::vector<ExportBook::Position> found;
  const book::Repertoire& repertoire = tuned.run.line_searches->repertoire();
  repertoire.ForEachAnswer(
      [&](const Key& key, const PackedPosition& packed, int ply, const book::Repertoire::Answer&) {
        const auto at = std::lower_bound(
            book.positions.begin(), book.positions.end(), packed,
            [](const ExportBook::Position& a, const PackedPosition& b) { return a.packed < b; });
        ExportBook::Position& position = found.emplace_back();
        if (at != book.positions.end() && at->packed == packed) {
          position = std::move(*at);
        } else {
          position.packed = packed;
          position.ply = ply;
        }
        TakeSearched(tuned, repertoire.CandidatesAt(key), /*all=*/false, position);
        if (position.moves.empty()) found.pop_back();
      });
  // Positions already found were moved from, and have no moves left here.
  for (ExportBook::Position& position : book.positions) {
    if (HasImportedValue(position)) found.push_back(std::move(position));
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.packed < b.packed; });
  book.positions = std::move(found);
}

}  // namespace

absl::Status AddExpectedReplies(const Rules& rules, ExportBook& book) {
  Expansion expansion;
  std::vector<Move> moves;
  for (ExportBook::Position& position : book.positions) {
    moves.clear();
    for (const ExportBook::Move& move : position.moves) moves.push_back(move.move);
    RETURN_IF_ERROR(rules.Expand(position.packed, moves, expansion));
    for (size_t i = 0; i < moves.size(); ++i) {
      const std::optional<Expansion::Child>& child = expansion.children[i];
      const ExportBook::Position* const next = child ? PositionAt(book, child->packed) : nullptr;
      const ExportBook::Move* const answer = next ? AnswerAmong(next->moves) : nullptr;
      if (answer != nullptr) position.moves[i].ponder = answer->move;
    }
  }
  return absl::OkStatus();
}

void SetWorth(ExportBook::Position& position) {
  const auto points = [](const ExportBook::Move& move) {
    return move.evidence.wins + 0.5 * move.evidence.draws +
           double{move.before.games} * move.before.value;
  };
  const auto games = [](const ExportBook::Move& move) {
    return move.evidence.games() + double{move.before.games};
  };
  double all_points = 0.5 * kDrawnBy;
  double all_games = kDrawnBy;
  for (const ExportBook::Move& move : position.moves) {
    all_points += points(move);
    all_games += games(move);
  }
  const double around = all_points / all_games;
  for (ExportBook::Move& move : position.moves) {
    if (move.value.has_value() && games(move) == 0) {
      move.worth = *move.value;
      continue;
    }
    const double score = (points(move) + kDrawnBy * around) / (games(move) + kDrawnBy);
    move.worth = CentipawnsOf(score);
  }
}

namespace {

// Whether the move is the first of the position in a file of the format.
bool ComesFirst(Move move, book::BookFormat format, std::vector<book::DbMove> moves) {
  if (format == book::BookFormat::kYbb) {
    for (book::DbMove& uncounted : moves) uncounted.count = 0;
  }
  const auto first = std::min_element(moves.begin(), moves.end(), book::GoesBefore);
  return first != moves.end() && first->move == move;
}

}  // namespace

book::DbPosition DbOf(const ExportBook::Position& position, bool in_run, book::BookFormat format) {
  book::DbPosition db;
  db.packed = position.packed;
  db.ply = position.ply;
  const auto answer = std::find_if(position.moves.begin(), position.moves.end(),
                                   [](const ExportBook::Move& m) { return m.answer; });
  if (answer == position.moves.end()) return db;
  for (const ExportBook::Move& move : position.moves) {
    if (move.bad) continue;
    book::DbMove& out = db.moves.emplace_back();
    out.move = move.move;
    out.ponder = move.ponder;
    out.has_value = true;
    out.value = move.worth;
    out.has_depth = true;
    out.depth = move.depth > 0 ? move.depth : kNominalDepth;
    out.count = static_cast<uint64_t>(move.games + move.book_count);
    db.known.games = book::SumOfCounts(db.known.games, out.count + move.trials);
    db.known.nodes = std::max(db.known.nodes, move.searched);
  }
  const bool as_imported =
      !in_run && ComesFirst(answer->move, format, db.moves) &&
      std::all_of(position.moves.begin(), position.moves.end(), [&](const ExportBook::Move& move) {
        return move.value.has_value() && move.worth <= answer->worth;
      });
  if (!as_imported && !answer->bad) {
    book::FitFor(format, answer->move, db);
  } else if (format == book::BookFormat::kApery || format == book::BookFormat::kSbk ||
             format == book::BookFormat::kEleeye || format == book::BookFormat::kObk) {
    LiftCount(answer->move, db.moves);
  }
  return db;
}

std::optional<book::BookFormat> ExportFormatOf(std::string_view name) {
  const std::optional<book::BookFormat> format = book::BookFormatNamed(name);
  if (!format || book::RowOf(*format).write == nullptr) return std::nullopt;
  return format;
}

std::string_view UsualFormat(const Rules& rules) {
  for (const std::string& name : book::NamesOf(book::IsWritten)) {
    const book::BookFormatRow& row = book::RowOf(*book::BookFormatNamed(name));
    if (row.game == rules.game()) return row.name;
  }
  return book::Name(book::BookFormat::kJson);
}

absl::Status CheckFormat(book::BookFormat format, const Rules& rules) {
  const book::BookFormatRow& row = book::RowOf(format);
  if (book::IsOfGame(row, rules.game())) return absl::OkStatus();
  return MakeProblem({.code = "other_game",
                      .file = "format",
                      .found = absl::StrCat(std::string(row.name), ", of ", std::string(row.game)),
                      .expected = absl::StrCat("a format of ", std::string(rules.game()))});
}

ExportBook::Position ExportOfPosition(const book::BookPosition& from) {
  ExportBook::Position position{.packed = from.packed, .ply = from.ply, .moves = {}};
  for (const book::BookMove& move : from.moves) {
    if (move.mark <= book::kBad) position.moves.push_back(MoveOfBook(move));
  }
  if (!position.moves.empty()) MarkAnswer(position.moves);
  SetWorth(position);
  // A book's own value stands, whatever games were imported beside it.
  for (ExportBook::Move& move : position.moves) move.worth = move.value.value_or(move.worth);
  return position;
}

const ExportBook::Position* PositionAt(const ExportBook& book, const PackedPosition& packed) {
  const auto at = std::lower_bound(
      book.positions.begin(), book.positions.end(), packed,
      [](const ExportBook::Position& a, const PackedPosition& b) { return a.packed < b; });
  return at == book.positions.end() || at->packed != packed ? nullptr : &*at;
}

const ExportBook::Move* AnswerAmong(std::span<const ExportBook::Move> moves) {
  const auto at = std::find_if(moves.begin(), moves.end(),
                               [](const ExportBook::Move& move) { return move.answer; });
  return at == moves.end() ? nullptr : &*at;
}

size_t TunedRun::AnswerAt(book::NodeId node) const {
  const std::span<const book::Graph::Edge> moves = run.graph->moves(node);
  const auto mark = [&](size_t i) { return MarkOf(run.graph->node(node).packed, moves[i].move); };
  const book::Choices all = run.tuner->choices(node);
  const BookAnswer answer{*run.graph, *run.policy, *run.imported, run.evaluations.get()};
  if (marks.empty()) return answer.At(node, all);
  int least = book::kLeftOut;  // of the marks of its moves
  for (size_t i = 0; i < all.size(); ++i) {
    least = std::min(least, mark(i));
  }
  return answer.At(node, all, [&](size_t i) { return mark(i) <= std::min(least, book::kBad); });
}

absl::StatusOr<TunedRun> LoadTunedRun(book::Store& store, const Rules& rules, RunId number) {
  ASSIGN_OR_RETURN(LoadedRun run, LoadRun(store, rules, number));
  RETURN_IF_ERROR(CheckTunes(run.row));
  return WithMarks(store, std::move(run));
}

absl::StatusOr<TunedRun> WithMarks(book::Store& store, LoadedRun run) {
  TunedRun tuned{std::move(run), {}};
  ASSIGN_OR_RETURN(const std::vector<book::MarkedMove> marks, book::BookStore(store).Marks());
  for (const book::MarkedMove& marked : marks) {
    tuned.marks[{marked.position, marked.move}] = marked.mark;
  }
  return tuned;
}

namespace {

// The position by the run's policy and games.
ExportBook::Position PlayedPosition(const TunedRun& tuned, book::NodeId node) {
  const LoadedRun& run = tuned.run;
  const book::Graph& graph = *run.graph;
  ExportBook::Position position{
      .packed = graph.node(node).packed, .ply = graph.node(node).ply, .moves = {}};
  const book::Choices choices = run.tuner->choices(node);
  const std::span<const book::Arm> arms = choices.arms;
  if (arms.empty()) return position;
  const size_t answer = tuned.AnswerAt(node);
  for (size_t i = 0; i < arms.size(); ++i) {
    const int mark = tuned.MarkOf(position.packed, graph.moves(node)[i].move);
    if (mark > book::kBad) continue;
    ExportBook::Move& move = position.moves.emplace_back();
    move.move = graph.moves(node)[i].move;
    move.weight = run.policy->Weight(choices, i);
    move.evidence = arms[i].evidence;
    if (const book::Orbits* const orbits = run.tuner->orbits().get()) {
      move.turned.emplace();
      for (const book::EdgeId other :
           orbits->others(graph.stop(node).first + static_cast<book::EdgeId>(i))) {
        *move.turned += run.tuner->arms()[other].evidence;
      }
    }
    move.games = arms[i].evidence.games();
    move.prior = arms[i].base_weight;
    if (!choices.priors.empty()) move.before = choices.priors[i];
    if (!run.imported->empty()) {
      const book::ImportedValue& value =
          (*run.imported)[graph.node(node).first + static_cast<book::EdgeId>(i)];
      if (value.known()) move.value = value.score;
      move.depth = value.depth;
    }
    move.bad = mark == book::kBad;
    move.origin = MoveOrigin::kBook;
    move.answer = i == answer;
    if (move.answer) {
      move.decided_by =
          DecidedAt({*run.graph, *run.policy, *run.imported, run.evaluations.get()}, node, choices);
    }
    if (run.evaluations != nullptr) {
      const Evaluation* const found =
          run.evaluations->Of(graph.node(node).first + static_cast<book::EdgeId>(i));
      // The score is for the side that plays the move, not for the side to move after it.
      if (found != nullptr && found->score) move.evaluation = -int{*found->score};
    }
    SetInterval(move);
  }
  SetWorth(position);
  return position;
}

bool SearchesSay(const LoadedRun& run) {
  return run.line_searches != nullptr && run.line_searches->say_something();
}

}  // namespace

ExportBook::Position ExportOfPosition(const TunedRun& tuned, book::NodeId node) {
  ExportBook::Position position = PlayedPosition(tuned, node);
  if (!SearchesSay(tuned.run)) return position;
  const std::vector<book::Repertoire::Answer> found =
      tuned.run.line_searches->repertoire().CandidatesAt(tuned.run.graph->node(node).key);
  if (!found.empty()) {
    TakeSearched(tuned, found, /*all=*/true, position);
  } else if (!HasImportedValue(position)) {
    for (ExportBook::Move& move : position.moves) {
      move.answer = false;
      move.decided_by.reset();
    }
  }
  return position;
}

std::optional<ExportBook::Position> ExportOfPosition(const TunedRun& tuned,
                                                     const GameState& state) {
  const book::NodeId node = tuned.run.graph->Find(state.key());
  if (node != book::kNoNode) return ExportOfPosition(tuned, node);
  if (!SearchesSay(tuned.run)) return std::nullopt;
  const std::vector<book::Repertoire::Answer> found =
      tuned.run.line_searches->repertoire().CandidatesAt(state.key());
  if (found.empty()) return std::nullopt;
  ExportBook::Position position{.packed = state.packed(), .ply = state.plies() + 1, .moves = {}};
  TakeSearched(tuned, found, /*all=*/true, position);
  if (position.moves.empty()) return std::nullopt;
  return position;
}

absl::StatusOr<ExportBook> ExportOfBook(book::Store& store, const Rules& rules) {
  ExportBook book;
  book.answer_rule = "largest base weight, then most games, then best value, then largest count";
  RETURN_IF_ERROR(book::BookStore(store).ForEach([&](const book::BookPosition& from) {
    ExportBook::Position position = ExportOfPosition(from);
    if (!position.moves.empty()) book.positions.push_back(std::move(position));
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(AddExpectedReplies(rules, book));
  return book;
}

ExportBook ExportOfRun(const TunedRun& tuned) {
  const LoadedRun& run = tuned.run;
  const book::Graph& graph = *run.graph;
  ExportBook book;
  book.run = {.run = run.row.run,
              .spec = run.row.spec,
              .snapshot = Hex(run.row.snapshot),
              .commit_seq = run.commit_seq,
              .games = run.counters.games};
  book.answer_rule = std::string(run.policy->answer_rule());
  for (book::NodeId node = 0; node < graph.node_count(); ++node) {
    book.positions.push_back(PlayedPosition(tuned, node));
  }
  if (SearchesSay(run)) TakeLineSearches(tuned, book);
  return book;
}

std::vector<book::DbPosition> PositionsOf(const ExportBook& book, book::BookFormat format) {
  std::vector<book::DbPosition> positions;
  positions.reserve(book.positions.size());
  for (const ExportBook::Position& position : book.positions) {
    positions.push_back(DbOf(position, book.run.has_value(), format));
  }
  return positions;
}

namespace {

// "found by search; 406 games, 52.4 % (47.5-57.2); expected 54.0 %, 12 trials; decided by trials";
// empty where the run says nothing of the move.
std::string CommentOf(const ExportBook::Move& move) {
  std::vector<std::string> parts;
  if (move.origin == MoveOrigin::kSearch) parts.emplace_back("found by search");
  if (move.origin == MoveOrigin::kCandidate) parts.emplace_back("found as a candidate");
  if (const uint32_t games = move.evidence.games(); games > 0) {
    const double points = move.evidence.wins + 0.5 * move.evidence.draws;
    const book::Interval interval = book::Wilson(points, games);
    parts.push_back(absl::StrFormat("%d games, %.1f %% (%.1f-%.1f)", games, 100 * points / games,
                                    100 * interval.low, 100 * interval.high));
  }
  if (move.expected) {
    parts.push_back(
        absl::StrFormat("expected %.1f %%, %d trials", 100 * *move.expected, move.trials));
    if (move.decided_by) {
      parts.push_back(absl::StrCat("decided by ", std::string(Name(*move.decided_by))));
    }
  }
  return absl::StrJoin(parts, "; ");
}

}  // namespace

book::DbComment CommentsOf(const ExportBook& book) {
  if (!book.run.has_value()) return nullptr;
  return [&book](const PackedPosition& packed, Move wanted) -> std::string {
    const ExportBook::Position* const position = PositionAt(book, packed);
    if (position == nullptr) return {};
    for (const ExportBook::Move& move : position->moves) {
      if (move.move == wanted) return CommentOf(move);
    }
    return {};
  };
}

absl::StatusOr<ExportBook> LoadExport(book::Store& store, const Rules& rules, RunId run) {
  if (run == 0) return ExportOfBook(store, rules);
  ASSIGN_OR_RETURN(const TunedRun tuned, LoadTunedRun(store, rules, run));
  ExportBook book = ExportOfRun(tuned);
  RETURN_IF_ERROR(AddExpectedReplies(rules, book));
  return book;
}

}  // namespace joseki::coordinator
