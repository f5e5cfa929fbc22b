#include "cli/run/spec_command.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "book/tuning/goals.h"
#include "cli/run/spec_options.h"
#include "coordinator/model/opponent_spec.h"

namespace joseki::cli {
namespace {

using coordinator::RunSpec;
using Choice = book::PlayRules::Choice;
using Pairs = std::map<std::string, std::string>;

constexpr char kEmbedded[] = "embedded";

// As a shell takes it for one word.
std::string Quoted(const std::string& word) {
  const bool plain =
      !word.empty() && word.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "_./:=,@%+#-") == std::string::npos;
  return plain && word.front() != '#' ? word
                                      : "'" + absl::StrReplaceAll(word, {{"'", "'\\''"}}) + "'";
}

// The fewest digits that are read as the same number.
std::string Digits(double value) {
  for (int digits = 1; digits < 17; ++digits) {
    std::string text = absl::StrFormat("%.*g", digits, value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return absl::StrFormat("%.17g", value);
}

// Options of one command line.
class Line {
 public:
  void Flag(std::string_view flag) { absl::StrAppend(&text_, " ", std::string(flag)); }
  void Add(std::string_view flag, const std::string& value) {
    // What begins with a dash would be taken for the next option.
    const bool joined = !value.empty() && value.front() == '-';
    absl::StrAppend(&text_, " ",
                    joined ? Quoted(absl::StrCat(std::string(flag), "=", value))
                           : absl::StrCat(std::string(flag), " ", Quoted(value)));
  }
  void Add(std::string_view flag, double value) { Add(flag, Digits(value)); }
  void Add(std::string_view flag, uint64_t value) { Add(flag, absl::StrCat(value)); }
  // Unless it is what the command takes without a word.
  template <typename T>
  void AddUnless(std::string_view flag, T value, T usual) {
    if (value == usual) return;
    if constexpr (std::is_integral_v<T>) {
      Add(flag, uint64_t{value});
    } else {
      Add(flag, value);
    }
  }
  void AddPairs(std::string_view flag, const Pairs& pairs) {
    for (const auto& [name, value] : pairs) Add(flag, absl::StrCat(name, "=", value));
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The policy, and the stop rules, whose defaults hang on how it is named: by `goal`, or, empty, by
// itself. nullopt where the goal is another policy.
std::optional<std::string> PolicyOptions(const RunSpec& spec, const std::string& goal) {
  Line line;
  Pairs options = spec.policy_options;
  if (!goal.empty()) {
    const auto named = book::PolicyOfGoal(goal);
    if (!named.ok() || named->name != spec.policy) return std::nullopt;
    for (const auto& [name, value] : named->options) {
      const auto found = options.find(name);
      if (found == options.end()) return std::nullopt;
      if (found->second == value) options.erase(found);
    }
    if (goal != SpecArguments().policy) line.Add("--goal", goal);
  } else {
    line.Add("--policy", spec.policy);
  }
  line.AddPairs("--policy-option", options);
  const coordinator::StopRules& stop = spec.stop;
  line.AddUnless("--settle", stop.settling.error, goal.empty() ? 0 : kSettleError);
  line.AddUnless("--settle-margin", stop.settling.margin, SpecArguments().settle_margin);
  line.AddUnless("--stop-gain", stop.least_gain, stop.settling.on() ? kStopGain : 0);
  line.AddUnless("--stop-change", stop.least_change, SpecArguments().stop_change);
  return line.text();
}

std::string ShortestPolicyOptions(const RunSpec& spec) {
  std::string shortest = *PolicyOptions(spec, "");
  for (const std::string_view goal : book::GoalNames()) {
    const auto other = PolicyOptions(spec, std::string(goal));
    if (other && other->size() < shortest.size()) shortest = *other;
  }
  return shortest;
}

void AddPlay(const RunSpec& spec, Line& line) {
  const coordinator::PlaySpec& play = spec.play;
  const PlayArguments usual;
  if (play.move_ms > 0) {
    line.Add("--move-ms", uint64_t{play.move_ms});
  } else {
    line.AddUnless("--nodes", play.nodes, usual.nodes);
  }
  line.AddUnless("--jitter", play.jitter_percent, usual.jitter_percent);
  line.AddUnless("--max-plies", static_cast<uint32_t>(play.match.max_plies), usual.max_plies);
  line.AddUnless("--declaration", NameOf(play.match.declaration), usual.declaration);
  if (play.resign.below > 0) {
    line.Add("--resign-below", uint64_t{play.resign.below});
    line.AddUnless("--resign-moves", play.resign.moves, usual.resign_moves);
    line.AddUnless("--play-on", play.resign.play_on_percent, SpecArguments().play_on_percent);
  }
  if (!play.keep_scores) line.Flag("--no-scores");
}

// A file has told what the engine is; the embedded one is known without.
bool ByFile(const std::string& id, uint64_t signature, const std::string& name) {
  return id != kEmbedded && (signature != 0 || !name.empty());
}

void AddEngines(const RunSpec& spec, const SpecFiles& files, Line& line) {
  const coordinator::PlaySpec& play = spec.play;
  line.AddUnless("--engine", play.engine_id, SpecArguments().engine);
  const auto& other = play.opponent;
  if (ByFile(play.engine_id, play.engine_signature, play.engine_name) ||
      (other && ByFile(other->engine_id, other->engine_signature, other->engine_name))) {
    line.Add("--engines", files.engines);
  }
  line.AddPairs("--option", play.engine_options);
}

void AddOpponent(const RunSpec& spec, const SpecFiles& files, Line& line) {
  if (!spec.play.opponent) return;
  const coordinator::Opponent& opponent = *spec.play.opponent;
  line.Add("--opponent",
           absl::StrCat(opponent.book.empty() ? "none" : files.opponent, "@", opponent.engine_id));
  line.AddUnless("--side", std::string(coordinator::NameOf(opponent.side)), std::string("both"));
  if (opponent.choice != Choice::kAnswer) {
    line.Add("--opponent-choice", opponent.choice == Choice::kShare ? "share" : "range");
  }
  if (opponent.choice == Choice::kRange) line.AddUnless("--opponent-range", opponent.range, 1.0);
  if (opponent.move_ms > 0) {
    line.AddUnless("--opponent-move-ms", opponent.move_ms, spec.play.move_ms);
  } else if (spec.play.move_ms > 0 || opponent.nodes != spec.play.nodes) {
    line.Add("--opponent-nodes", opponent.nodes);
  }
  line.AddPairs("--opponent-option", opponent.engine_options);
}

void AddPriors(const RunSpec& spec, Line& line) {
  if (!spec.priors.wanted()) return;
  line.Flag("--priors");
  if (spec.play.move_ms > 0 || spec.priors.nodes != UsualPriorNodes(spec.play.nodes)) {
    line.Add("--prior-nodes", spec.priors.nodes);
  }
  line.AddUnless("--prior-positions", spec.priors.positions, SpecArguments().prior_positions);
}

}  // namespace

std::string SpecOptions(const RunSpec& spec, const SpecFiles& files) {
  const SpecArguments usual;
  Line line;
  line.AddUnless("--name", spec.name, usual.name);
  line.AddUnless("--games", spec.games, usual.games);
  if (spec.seconds > 0) line.Add("--hours", static_cast<double>(spec.seconds) / 3600);
  AddEngines(spec, files, line);
  AddPlay(spec, line);
  std::string text = absl::StrCat(line.text(), ShortestPolicyOptions(spec));
  Line rest;
  AddPriors(spec, rest);
  rest.AddUnless("--deviation", spec.deviation, usual.deviation);
  rest.AddUnless("--seed", spec.seed, RunSpec().seed);
  rest.AddUnless("--max-book-plies", spec.max_book_plies, usual.max_book_plies);
  rest.AddUnless("--start", spec.start, usual.start);
  AddOpponent(spec, files, rest);
  // Against an opponent there is always re-entry.
  if (spec.play.re_entry && !spec.play.opponent) rest.Flag("--re-entry");
  if (spec.play.re_entry) {
    rest.AddUnless("--re-entry-games", spec.play.re_entry_games, usual.re_entry_games);
  }
  rest.AddUnless("--verify", spec.verify_percent, usual.verify_percent);
  rest.AddUnless("--priority", spec.share.priority, usual.priority);
  rest.AddUnless("--weight", spec.share.weight, usual.weight);
  rest.AddPairs("--require-label", spec.requirements.labels);
  rest.AddUnless("--require-memory", spec.requirements.memory_mb, usual.required_memory_mb);
  rest.AddUnless("--require-cores", spec.requirements.cores, usual.required_cores);
  return absl::StrCat(text, rest.text());
}

}  // namespace joseki::cli
