#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/certificates/tls_files.h"
#include "book/database/importer.h"
#include "book/stats/series.h"
#include "coordinator/model/messages.h"
#include "coordinator/offline/export_file.h"
#include "coordinator/offline/spending.h"
#include "engine/core/rules.h"

namespace joseki::cli {

using coordinator::RunId;

// A game as `joseki games` lists it.
struct ListedGame {
  uint64_t commit_seq = 0;
  uint64_t lease = 0;
  uint32_t slot = 0;
  uint32_t stage = 0;  // 1-based
  std::string worker;
  std::string start;
  std::string moves;  // text
  uint32_t book_plies = 0;
  Ending ending;
  uint64_t nodes = 0;
  std::vector<int> scores;  // of the moves after the book's; kNoScore: unknown; or empty
  // The side of the run's book, if the run has an opponent. A match sets pair and attempt as well.
  std::optional<Color> own = {};
  uint32_t pair = 0;
  uint32_t attempt = 0;
  bool excluded = false;                   // its worker is not trusted, so the game does not count
  std::string fault = {};                  // description of a fault
  std::array<book::SideUse, 2> used = {};  // effort of A and B in a match
};

// The address of a coordinator and its credentials.
struct Connection {
  std::string address = "127.0.0.1:7460";  // HOST:PORT
  certificates::TlsFiles tls;              // none: plaintext
};

// True for the error of a coordinator that is unreachable for now: asking again may help.
bool IsGone(const absl::Status& status);

// The calls of operators and readers to a running coordinator (proto/joseki/v1), as plain values.
// Every call blocks and has a deadline of its own. Errors are the coordinator's problem, or
// Unavailable or DeadlineExceeded "unreachable" with the address. Thread-safe.
class Cluster {
 public:
  // Does not connect yet; every call fails if the certificate or the address is unusable. `rules`
  // outlive the cluster, and belong to the coordinator's game.
  static std::unique_ptr<Cluster> At(const Connection& connection, const Rules& rules);
  // Connects and asks the coordinator for its game.
  static absl::StatusOr<std::unique_ptr<Cluster>> Reach(const Connection& connection);
  virtual ~Cluster() = default;

  virtual const Rules& rules() const = 0;

  struct CreatedRun {
    RunId run = 0;
    uint64_t positions = 0;
    uint64_t moves = 0;
  };
  // Creates a run. A repeated `request_id` returns the run that it created.
  virtual absl::StatusOr<CreatedRun> CreateRun(const coordinator::RunSpec& spec,
                                               const std::string& request_id) = 0;
  // Stores a shipped book (book/play_book.h) for opponents; returns its SHA-256, 32 bytes.
  virtual absl::StatusOr<std::string> PutBook(const std::string& bytes) = 0;
  struct FileToImport {
    std::string name;    // for messages
    std::string format;  // a word of `joseki import --from`; empty: by content
    uint32_t plies = 0;  // of each game that become book moves; 0: 45
    bool professional = false;
    bool again = false;
  };
  // Adds a file of records or a book to the coordinator's book. AlreadyExists "already_imported" if
  // the book is made of it and `again` is not set.
  virtual absl::StatusOr<book::ImportReport> Import(const FileToImport& file,
                                                    const std::string& bytes) = 0;
  enum class Change { kPause, kResume, kStop };
  // Returns the new state.
  virtual absl::StatusOr<std::string> ChangeRun(RunId run, Change change) = 0;
  virtual absl::StatusOr<coordinator::ExtendedRun> ExtendRun(
      RunId run, const coordinator::MoreToPlay& more) = 0;
  // `weight` 0 keeps the weight. Returns the new share.
  virtual absl::StatusOr<coordinator::Share> SetPriority(RunId run, uint32_t priority,
                                                         uint32_t weight) = 0;
  // `worker` empty: all workers. Returns the number of workers affected.
  virtual absl::StatusOr<uint32_t> Drain(const std::string& worker) = 0;
  struct Undrained {
    bool lifted = false;   // there was a drain to end
    uint32_t workers = 0;  // that get games again
  };
  virtual absl::StatusOr<Undrained> Undrain(const std::string& worker) = 0;

  // Hands out again a poisoned line, or all of them; returns their number.
  virtual absl::StatusOr<uint32_t> FreeLines(RunId run, const std::optional<std::string>& line) = 0;
  // Returns the number of leases that ended. `unseen`: allow a name that has never joined.
  virtual absl::StatusOr<uint32_t> BlockWorker(const std::string& worker, const std::string& reason,
                                               bool unseen) = 0;
  virtual absl::Status UnblockWorker(const std::string& worker, bool keep_games_out) = 0;

  // `run` 0: all runs.
  virtual absl::StatusOr<coordinator::ClusterStatus> GetStatus(RunId run) = 0;
  // Calls `visit` at once and then every `interval`, until it returns false.
  virtual absl::Status WatchStatus(
      RunId run, absl::Duration interval,
      const std::function<bool(const coordinator::ClusterStatus&)>& visit) = 0;
  // `position` empty: the start of the run's lines.
  virtual absl::StatusOr<coordinator::PositionEvidence> GetPosition(
      RunId run, const std::string& position) = 0;
  // `most`: the largest number of positions.
  virtual absl::StatusOr<coordinator::SpendingReport> GetSpending(RunId run, uint32_t most) = 0;
  virtual absl::StatusOr<coordinator::ExportedFile> ExportBook(RunId run,
                                                               const std::string& format) = 0;
  // Visits games in commit order, from after `after`, at most `limit` (0: 1000).
  virtual absl::Status ListGames(RunId run, uint64_t after, uint32_t limit,
                                 const std::function<void(const ListedGame&)>& visit) = 0;
};

}  // namespace joseki::cli
