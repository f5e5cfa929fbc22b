#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "book/database/imported_values.h"
#include "book/database/played_block.h"
#include "book/database/store.h"
#include "book/graph.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki::book {

// Marks of a move: kBad and kForbidden are the user's, kLeftOut is set by Weigh.
inline constexpr int kBad = 1;
inline constexpr int kForbidden = 2;
inline constexpr int kLeftOut = 3;

struct BookMove {
  Move move;
  int64_t base_weight = 0;
  int mark = 0;  // 0: none
  std::string note;
  MoveCounts counts[2];      // [professional], summed over sources
  std::optional<int> value;  // the deepest in any book or engine's source; among equals the newest
  int depth = 0;
  int64_t book_count = 0;  // summed over sources
  Move ponder;
};

// Number of times the move was played, by games and by counts of books.
int64_t TimesPlayed(const BookMove& move);

// A move that the user has marked.
struct MarkedMove {
  PackedPosition position;
  Move move;
  int mark = 0;  // kBad or kForbidden
};

struct BookPosition {
  PackedPosition packed;
  int ply = 1;
  std::vector<BookMove> moves;  // ascending by raw()
};

struct BookSource {
  std::string kind;  // "games", "book", "expand", "edit", "run", "learn"
  std::string name;
  std::string options;  // JSON
  int64_t games = 0;
  int64_t rejected = 0;
  std::string added_at;  // UTC, ISO 8601
};

struct BookTotals {
  int64_t positions = 0;
  int64_t moves = 0;
  int64_t games = 0;
  int64_t sources = 0;
};

// Reads and edits the book of a database. Threading: as the Store.
class BookStore {
 public:
  explicit BookStore(Store& store) : store_(store) {}

  absl::StatusOr<BookTotals> Totals();
  // Sources of the book, oldest first.
  absl::StatusOr<std::vector<BookSource>> Sources();
  // SHA-256 of the content of every file imported so far.
  absl::StatusOr<absl::flat_hash_set<Sha256>> ImportedFiles();
  // Faults of the file and inconsistencies of its rows, in words; empty if there are none. The
  // legality of moves is not checked.
  absl::StatusOr<std::vector<std::string>> Check();
  // Visits every position in ascending order of packed form. Stops at the first error of `visit`.
  absl::Status ForEach(const std::function<absl::Status(const BookPosition&)>& visit);
  // One position; nullopt if it is not in the book.
  absl::StatusOr<std::optional<BookPosition>> Find(const PackedPosition& position);
  // The graph for a run, with base weights. Moves marked kForbidden or kLeftOut are omitted, as are
  // positions without other moves; it says which moves are forbidden. If no weight was ever set,
  // each weight is the number of times that games and books played the move.
  absl::StatusOr<book::Graph> LoadGraph(const Rules& rules);
  // Imported values of the moves of a graph from LoadGraph; none for a move added to the graph
  // since.
  absl::StatusOr<ImportedValues> ReadImportedValues(const book::Graph& graph);
  // Sets the base weight of every move to that of `weigh`. Nullopt takes the move out of the
  // weighed book (mark kLeftOut) until the next weighing. The user's marks stay. `weigh` may be
  // called more than once for a move and must give the same result each time.
  struct Weighed {
    int64_t kept = 0;
    int64_t left_out = 0;
  };
  absl::StatusOr<Weighed> Weigh(
      const std::function<std::optional<int64_t>(const BookMove&)>& weigh);
  // Whether any weight was ever set.
  absl::StatusOr<bool> IsWeighed();
  // How many moves have no weight or are left out, in a book that IsWeighed.
  absl::StatusOr<int64_t> Unweighed();
  // Every move marked kBad or kForbidden.
  absl::StatusOr<std::vector<MarkedMove>> Marks();
  absl::Status Mark(const PackedPosition& position, Move move, int mark, const std::string& note);

 private:
  Store& store_;
};

}  // namespace joseki::book
