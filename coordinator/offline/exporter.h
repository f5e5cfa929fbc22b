#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// A format that can be written, by its name; nullopt for another word.
std::optional<book::BookFormat> ExportFormatOf(std::string_view name);

// InvalidArgument "other_game" where the format is another game's. JSON and probe files are of
// every game.
absl::Status CheckFormat(book::BookFormat format, const Rules& rules);

// The name of a format for programs of the game; "json" where there is none.
std::string_view UsualFormat(const Rules& rules);

// A book as it is written out: positions and moves, with what is known of each move.
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
    // From this run's games; without a run from the games imported, where `distinct` is unknown
    // (0).
    book::Evidence evidence;
    // Of a run that folds colours: what of the evidence games of the other colour say, of the
    // turned position.
    std::optional<book::Evidence> turned;
    int64_t games = 0;  // those without result included
    double low = 0;     // 95 % interval of the score of the decided games
    double high = 1;
    int64_t prior = 0;              // base weight
    std::optional<int> value;       // of an imported book: centipawns for who plays the move
    int depth = 0;                  // of that value
    std::optional<int> evaluation;  // of a run's own search, likewise
    uint64_t searched = 0;          // nodes of the line search whose answer it is; 0: none's
    // Score that the run's searches and trials expect of the move, for who plays it; they choose
    // the answer among the moves that have one.
    std::optional<double> expected;
    uint32_t trials = 0;     // that tried it, beside its evaluation
    book::Prior before;      // what of these its policy began with
    int64_t book_count = 0;  // of imported books; never in a run
    joseki::Move ponder;     // the answer at the position it leads to, else an imported book's
    bool bad = false;        // marked so
    bool answer = false;
    // The move's worth in centipawns, for who plays it: see SetWorth.
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

// The book as it is imported and weighed. Its answer at a position is the move with the largest
// base weight, then the most games, then the best value; never one marked bad where there is
// another.
absl::StatusOr<ExportBook> ExportOfBook(book::Store& store, const Rules& rules);

// The move that the book plays; null: none, the book ends there.
const ExportBook::Move* AnswerAmong(std::span<const ExportBook::Move> moves);

// One position of either.
ExportBook::Position ExportOfPosition(const book::BookPosition& position);

// A run with what the user has marked in the book since or before: no tuning undoes that. A move
// marked bad is never the answer where there is another, a forbidden one is left out.
struct TunedRun {
  LoadedRun run;
  std::map<book::EdgeId, int> marks;  // as of MarkedMove

  // The index of the move that the book plays at the position, which has moves; among those not
  // forbidden, if there is one.
  size_t AnswerAt(book::NodeId node) const;
  int MarkOf(book::EdgeId edge) const {
    const auto at = marks.find(edge);
    return at == marks.end() ? 0 : at->second;
  }
};
// The marks of the run's moves in the book of `store` as it is now.
absl::StatusOr<TunedRun> WithMarks(book::Store& store, LoadedRun run);
absl::StatusOr<TunedRun> LoadTunedRun(book::Store& store, const Rules& rules, RunId run);
ExportBook::Position ExportOfPosition(const TunedRun& run, book::NodeId node);

// The book that a run was made from, with the evidence, weights and answers of the run, and with
// what its searches along lines found: their move is the answer, in the book and beyond it, but
// where the user has marked it.
ExportBook ExportOfRun(const TunedRun& run);

// What each move is worth: the imported value where there are no games and no prior; else what
// games and priors say, drawn to what all moves of the position score by kDrawnBy games (ours:
// about what real games ask for), so that few games claim little.
inline constexpr double kDrawnBy = 20;
void SetWorth(ExportBook::Position& position);

// One file's bytes: the same book gives the same bytes. docs/reference/formats.md tells what the
// columns of a YANEURAOU-DB2016 book and the keys of the JSON form mean.
std::string WriteBook(const ExportBook& book, const Rules& rules, book::BookFormat format);

// The positions that WriteBook writes in a format of other programs. A run's are fitted to what the
// format's readers play by default (book/formats/fit.h); a book's own stand as they were imported
// where its values agree with its answer, and are fitted as well where they do not.
std::vector<book::DbPosition> PositionsOf(const ExportBook& book, book::BookFormat format);
book::DbPosition DbOf(const ExportBook::Position& position, bool in_run, book::BookFormat format);

// The games' word on a run's moves, for the comments of a YANEURAOU-DB2016 book: "406 games,
// 52.4 % (47.5-57.2)". Null without a run. `book` must outlive it.
book::DbComment CommentsOf(const ExportBook& book);

// Positions in one of the formats of other programs, or as JSON with what those have.
std::string WritePositions(std::vector<book::DbPosition> positions, book::BookFormat format,
                           const book::DbComment& comment = nullptr);

// The book itself (run 0), or that of a run.
absl::StatusOr<ExportBook> LoadExport(book::Store& store, const Rules& rules, RunId run);

// The whole way, for a command or a call: `run` 0 is the book itself. Reads a consistent state; a
// coordinator may be writing.
absl::StatusOr<std::string> Export(book::Store& store, const Rules& rules, RunId run,
                                   book::BookFormat format);

}  // namespace joseki::coordinator
