#include "cli/run/spec_options.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/play_spec.h"
#include "book/tuning/policy.h"
#include "cli/field_flags.h"
#include "cli/play_options.h"
#include "cli/position_argument.h"
#include "cli/run/policy_arguments.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/model/spec_fields.h"
#include "engine/games.h"
#include "proto/limits.h"
#include "worker/play/embedded_engine.h"
#include "worker/play/usi/engine_set.h"

namespace joseki::cli {
namespace {

using coordinator::RunSpec;

absl::StatusOr<coordinator::PriorSpec> PriorsOf(const SpecArguments& arguments) {
  coordinator::PriorSpec priors = arguments.run.priors;
  const book::PlaySpec& play = arguments.run.play;
  if (!arguments.priors) {
    if (priors == coordinator::PriorSpec()) return priors;
    return MakeProblem({.code = "usage",
                        .file = priors.nodes > 0 ? "--prior-nodes" : "--prior-positions",
                        .found = "without --priors",
                        .expected = "--priors"});
  }
  if (priors.nodes > 0) return priors;
  if (play.move_ms > 0) {
    return MakeProblem({.code = "usage",
                        .file = "--priors",
                        .found = "with --move-ms",
                        .expected = "--prior-nodes, as moves have no limit of nodes"});
  }
  priors.nodes = UsualPriorNodes(play.nodes);
  return priors;
}

bool ByGoal(const SpecArguments& arguments) {
  return !arguments.goal.empty() || arguments.policy == "default";
}

// The compared fields of a specification, as text.
class Wanted {
 public:
  struct Row {
    std::string words;
    std::string text;
  };

