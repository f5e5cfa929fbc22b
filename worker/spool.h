#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "worker/coordinator_port.h"

namespace joseki::worker {

// The contents of a spool file. All bytes are checked: a record that is torn or whose checksum is
// wrong is skipped and counted.
struct SpoolContents {
  std::vector<FinishedGame> games;
  uint64_t damaged_bytes = 0;  // 0: the file is intact
};

// Layout: kSpoolHeader, then records of
//   u32 size of the payload | u64 Hash64 of the payload | payload (one game, EncodeGame)
// all little-endian. FailedPrecondition "not_a_spool" if `bytes` begin with something else; a torn
// header is a damaged empty spool. Pure: for tests and fuzzing too.
inline constexpr std::string_view kSpoolHeader = "joseki-spool 1\n";
absl::StatusOr<SpoolContents> ReadSpool(std::string_view bytes);

// Encodes one game as a payload, and decodes it; nullopt if the bytes are no game.
// REQUIRES of EncodeGame: at most 2,000 moves, no more scores than moves, 255 bytes of epoch. A
// longer fault text is cut.
std::string EncodeGame(const FinishedGame& game);
std::optional<FinishedGame> DecodeGame(std::string_view payload);

// The finished games that the coordinator has not acknowledged, in a file, so that neither a killed
// worker nor a lost reply loses a game. A queue in the order of Append.
//
// A record is written when the game ends, and synced (Sync) before the game is submitted.
// Acknowledged records are removed when no others are pending, or when the file is large. After a
// kill they may come back; the coordinator then reports duplicates.
// One process at a time; thread-safe within it.
class Spool {
 public:
  struct Options {
    uint64_t most_bytes = uint64_t{64} << 20;  // pending; at this size the worker takes no new
                                               // slots
    uint64_t compact_bytes = uint64_t{1}
                             << 20;  // a file of this size is rewritten once half is gone
  };
  using Ticket = uint64_t;
  // Games to be submitted in one call.
  struct Batch {
    std::vector<FinishedGame> games;
    std::vector<Ticket> tickets;  // of the games, in order
  };

  // Opens or makes the spool in `folder`, which is made if missing. Games found there are pending.
  // FailedPrecondition "spool_in_use" if another process holds it.
  static absl::StatusOr<std::unique_ptr<Spool>> Open(const std::string& folder, Options options);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // Number of damaged bytes that Open cut off.
  uint64_t damaged_bytes() const { return damaged_bytes_; }

  // Adds a game. The game is pending even if the file cannot be written: the error says why, and a
  // later successful Append or Sync writes it.
  absl::Status Append(FinishedGame game);

  // Syncs everything pending to disk. With nothing pending it probes whether a failed disk works
  // again.
  absl::Status Sync();

  // The oldest pending games of one epoch: at most this many games and bytes of payload, but at
  // least one game.
  Batch Oldest(size_t most_games, uint64_t most_bytes) const;

  // Removes games that the coordinator has acknowledged for good.
  void Acknowledge(std::span<const Ticket> tickets);

  // The following do not wait for the disk, unlike the calls above.
  size_t pending() const;
  uint64_t pending_bytes() const;
  // OK while there is room; else the reason why no further game should be started.
  absl::Status Room() const;

 private:
  struct Pending {
    FinishedGame game;
    uint64_t bytes = 0;  // of its record
  };

  Spool(std::string folder, Options options, int lock_fd);

  absl::Status Load();
  // Updates what pending, pending_bytes and Room tell.
  void Show() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status WriteUnwritten() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CutTornTail() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Compact() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Reopen() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Constant after Open.
  const std::string folder_;
  const std::string path_;
  const Options options_;
  const int lock_fd_;
  uint64_t damaged_bytes_ = 0;

  mutable Mutex mutex_;
  int fd_ ABSL_GUARDED_BY(mutex_) = -1;
  uint64_t file_bytes_ ABSL_GUARDED_BY(mutex_) = 0;  // of whole records and the header
  Ticket next_ticket_ ABSL_GUARDED_BY(mutex_) = 1;
  std::map<Ticket, Pending> pending_ ABSL_GUARDED_BY(mutex_);
  uint64_t pending_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  // Pending games up to this one are in the file.
  Ticket written_ ABSL_GUARDED_BY(mutex_) = 0;
  bool nameless_ ABSL_GUARDED_BY(mutex_) = false;  // fd_ is of the file before the last rewrite
  bool torn_ ABSL_GUARDED_BY(mutex_) = false;      // an incomplete record follows file_bytes_
  absl::Status write_error_ ABSL_GUARDED_BY(mutex_);

  // A copy for callers that must not wait while the disk holds mutex_.
  struct Shown {
    size_t games = 0;
    uint64_t bytes = 0;
    absl::Status error;
  };
  mutable Mutex shown_mutex_ ABSL_ACQUIRED_AFTER(mutex_);
  Shown shown_ ABSL_GUARDED_BY(shown_mutex_);
};

}  // namespace joseki::worker
