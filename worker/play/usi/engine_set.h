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

// Nodes of each move of the signature.
inline constexpr uint64_t kUsiSignatureNodes = 3000;

// Starts the engine, asks its name, hashes its weight file, and, if it claims to be deterministic,
// searches each of `positions` three times: twice in one process and once in another. Its signature
// is 0 unless all agree; `note` gets the reason (may be null). An error if the engine cannot be
// started or its weight file cannot be read. Blocks, bounded by the entry's limits; call from a
// thread that outlives the call.
absl::StatusOr<EngineIdentity> Identify(const EngineEntry& entry, const Rules& rules,
                                        std::span<const char* const> positions,
                                        const std::function<void(const std::string&)>& note);

// Checks that the engine plays the run's game, that the file lets a run set these options, and that
// its dialect knows the run's limit. InvalidArgument "other_game", "option_not_allowed" or
// "unsupported_limit".
absl::Status CheckRun(const EngineEntry& entry, const PlaySpec& play);

// The engines of a worker that could be started, and the players of its seats. Thread-safe after
// construction.
class EngineSet {
 public:
  using Note = std::function<void(const std::string&)>;

  // `stderr_folder`: the folder for the engines' stderr, one file an engine and seat; empty: none.
  // `note` gets remarks on oddities; any thread.
  EngineSet(std::string stderr_folder, Note note)
      : stderr_folder_(std::move(stderr_folder)), note_(std::move(note)) {}

  void Add(EngineEntry entry, EngineIdentity identity);
  // Total of all engines that were added.
  std::vector<EngineIdentity> identities() const;

  // A player of a seat for a run. InvalidArgument "unknown_engine", or CheckRun's;
  // FailedPrecondition "engine" if the run wants another one of that id.
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

// The cores of seat number `seat` where each has `cores` of `usable` for itself; they are shared
// once there are no more. Empty if `usable` is.
std::vector<int> CoresOfSeat(const std::vector<int>& usable, size_t seat, size_t cores);

}  // namespace joseki::worker