  template <typename T>
  void operator()(const Field& field, const T& value) {
    if (field.compared) rows_.push_back({field.told(), FieldText(field, value)});
  }
  template <typename T>
  void Object(const Field& field, const T& object) {
    if constexpr (!requires { object.has_value(); }) {
      if (field.compared) VisitFields(object, *this);
    }
  }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

}  // namespace

uint64_t UsualPriorNodes(uint64_t nodes) { return std::min(10 * nodes, kMaxNodes); }

uint64_t UsualSearchNodes(uint64_t nodes) { return std::min(5 * nodes, kMaxNodes); }

bool SearchesUsually(const RunSpec& spec) {
  return spec.play.nodes > 0 && spec.play.keep_scores && !spec.play.opponent &&
         !spec.priors.wanted() && !spec.match;
}

absl::Status IdentifyEngine(const std::string& path, coordinator::PlaySpec& play) {
  ASSIGN_OR_RETURN(const worker::EngineEntries entries, worker::ReadEnginesFile(path));
  const auto entry = entries.find(play.engine_id);
  if (entry == entries.end()) {
    return MakeProblem({.code = "unknown_engine",
                        .file = path,
                        .found = Quote(play.engine_id),
                        .expected = "an engine of this file"});
  }
  RETURN_IF_ERROR(At(worker::CheckRun(entry->second, play), path));
  ASSIGN_OR_RETURN(const Rules* const rules, RulesOf(play.game));
  ASSIGN_OR_RETURN(const worker::EngineIdentity identity,
                   worker::Identify(entry->second, *rules,
                                    worker::EmbeddedEngineOf(play.game).bench(), nullptr));
  play.engine_signature = identity.signature;
  play.engine_name = identity.name;
  play.weights_sha256 = identity.weights_sha256;
  return absl::OkStatus();
}

RunSpec UsualSpec() {
  RunSpec spec;
  spec.play = UsualPlay();
  spec.play.resign.play_on_percent = 10;
  spec.play.re_entry_games = 1000;
  return spec;
}

void AddSpecOptions(CLI::App& command, SpecArguments& arguments) {
  FlagAdder add(command, {Flag::Of::kRuns, Flag::Of::kMatches});
  VisitFields(arguments.run, add);
  command.get_option("--nodes")->excludes("--move-ms");
  // A share of 0 that is named asks for games alone; without the option a goal has its usual share.
  command.get_option("--search-share")
      ->default_str("")
      ->each([&arguments](const std::string& text) {
        arguments.no_search = arguments.no_search || text == "0";
      });
  command.add_option("--hours", arguments.hours, "hours of play; 0: no limit")
      ->type_name("H")
      ->check(Within(0.0, 100'000.0));
  command.add_flag("--no-scores", arguments.no_scores, "games do not keep the engine's scores");
  command
      .add_option(
          "--engines", arguments.engines,
          "file with the engine (docs/reference/engines.md): the run then wants exactly this one")
      ->type_name("FILE");
  command.add_option("--option", arguments.engine_options, "option of the engine")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  AddPolicyOptions(command, arguments.policy, arguments.goal, arguments.policy_options);
  command.add_option("--seed", arguments.seed, "seed of every choice by chance")
      ->type_name("S")
      ->check(AnyWhole());
  command.add_flag("--priors", arguments.priors,
                   "the workers search the book's positions too, and the policy takes the scores "
                   "for games; of a policy that uses evaluations");
  command.add_flag("--no-search", arguments.no_search,
                   "no searches along the lines that the book will be played by, which a goal has "
                   "else: games alone");
  command
      .add_option("--settle", arguments.settle_error,
                  "chance that a position is settled wrongly; a settled one gets no further games "
                  "for its other moves. 0: none is settled; without it 0.05 with a goal that does "
                  "not search along lines, else 0")
      ->type_name("P")
      ->check(Within(0.0, 0.5));
  command
      .add_option("--stop-gain", arguments.stop_gain,
                  "end the run when all that is left to find is worth no more of the score a game; "
                  "0: never for that; without it 0.001 where positions are settled")
      ->type_name("SCORE")
      ->check(Within(0.0, 1.0));
}

void AddShareOptions(CLI::App& command, SpecArguments& arguments) {
  FlagAdder add(command, {Flag::Of::kClusters});
  VisitFields(arguments.run, add);
  command
      .add_option("--require-label", arguments.required_labels,
                  "only workers that were started with this --label get games")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

bool WantsSearches(const SpecArguments& arguments) {
  return ByGoal(arguments) && !arguments.no_search;
}

void SetUsual(const SpecArguments& arguments, RunSpec& spec) {
  spec.line_searches = arguments.run.line_searches;
  if (WantsSearches(arguments) && spec.line_searches.share == 0 && SearchesUsually(spec)) {
    spec.line_searches.share = kUsualSearchShare;
  }
  if (spec.line_searches.wanted() && spec.line_searches.nodes == 0) {
    spec.line_searches.nodes = UsualSearchNodes(spec.play.nodes);
  }
  // A run without searches adds no moves anyway, and knows no other limit.
  if (!spec.line_searches.wanted()) {
    spec.line_searches.fixed_book = false;
    spec.line_searches.own_limit = false;
  }
  const bool settles = ByGoal(arguments) && !spec.line_searches.wanted();
  spec.stop.settling.error = arguments.settle_error.value_or(settles ? kSettleError : 0);
  spec.stop.least_gain = arguments.stop_gain.value_or(spec.stop.settling.on() ? kStopGain : 0);
}

absl::StatusOr<std::string> StartOf(const std::string& text, const Rules& rules) {
  // Keep a valid position unchanged: its text is compared with that of earlier runs.
  if (text.empty() || rules.Start(text, MatchRules{}).ok()) return text;
  ASSIGN_OR_RETURN(const auto state, StateOf(rules, {text}, "--start"));
  return state->text();
}

absl::StatusOr<RunSpec> SpecOf(const SpecArguments& arguments, const Rules& rules) {
  RunSpec spec = WithoutUnused(arguments.run);
  spec.play.game = rules.game();
  ASSIGN_OR_RETURN(spec.start, StartOf(arguments.run.start, rules));
  ASSIGN_OR_RETURN(spec.play.engine_options, PairsOf(arguments.engine_options, "--option"));
  if (spec.play.resign.below == 0) {
    spec.play.resign.play_on_percent = 0;
  } else if (arguments.no_scores) {
    return MakeProblem({.code = "usage",
                        .file = "--no-scores",
                        .found = "with --resign-below",
                        .expected = "scores, as resignation is judged by them"});
  }
  if (arguments.no_search && arguments.run.line_searches.wanted()) {
    return MakeProblem({.code = "usage",
                        .file = "--no-search",
                        .found = "with --search-share",
                        .expected = "one of them"});
  }
  spec.play.keep_scores = !arguments.no_scores;
  if (spec.play.engine_id == book::kEmbeddedEngine) {
    const worker::EmbeddedEngine& engine = worker::EmbeddedEngineOf(spec.play.game);
    RETURN_IF_ERROR(At(engine.check_options(spec.play.engine_options), "--option"));
    spec.play.engine_signature = engine.signature();
  } else if (!arguments.engines.empty()) {
    RETURN_IF_ERROR(IdentifyEngine(arguments.engines, spec.play));
  }
  ASSIGN_OR_RETURN(book::NamedPolicy policy,
                   PolicyOf(arguments.policy, arguments.goal, arguments.policy_options));
  ASSIGN_OR_RETURN(spec.priors, PriorsOf(arguments));
  SetUsual(arguments, spec);
  spec.policy = std::move(policy.name);
  spec.policy_options = std::move(policy.options);
  spec.seconds = SecondsOf(arguments.hours);
  spec.seed = arguments.seed.value_or(1);
  ASSIGN_OR_RETURN(spec.requirements.labels, PairsOf(arguments.required_labels, "--require-label"));
  return spec;
}

uint64_t SecondsOf(double hours) {
  const auto seconds = static_cast<uint64_t>(std::llround(hours * 3600));
  return hours > 0 && seconds == 0 ? 1 : seconds;
}

std::vector<std::string> DifferencesOf(const RunSpec& wanted, const RunSpec& have, bool with_seed) {
  RunSpec before = have;
  const coordinator::Budget asked = coordinator::AskedBudget(have);
  before.games = asked.games;
  before.seconds = asked.seconds;
  if (!with_seed) before.seed = wanted.seed;
  Wanted now;
  Wanted then;
  VisitFields(wanted, now);
  VisitFields(std::as_const(before), then);
  std::vector<std::string> differences;
  const auto compare = [&](const std::string& words, const std::string& a, const std::string& b) {
    if (a != b) differences.push_back(absl::StrCat(words, " ", a, " instead of ", b));
  };
  for (size_t i = 0; i < now.rows().size(); ++i) {
    compare(now.rows()[i].words, now.rows()[i].text, then.rows()[i].text);
  }
  compare("pairing", coordinator::PairingOf(wanted.play), coordinator::PairingOf(have.play));
  return differences;
}

}  // namespace joseki::cli
