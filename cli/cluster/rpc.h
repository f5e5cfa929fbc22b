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
#include "book/stats/series.h"
#include "coordinator/model/messages.h"
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
  std::vector<int> scores;  // of the moves after the book's, kNoScore unknown; or empty
  // Of a run with an opponent, the side of the run's book; of a match also which game it is.
  std::optional<Color> own = {};
  uint32_t pair = 0;
  uint32_t attempt = 0;
  bool excluded = false;                   // its worker is not trusted: it does not count
  std::string fault = {};                  // what went wrong, where the ending is a fault
  std::array<book::SideUse, 2> used = {};  // of a match: what A and B did
};

// Where a coordinator is and how it is spoken to.
struct Connection {
  std::string address = "127.0.0.1:7460";  // HOST:PORT
  certificates::TlsFiles tls;              // none: in clear
};

// What an operator and a reader may ask of a running coordinator (proto/joseki/v1), as plain
// values. Every call blocks, has a deadline of its own, and fails with the coordinator's problem,
// or Unavailable "unreachable" with the address. Thread-safe.
class Cluster {
 public:
  // Does not connect yet; an unusable certificate or address is what every call fails with.
  // `rules` outlive the cluster, and are those of the coordinator's game.
  static std::unique_ptr<Cluster> At(const Connection& connection, const Rules& rules);
  // Asks the coordinator for its game first.
  static absl::StatusOr<std::unique_ptr<Cluster>> Reach(const Connection& connection);
  virtual ~Cluster() = default;

  virtual const Rules& rules() const = 0;

  struct CreatedRun {
    RunId run = 0;
    uint64_t positions = 0;
    uint64_t moves = 0;
  };
  // The same `request_id` again gives the same run.
  virtual absl::StatusOr<CreatedRun> CreateRun(const coordinator::RunSpec& spec,
                                               const std::string& request_id) = 0;
  // A shipped book (book/play_book.h), for opponents; its SHA-256, 32 bytes.
  virtual absl::StatusOr<std::string> PutBook(const std::string& bytes) = 0;
  enum class Change { kPause, kResume, kStop };
  // The state now.
  virtual absl::StatusOr<std::string> ChangeRun(RunId run, Change change) = 0;
  virtual absl::StatusOr<coordinator::ExtendedRun> ExtendRun(
      RunId run, const coordinator::MoreToPlay& more) = 0;
  // Weight 0: as it is. The share now.
  virtual absl::StatusOr<coordinator::Share> SetPriority(RunId run, uint32_t priority,
                                                         uint32_t weight) = 0;
  // Empty: all workers. How many it concerns.
  virtual absl::StatusOr<uint32_t> Drain(const std::string& worker) = 0;
  virtual absl::StatusOr<uint32_t> Undrain(const std::string& worker) = 0;

  // Gives out again a line that failed too often, or all such lines; how many there were.
  virtual absl::StatusOr<uint32_t> FreeLines(RunId run, const std::optional<std::string>& line) = 0;
  // How many leases ended. `unseen`: the worker may never have been there.
  virtual absl::StatusOr<uint32_t> BlockWorker(const std::string& worker, const std::string& reason,
                                               bool unseen) = 0;
  virtual absl::Status UnblockWorker(const std::string& worker, bool keep_games_out) = 0;

  // Run 0: all.
  virtual absl::StatusOr<coordinator::ClusterStatus> GetStatus(RunId run) = 0;
  // Calls `visit` at once and then every `interval`, until it returns false.
  virtual absl::Status WatchStatus(
      RunId run, absl::Duration interval,
      const std::function<bool(const coordinator::ClusterStatus&)>& visit) = 0;
  // An empty position: where the run's lines start.
  virtual absl::StatusOr<coordinator::PositionEvidence> GetPosition(
      RunId run, const std::string& position) = 0;
  // Of at most `most` positions.
  virtual absl::StatusOr<coordinator::SpendingReport> GetSpending(RunId run, uint32_t most) = 0;
  // The whole file.
  virtual absl::StatusOr<std::string> ExportBook(RunId run, const std::string& format) = 0;
  // In the order of their commits, from after `after`, at most `limit` (0: 1000).
  virtual absl::Status ListGames(RunId run, uint64_t after, uint32_t limit,
                                 const std::function<void(const ListedGame&)>& visit) = 0;
};

}  // namespace joseki::cli
