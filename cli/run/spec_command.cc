#include "cli/run/spec_command.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "book/play_fields.h"
#include "book/play_spec.h"
#include "book/tuning/goals.h"
#include "cli/field_flags.h"
#include "cli/run/opponent_options.h"
#include "cli/run/spec_options.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/model/spec_fields.h"

namespace joseki::cli {
namespace {

using coordinator::RunSpec;
using Choice = book::PlayRules::Choice;

// The options of one command line.
class Line {
 public:
  void Flag(std::string_view flag) { absl::StrAppend(&text_, " ", std::string(flag)); }
  void Add(std::string_view flag, const std::string& value) {
    // A value with a leading dash would be taken for the next option: join it with "=".
    const bool joined = !value.empty() && value.front() == '-';
    absl::StrAppend(&text_, " ",
                    joined ? ShellWord(absl::StrCat(std::string(flag), "=", value))
                           : absl::StrCat(std::string(flag), " ", ShellWord(value)));
  }
  void Add(std::string_view flag, double value) { Add(flag, NumberText(value)); }
  void Add(std::string_view flag, uint64_t value) { Add(flag, absl::StrCat(value)); }
  // Adds an option unless its value is the command's default.
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

// The options of the policy and of the stop rules. The defaults of the latter depend on the way the
// policy is named: by `goal`, or by its own name if that is empty. nullopt where the goal is
// another policy.
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
  const bool searches = spec.line_searches.wanted();
  const bool usually = !goal.empty() && SearchesUsually(spec);
  if (usually && !searches) line.Flag("--no-search");
  if (!usually && spec.line_searches.share == kUsualSearchShare) {
    line.Add("--search-share", uint64_t{kUsualSearchShare});
  }
  line.AddUnless("--settle", stop.settling.error, goal.empty() || searches ? 0 : kSettleError);
  line.AddUnless("--stop-gain", stop.least_gain, stop.settling.on() ? kStopGain : 0);
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

// Adds the options of the fields' table that differ from the command's defaults.
void AddFields(const RunSpec& spec, Line& line) {
  RunSpec said = spec;
  // Leave out values that follow from other options.
  if (said.play.resign.below == 0) said.play.resign.play_on_percent = 0;
  if (said.play.opponent) said.play.re_entry = false;
  if (said.play.move_ms == 0 && said.priors.nodes == UsualPriorNodes(said.play.nodes)) {
    said.priors.nodes = 0;
  }
  if (said.line_searches.nodes == UsualSearchNodes(said.play.nodes)) said.line_searches.nodes = 0;
  if (said.line_searches.share == kUsualSearchShare)
    said.line_searches.share = 0;  // added by PolicyOptions
  RunSpec usual = UsualSpec();
  if (said.play.resign.below == 0) usual.play.resign.play_on_percent = 0;
  FlagWords words;
  FlagWords usual_words;
  VisitFields(std::as_const(said), words);
  VisitFields(std::as_const(usual), usual_words);
  for (size_t i = 0; i < words.words().size(); ++i) {
    const FlagWords::Word& word = words.words()[i];
    if (!word.applies || word.value == usual_words.words()[i].value) continue;
    if (word.alone) {
      line.Flag(word.flag);
    } else {
      line.Add(word.flag, word.value);
    }
  }
}

// Whether an engines file named the engine; the embedded one needs no file.
bool ByFile(const std::string& id, uint64_t signature, const std::string& name) {
  return id != book::kEmbeddedEngine && (signature != 0 || !name.empty());
}

void AddEngines(const RunSpec& spec, const SpecFiles& files, Line& line) {
  const coordinator::PlaySpec& play = spec.play;
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
  line.AddUnless("--side", SideWord(spec.play), OpponentArguments().side);
  if (opponent.rules.choice != Choice::kAnswer) {
    line.Add("--opponent-choice", std::string(NameIn(book::kChoiceNames, opponent.rules.choice)));
  }
  if (opponent.rules.choice == Choice::kRange)
    line.AddUnless("--opponent-range", opponent.rules.range, 1.0);
  if (opponent.move_ms > 0) {
    line.AddUnless("--opponent-move-ms", opponent.move_ms, spec.play.move_ms);
  } else if (spec.play.move_ms > 0 || opponent.nodes != spec.play.nodes) {
    line.Add("--opponent-nodes", opponent.nodes);
  }
  line.AddPairs("--opponent-option", opponent.engine_options);
  // A run against an opponent always has re-entry, so that only the number is an option.
  line.AddUnless("--re-entry-games", spec.play.re_entry_games, UsualSpec().play.re_entry_games);
}

}  // namespace

std::string ShellWord(const std::string& word) {
  const auto plain = [](char c) {
    return !absl::ascii_isascii(static_cast<unsigned char>(c)) ||
           absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_./:=,@%+#-").find(c) != std::string_view::npos;
  };
  if (!word.empty() && word.front() != '#' && std::all_of(word.begin(), word.end(), plain)) {
    return word;
  }
  return "'" + absl::StrReplaceAll(word, {{"'", "'\\''"}}) + "'";
}

std::string SpecOptions(const RunSpec& spec, const SpecFiles& files) {
  Line line;
  AddFields(spec, line);
  if (spec.seconds > 0) line.Add("--hours", static_cast<double>(spec.seconds) / 3600);
  if (!spec.play.keep_scores) line.Flag("--no-scores");
  AddEngines(spec, files, line);
  std::string text = absl::StrCat(line.text(), ShortestPolicyOptions(spec));
  Line rest;
  if (spec.priors.wanted()) rest.Flag("--priors");
  rest.AddUnless("--seed", spec.seed, RunSpec().seed);
  AddOpponent(spec, files, rest);
  rest.AddPairs("--require-label", spec.requirements.labels);
  return absl::StrCat(text, rest.text());
}

}  // namespace joseki::cli
