#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "cli/words/voice.h"
#include "engine/core/rules.h"
#include "nlohmann/json.hpp"

namespace joseki::cli {

// Exit statuses; scripts rely on them.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kBadUsage = 2;
inline constexpr int kInterrupted = 130;  // as a shell says it of a signal to end

using Json = nlohmann::ordered_json;  // keys in the order they are written

// The object that stands for an error under --json: {"error": {...}}.
Json ErrorJson(const absl::Status& error);

// The state that every command shares: where to write, in which form, and the rules of the game.
class Context {
 public:
  Context(const Rules& rules, std::ostream& out, std::ostream& err)
      : rules_(&rules), out_(out), err_(err) {}

  // Rules of the game that was named, or else of the book that was opened; before that, of the
  // constructor's.
  const Rules& rules() const { return *rules_; }
  // The game that the command line names; empty: none.
  const std::string& game() const { return game_; }
  // Switches the rules to those of `game`. InvalidArgument "unknown_game".
  absl::Status UseGame(std::string_view game);
  // Fixes the game as the command line names it, so that no book of another game is opened.
  // InvalidArgument "unknown_game".
  absl::Status NameGame(const std::string& game);

  std::ostream& out() { return out_; }
  std::ostream& err() { return err_; }

  // Language and move notation of the text for people; JSON is the same in every language.
  const Voice& voice() const { return voice_; }
  void set_language(Language language) { voice_ = Voice(language, voice_.moves()); }
  void set_moves(std::string notation) { voice_ = Voice(voice_.language(), std::move(notation)); }

  bool json() const { return json_; }
  void set_json(bool json) { json_ = json; }
  int exit_status() const { return exit_status_; }
  void set_exit_status(int status) { exit_status_ = status; }

  // Ends a command. An error is printed as one line on stderr, or as an object on stdout under
  // --json; the exit status is then kBadUsage for "usage", `status_if_bad` for other problems.
  void Finish(const absl::Status& status, int status_if_bad = kFailed);
  // Prints a command's JSON object, "schema" first.
  void PrintJson(const Json& object);

 private:
  const Rules* rules_;
  std::string game_;
  std::ostream& out_;
  std::ostream& err_;
  Voice voice_;
  bool json_ = false;
  int exit_status_ = kDone;
};

}  // namespace joseki::cli
