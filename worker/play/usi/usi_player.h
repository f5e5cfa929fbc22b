#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/mutex.h"
#include "engine/core/rules.h"
#include "worker/play/player.h"
#include "worker/play/usi/engine_line.h"
#include "worker/play/usi/engine_process.h"
#include "worker/play/usi/engines_file.h"

namespace joseki::worker {

// A USI engine of the worker's own file behind the Player port. Its process is started at first
// use, and restarted after it ended or was killed. Every verb returns: by the engine's reply, its
// end, or a deadline, after which it is killed.
//
// Every game begins with "isready", its reply, and "usinewgame", after which a correct engine knows
// nothing of the previous game.
class UsiPlayer final : public Player {
 public:
  struct Options {
    // Set after the entry's; an option that the engine does not offer is an error.
    std::map<std::string, std::string> run_options;
    // Nodes of a move before jitter, for engines whose command line fixes them; 0: limited by time.
    uint64_t nodes = 0;
    uint32_t jitter_percent = 0;
    std::string stderr_path;  // empty: not kept
    std::vector<int> cores;   // empty: any
    // Receives oddities of the engine: options that it does not offer, unexpected lines. May be
    // null.
    std::function<void(const std::string&)> note;
  };

  // `rules` outlive the player.
  UsiPlayer(EngineEntry entry, Options options, const Rules& rules);

  // Unavailable "engine_ended", or the problem of its start; DeadlineExceeded "engine_silent";
  // InvalidArgument "unknown_option".
  absl::Status Start() override;
  // The engine's own name. REQUIRES: Start has returned OK.
  const std::string& name() const { return name_; }

  // Starts the engine if it does not run, and undoes Stop. Where the command line fixes the nodes,
  // they are drawn once per game from the seed.
  absl::Status NewGame(uint64_t seed) override;
  // Does not check the move's legality; a malformed move is returned as Choice::words.
  absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) override;
  void Stop() override;
  std::optional<absl::Duration> EngineTime() const override;

  // Time between "go" and "bestmove", summed over all games of this player.
  absl::Duration thought() const { return thought_; }

 private:
  struct Reply {
    std::string word;                 // of "bestmove"
    EngineInfo last;                  // the last score, nodes and so on of the first line
    std::map<int, EngineInfo> lines;  // by multipv
  };

  absl::Status Launch();
  absl::Status Handshake();
  absl::Status SetOptions();
  // Sets the option if the engine offers it; returns whether it does.
  absl::StatusOr<bool> SetOption(const std::string& name, const std::string& value);
  absl::Status SetFirstOf(const std::vector<std::string>& names, int value);
  absl::Status Ready();
  absl::Status TellOfNewGame();
  // The line that starts a search. REQUIRES: the engine is started, as its options decide.
  absl::StatusOr<std::string> Go(const Limits& limits) const;
  // Reads lines until one of `kind`.
  absl::StatusOr<EngineLine> Await(EngineLine::Kind kind, EngineProcess::Deadline deadline);
  // Runs one search: sends `position` and `go`, and waits for the reply as long as `limits` allow.
  absl::StatusOr<Reply> Search(std::string_view position, const std::string& go,
                               const Limits& limits);
  absl::Status CheckSilence();
  absl::StatusOr<Choice> ChooseByLines(const GameLine& game, const Limits& limits);
  absl::StatusOr<Choice> ChooseByTrying(const GameLine& game, const Limits& limits);
  absl::StatusOr<std::vector<Move>> Allowed(const GameLine& game, const Limits& limits) const;
  Choice ChoiceOf(const Reply& reply) const;
  // A move in the engine's form, and the move that its word may mean.
  std::string TextFor(Move move) const;
  std::optional<Move> MoveOf(std::string word) const;
  std::string PositionLine(const GameLine& game) const;
  EngineProcess::Deadline ReplyDeadline(const Limits& limits) const;
  // Ends the process, which is dead or no longer in a known state.
  void Discard();
  void Note(const std::string& text) const;

  const EngineEntry entry_;
  const Options options_;
  const Rules& rules_;

  std::string name_;
  std::set<std::string> offered_;  // option names
  uint64_t nodes_ = 0;             // to be fixed by the command line
  uint64_t started_nodes_ = 0;     // fixed by the running engine's command line
  bool thinking_ = false;          // a "bestmove" is due
  absl::Duration thought_;

  // State shared with Stop, on another thread. Only the player's thread changes process_, under the
  // mutex, so it reads it without.
  Mutex mutex_;
  std::unique_ptr<EngineProcess> process_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace joseki::worker
