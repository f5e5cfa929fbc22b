#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/evidence.h"
#include "book/formats/book_file.h"
#include "book/formats/position.h"
#include "book/formats/yaneuraou_db.h"
#include "book/graph.h"
#include "book/tuning/belief.h"
#include "coordinator/model/messages.h"
#include "coordinator/runs/move_origin.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// A format that can be written, by its name; nullopt for an unknown name.
std::optional<book::BookFormat> ExportFormatOf(std::string_view name);

// InvalidArgument "other_game" if the format is another game's. JSON and probe files are for every
// game.
absl::Status CheckFormat(book::BookFormat format, const Rules& rules);

// The format that programs of the game use; "json" if there is none.
std::string_view UsualFormat(const Rules& rules);

// A book for export: positions and moves, with all data on each move.
struct ExportBook {
  struct Run {
    RunId run = 0;
    RunSpec spec;
    std::string snapshot;     // SHA-256, hex
    uint64_t commit_seq = 0;  // of the last game counted
    uint64_t games = 0;
  };
  struct Move {
    joseki::Move move;
    double weight = 0;  // of the policy; without a run the base weight
    // From this run's games; without a run from imported games, where `distinct` is unknown (0).
    book::Evidence evidence;
    // If colours are folded: the part of `evidence` from the colour-reversed position.
    std::optional<book::Evidence> turned;
    int64_t games = 0;  // including those without a result
    double low = 0;     // 95 % interval of the score of the decided games
    double high = 1;
    int64_t prior = 0;              // base weight
    std::optional<int> value;       // of an imported book: centipawns for the side that plays the
                                    // move
    int depth = 0;                  // of that value
    std::optional<int> evaluation;  // of a run's own search, likewise
    uint64_t searched = 0;          // nodes of the line search that chose it as an answer; 0: none
    // Score that the run's searches and trials expect of the move, for the side that plays it. They
    // choose the answer among the moves that have one.
    std::optional<double> expected;
    uint32_t trials = 0;     // of the move, beside its evaluation
    book::Prior before;      // the prior with which its policy began
    int64_t book_count = 0;  // from imported books; never in a run
    joseki::Move ponder;     // the answer at the position it leads to, else an imported book's
    bool bad = false;        // marked as bad
    bool answer = false;
    std::optional<MoveOrigin> origin;     // of a run's move
    std::optional<DecidedBy> decided_by;  // of a run's answer
    // The move's worth in centipawns for the side that plays it: see SetWorth.
    int worth = 0;
  };
  struct Position {
    PackedPosition packed;
    int ply = 1;
    std::vector<Move> moves;  // ascending by raw()
  };
  std::optional<Run> run;
  std::string answer_rule;          // in words
  std::vector<Position> positions;  // ascending by packed form
};

// The imported and weighed book. The answer at a position is the move with the largest base weight,
// then the most games, then the best value. A move marked bad is no answer if there is another.
absl::StatusOr<ExportBook> ExportOfBook(book::Store& store, const Rules& rules);

// The position with this packed form; null if the book lacks it.
const ExportBook::Position* PositionAt(const ExportBook& book, const PackedPosition& packed);
// The move that the book plays; null: the book ends there.
const ExportBook::Move* AnswerAmong(std::span<const ExportBook::Move> moves);

// One position of the book.
ExportBook::Position ExportOfPosition(const book::BookPosition& position);

// A run with the user's marks in the current book, which no tuning overrides. A move marked bad is
// no answer if there is another; a forbidden one is left out.
struct TunedRun {
  LoadedRun run;
  std::map<std::pair<PackedPosition, Move>, int> marks;  // as of MarkedMove

  // The index of the move that the book plays at the position; among moves not forbidden, if there
  // are any. REQUIRES: the position has moves.
  size_t AnswerAt(book::NodeId node) const;
  int MarkOf(const PackedPosition& position, Move move) const {
    const auto at = marks.find({position, move});
    return at == marks.end() ? 0 : at->second;
  }
};
// Adds the marks of the current book of `store`.
absl::StatusOr<TunedRun> WithMarks(book::Store& store, LoadedRun run);
absl::StatusOr<TunedRun> LoadTunedRun(book::Store& store, const Rules& rules, RunId run);
ExportBook::Position ExportOfPosition(const TunedRun& run, book::NodeId node);
// A position of the run's book, or one that its searches answer beyond it. nullopt: neither.
std::optional<ExportBook::Position> ExportOfPosition(const TunedRun& run, const GameState& state);

// The book from which a run was made, with the run's evidence, weights and answers, and with the
// results of its searches along lines. Their best move that the user has not marked is the answer,
// in the book and beyond it. Moves have no expected replies.
ExportBook ExportOfRun(const TunedRun& run);
// Gives every move that leads to a position with an answer this answer as the expected reply.
absl::Status AddExpectedReplies(const Rules& rules, ExportBook& book);

// Sets each move's worth. Without games and prior it is the imported value. Otherwise it is the
// score by games and priors, shrunk towards the position's mean by kDrawnBy games, so that few
// games claim little. The constant is ours: about the number that real games suggest.
inline constexpr double kDrawnBy = 20;
void SetWorth(ExportBook::Position& position);

// The positions of a file in a format of other programs (docs/reference/formats.md). A run's are
// fitted to the default choice of the format's readers (book/formats/fit.h). A book's own are
// unchanged if its values agree with its answer, else fitted as well.
std::vector<book::DbPosition> PositionsOf(const ExportBook& book, book::BookFormat format);
book::DbPosition DbOf(const ExportBook::Position& position, bool in_run, book::BookFormat format);

// Comments on a run's moves, for formats that have them: origin, games, trials and what decided
// (docs/reference/formats.md). Null without a run. `book` must outlive the function.
book::DbComment CommentsOf(const ExportBook& book);

// The book itself (run 0), or that of a run.
absl::StatusOr<ExportBook> LoadExport(book::Store& store, const Rules& rules, RunId run);

}  // namespace joseki::coordinator
