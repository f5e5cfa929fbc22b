#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "engine/core/rules.h"
#include "worker/play/player.h"
#include "worker/play/usi/engine_line.h"
#include "worker/play/usi/engine_process.h"
#include "worker/play/usi/engines_file.h"

namespace joseki::worker {

// A USI engine of the worker's own file behind the Player port: one process, started by the first
// use and again after it ended or was ended. Whatever the engine does, every verb comes back: by
// its reply, its end, or a deadline, after which it is killed.
//
// Every game begins with "isready", its reply, and "usinewgame": an engine that keeps its word
// then knows nothing of the game before.
class UsiPlayer final : public Player {
 public:
  struct Options {
    // Set after the entry's; an option that the engine does not offer is an error.
    std::map<std::string, std::string> run_options;
    // Nodes of a move before jitter, for engines whose command line fixes them; 0: limited by time.
    uint64_t nodes = 0;
    uint32_t jitter_percent = 0;
    std::string stderr_path;  // empty: kept nowhere
    std::vector<int> cores;   // empty: any
    // Tells what the engine does that it should not: option names that it does not offer, lines out
    // of turn. May be null.
    std::function<void(const std::string&)> note;
  };

  // `rules` outlive the player.
  UsiPlayer(EngineEntry entry, Options options, const Rules& rules);

  // Starts the engine if it does not run. Unavailable "engine_ended", or the problem of its start;
  // DeadlineExceeded "engine_silent"; InvalidArgument "unknown_option".
  absl::Status Start();
  // The engine's name of itself. REQUIRES: Start was OK once.
  const std::string& name() const { return name_; }

  // Starts the engine if it does not run. Undoes Stop. The seed is used where the command line
  // fixes the nodes: they are drawn once a game.
  absl::Status NewGame(uint64_t seed) override;
  // A move's legality is not checked; a malformed one is given as Choice::words.
  absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) override;
  void Stop() override;
  std::optional<absl::Duration> EngineTime() const override;

  // Time between "go" and "bestmove", in the last game and the one before.
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
  // Sets the option if the engine offers it; whether it does.
  absl::StatusOr<bool> SetOption(const std::string& name, const std::string& value);
  absl::Status SetFirstOf(const std::vector<std::string>& names, int value);
  absl::Status Ready();
  // Reads lines until one is of the kind.
  absl::StatusOr<EngineLine> Await(EngineLine::Kind kind, absl::Time deadline);
  // One search. `go` and `suffix` make its line.
  absl::StatusOr<Reply> Search(std::string_view position, const std::string& go,
                               const Limits& limits);
  absl::Status CheckSilence();
  absl::StatusOr<Choice> ChooseByLines(const GameLine& game, const Limits& limits);
  absl::StatusOr<Choice> ChooseByTrying(const GameLine& game, const Limits& limits);
  absl::StatusOr<std::vector<Move>> Allowed(const GameLine& game, const Limits& limits) const;
  Choice ChoiceOf(const Reply& reply) const;
  // A move as the engine writes it, and what it may have meant by a word.
  std::string TextFor(Move move) const;
  std::optional<Move> MoveOf(std::string word) const;
  std::string PositionLine(const GameLine& game) const;
  absl::Time ReplyDeadline(const Limits& limits) const;
  // The engine is not to be trusted any further, or not there.
  void Discard();
  void Note(const std::string& text) const;

  const EngineEntry entry_;
  const Options options_;
  const Rules& rules_;

  std::string name_;
  std::set<std::string> offered_;  // option names
  uint64_t nodes_ = 0;             // what the command line is to fix
  uint64_t started_nodes_ = 0;     // what that of the running engine fixes
  bool thinking_ = false;          // a "bestmove" is due
  absl::Duration thought_;

  // State that Stop, on another thread, needs: changed under the mutex.
  std::mutex mutex_;
  std::unique_ptr<EngineProcess> process_;
  bool stopped_ = false;
};

}  // namespace joseki::worker
