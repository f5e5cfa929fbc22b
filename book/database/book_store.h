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

// Marks of a move: the user's, and that of the weighing.
inline constexpr int kBad = 1;
inline constexpr int kForbidden = 2;
inline constexpr int kLeftOut = 3;

struct BookMove {
  Move move;
  int64_t base_weight = 0;
  int mark = 0;  // kBad, kForbidden, kLeftOut; 0 none
  std::string note;
  MoveCounts counts[2];      // [professional], summed over the sources
  std::optional<int> value;  // the deepest that a book or engine names; of equal ones the newest
  int depth = 0;
  int64_t book_count = 0;  // summed over the sources
  Move ponder;
};

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

// Reads and edits the book of a database. Thread rule: as the Store it stands on.
class BookStore {
 public:
  explicit BookStore(Store& store) : store_(store) {}

  absl::StatusOr<BookTotals> Totals();
  // Sources of the content, oldest first.
  absl::StatusOr<std::vector<BookSource>> Sources();
  // The contents of all files that were imported.
  absl::StatusOr<absl::flat_hash_set<Sha256>> ImportedFiles();
  // Faults of the file and of its rows among themselves, in words; empty if sound. Does not check
  // that moves are legal.
  absl::StatusOr<std::vector<std::string>> Check();
  // Every position in ascending order of packed form. Stops at the first error of `visit`.
  absl::Status ForEach(const std::function<absl::Status(const BookPosition&)>& visit);
  // One position; nullopt if it is not in the book.
  absl::StatusOr<std::optional<BookPosition>> Find(const PackedPosition& position);
  // The structure for a run: moves marked 2 or 3 and positions without other moves left out, base
  // weights taken along; where none were ever set, how often games and books say a move was played.
  absl::StatusOr<book::Graph> LoadGraph(const Rules& rules);
  // Counts and values of the moves of such a graph; none for a move that was added to it since.
  absl::StatusOr<ImportedValues> ReadImportedValues(const book::Graph& graph);
  // Sets the base weight of every move from `weigh`; nullopt takes the move out of the weighed book
  // (mark 3) until the next weighing. Marks 1 and 2 are the user's and stay.
  // `weigh` may be called for a move more than once, and says the same each time.
  struct Weighed {
    int64_t kept = 0;
    int64_t left_out = 0;
  };
  absl::StatusOr<Weighed> Weigh(
      const std::function<std::optional<int64_t>(const BookMove&)>& weigh);
  // Marks or annotates one move. NotFound if the book has no such move.
  // All marks 1 and 2.
  absl::StatusOr<std::vector<MarkedMove>> Marks();
  absl::Status Mark(const PackedPosition& position, Move move, int mark, const std::string& note);

 private:
  Store& store_;
};

}  // namespace joseki::book
