#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/rules.h"
#include "worker/play/play_spec.h"
#include "worker/play/player.h"
#include "worker/play/usi/engines_file.h"

namespace joseki::worker {

// Nodes of each search of the signature.
inline constexpr uint64_t kUsiSignatureNodes = 3000;

// Starts the engine, reads its name, and hashes its weight file. If it claims to be deterministic,
// it searches each of `positions` three times: twice in one process and once in another. The
// signature is 0 unless all agree; `note` (may be null) receives the reason.
// An error if the engine cannot be started or its weight file cannot be read. Blocks, bounded by
// the entry's limits; call from a thread that outlives the call.
absl::StatusOr<EngineIdentity> Identify(const EngineEntry& entry, const Rules& rules,
                                        std::span<const char* const> positions,
                                        const std::function<void(const std::string&)>& note);

// Checks that the engine plays the run's game, that the file allows the run's options, and that the
// dialect supports the run's limit. InvalidArgument "other_game", "option_not_allowed" or
// "unsupported_limit".
absl::Status CheckRun(const EngineEntry& entry, const PlaySpec& play);

// The engines of a worker that could be started, and the players of its seats. Thread-safe once all
// are added.
class EngineSet {
 public:
  using Note = std::function<void(const std::string&)>;

  // `stderr_folder`: folder for the engines' stderr, a file per engine and seat; empty: none.
  // `note` receives remarks on oddities, on any thread.
  EngineSet(std::string stderr_folder, Note note)
      : stderr_folder_(std::move(stderr_folder)), note_(std::move(note)) {}

  void Add(EngineEntry entry, EngineIdentity identity);
  // All engines that were added.
  std::vector<EngineIdentity> identities() const;

  // A player of a seat for a run. InvalidArgument "unknown_engine", or CheckRun's;
  // FailedPrecondition "engine" if the run requires another engine of that id.
  absl::StatusOr<std::unique_ptr<Player>> MakePlayer(const PlaySpec& play, size_t seat) const;

 private:
  struct Known {
    EngineEntry entry;
    EngineIdentity identity;
  };

  const std::string stderr_folder_;
  const Note note_;
  std::map<std::string, Known> engines_;
};

// The cores of seat number `seat` where each seat has `cores` of `usable` for itself. Further seats
// share cores. Empty if `usable` is.
std::vector<int> CoresOfSeat(const std::vector<int>& usable, size_t seat, size_t cores);

}  // namespace joseki::worker
