#include "cli/run/spec_options.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/policy.h"
#include "cli/run/policy_arguments.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/model/run_spec.h"
#include "engine/search/shogi/bench.h"
#include "engine/shogi/shogi_rules.h"
#include "worker/play/embedded_player.h"
#include "worker/play/usi/engine_set.h"

namespace joseki::cli {
namespace {

using coordinator::RunSpec;

constexpr uint64_t kMostPriorNodes = 1'000'000'000;

std::string TextOf(const std::map<std::string, std::string>& pairs) {
  if (pairs.empty()) return "(none)";
  return absl::StrJoin(pairs, ",", absl::PairFormatter("="));
}

absl::StatusOr<coordinator::PriorSpec> PriorsOf(const SpecArguments& arguments) {
  coordinator::PriorSpec priors;
  if (!arguments.priors) {
    if (arguments.prior_nodes == 0 && arguments.prior_positions == 0) return priors;
    return MakeProblem({.code = "usage",
                        .file = arguments.prior_nodes > 0 ? "--prior-nodes" : "--prior-positions",
                        .found = "without --priors",
                        .expected = "--priors"});
  }
  priors.nodes = arguments.prior_nodes;
  if (priors.nodes == 0) {
    if (arguments.play.move_ms > 0) {
      return MakeProblem({.code = "usage",
                          .file = "--priors",
                          .found = "with --move-ms",
                          .expected = "--prior-nodes, as moves have no limit of nodes"});
    }
    priors.nodes = UsualPriorNodes(arguments.play.nodes);
  }
  priors.positions = arguments.prior_positions;
  return priors;
}

}  // namespace

uint64_t UsualPriorNodes(uint64_t nodes) { return std::min(10 * nodes, kMostPriorNodes); }

absl::Status IdentifyEngine(const std::string& path, coordinator::PlaySpec& play) {
  ASSIGN_OR_RETURN(const worker::EngineEntries entries, worker::ReadEnginesFile(path));
  const auto entry = entries.find(play.engine_id);
  if (entry == entries.end()) {
    return MakeProblem({.code = "unknown_engine",
                        .file = path,
                        .found = Quote(play.engine_id),
                        .expected = "an engine of this file"});
  }
  worker::PlaySpec wanted;
  wanted.engine_options = play.engine_options;
  wanted.nodes = play.nodes;
  wanted.move_ms = play.move_ms;
  RETURN_IF_ERROR(At(worker::CheckRun(entry->second, wanted), path));
  ASSIGN_OR_RETURN(const worker::EngineIdentity identity,
                   worker::Identify(entry->second, shogi::ShogiRules(), BenchPositions(), nullptr));
  play.engine_signature = identity.signature;
  play.engine_name = identity.name;
  play.weights_sha256 = identity.weights_sha256;
  return absl::OkStatus();
}

void AddSpecOptions(CLI::App& command, SpecArguments& arguments) {
  command.add_option("--games", arguments.games, "games to play; 0: no limit")
      ->type_name("N")
      ->check(Within(uint64_t{0}, uint64_t{1'000'000'000'000}));
  command.add_option("--hours", arguments.hours, "hours of play; 0: no limit")
      ->type_name("H")
      ->check(Within(0.0, 100'000.0));
  AddPlayOptions(command, arguments.play);
  command
      .add_option("--play-on", arguments.play_on_percent,
                  "of the games, this percentage is played on to see whether resigning was right")
      ->type_name("PERCENT")
      ->check(Within(0, 100))
      ->capture_default_str();
  command.add_flag("--no-scores", arguments.no_scores, "games do not keep the engine's scores");
  command
      .add_option("--engine", arguments.engine, "engine, as the workers' configuration names it")
      ->type_name("ID")
      ->capture_default_str();
  command
      .add_option("--engines", arguments.engines,
                  "file with the engine (docs/engines.md): the run then wants exactly this one")
      ->type_name("FILE");
  command.add_option("--option", arguments.engine_options, "option of the engine")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  AddPolicyOptions(command, arguments.policy, arguments.goal, arguments.policy_options);
  command
      .add_option("--deviation", arguments.deviation,
                  "chance at each book position that the game leaves the book there")
      ->type_name("P")
      ->check(Within(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--seed", arguments.seed, "seed of every choice by chance")->type_name("S");
  command
      .add_option("--max-book-plies", arguments.max_book_plies,
                  "lines are cut after this many plies; 0: where the book ends")
      ->type_name("M")
      ->check(Within(0, 500))
      ->capture_default_str();
  command.add_option("--start", arguments.start, "position where the games begin")
      ->type_name("SFEN")
      ->capture_default_str();
  command
      .add_option("--verify", arguments.verify_percent,
                  "share of the games that a second worker plays again, to compare")
      ->type_name("PERCENT")
      ->check(Within(0.0, 100.0))
      ->capture_default_str();
  command.add_flag("--re-entry", arguments.re_entry,
                   "where a game that has left the book comes back to a position of it, the book's "
                   "answer is played, and counted");
  command
      .add_option("--re-entry-games", arguments.re_entry_games,
                  "of a policy without stages: its answers are brought up to date after so many "
                  "games")
      ->type_name("N")
      ->check(Within(1, 1'000'000'000))
      ->capture_default_str();
  command.add_flag("--priors", arguments.priors,
                   "the workers search the book's positions too, and the policy takes the scores "
                   "for games; of a policy that uses evaluations");
  command
      .add_option("--prior-nodes", arguments.prior_nodes,
                  "nodes of such a search; by default ten times those of a move")
      ->type_name("N")
      ->check(Within(1, 1'000'000'000));
  command
      .add_option("--prior-positions", arguments.prior_positions,
                  "at most so many positions, those nearest to the start; 0: all")
      ->type_name("N");
  command
      .add_option("--settle", arguments.settle_error,
                  "chance that a position is settled wrongly; a settled one gets no further games "
                  "for its other moves. 0: none is settled; without it 0.05 with a goal, 0 with a "
                  "policy by name")
      ->type_name("P")
      ->check(Within(0.0, 0.5));
  command
      .add_option("--settle-margin", arguments.settle_margin,
                  "moves whose scores differ by no more than this are equally good")
      ->type_name("SCORE")
      ->check(Within(0.0, 1.0))
      ->capture_default_str();
  command
      .add_option("--stop-gain", arguments.stop_gain,
                  "end the run when all that is left to find is worth no more of the score a game; "
                  "0: never for that; without it 0.001 where positions are settled")
      ->type_name("SCORE")
      ->check(Within(0.0, 1.0));
  command
      .add_option("--stop-change", arguments.stop_change,
                  "of a policy with stages: end the run after a stage that changes the answer at "
                  "no larger share of its moves; 0: never for that")
      ->type_name("SHARE")
      ->check(Within(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--name", arguments.name, "name of the run, for people")->type_name("TEXT");
}

void AddShareOptions(CLI::App& command, SpecArguments& arguments) {
  command.add_option("--priority", arguments.priority, kPriorityHelp)
      ->type_name("P")
      ->check(Within(uint32_t{0}, coordinator::Share::kMaxPriority))
      ->capture_default_str();
  command.add_option("--weight", arguments.weight, kWeightHelp)
      ->type_name("W")
      ->check(Within(uint32_t{1}, coordinator::Share::kMaxWeight))
      ->capture_default_str();
  command
      .add_option("--require-label", arguments.required_labels,
                  "only workers that were started with this --label get games")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--require-memory", arguments.required_memory_mb,
                  "only workers with so much memory for each slot get games")
      ->type_name("MB")
      ->check(Within(0, 1 << 24));
  command
      .add_option("--require-cores", arguments.required_cores,
                  "only workers with so many cores for each slot get games")
      ->type_name("N")
      ->check(Within(0, 1024));
}

absl::StatusOr<RunSpec> SpecOf(const SpecArguments& arguments) {
  RunSpec spec;
  spec.name = arguments.name;
  spec.play.engine_id = arguments.engine;
  ASSIGN_OR_RETURN(spec.play.engine_options, PairsOf(arguments.engine_options, "--option"));
  spec.play.nodes = arguments.play.move_ms > 0 ? 0 : arguments.play.nodes;
  spec.play.move_ms = arguments.play.move_ms;
  if (arguments.play.resign_below > 0) {
    if (arguments.no_scores) {
      return MakeProblem({.code = "usage",
                          .file = "--no-scores",
                          .found = "with --resign-below",
                          .expected = "scores, as resignation is judged by them"});
    }
    spec.play.resign = {arguments.play.resign_below, arguments.play.resign_moves,
                        arguments.play_on_percent};
  }
  spec.play.keep_scores = !arguments.no_scores;
  spec.play.jitter_percent = arguments.play.jitter_percent;
  spec.play.match.max_plies = static_cast<int>(arguments.play.max_plies);
  spec.play.match.declaration = Declarations().at(arguments.play.declaration);
  if (arguments.engine == "embedded") {
    RETURN_IF_ERROR(At(worker::EmbeddedPlayer::CheckOptions(spec.play.engine_options), "--option"));
    spec.play.engine_signature = BenchSignature();
  } else if (!arguments.engines.empty()) {
    RETURN_IF_ERROR(IdentifyEngine(arguments.engines, spec.play));
  }
  ASSIGN_OR_RETURN(book::NamedPolicy policy,
                   PolicyOf(arguments.policy, arguments.goal, arguments.policy_options));
  const bool by_goal = !arguments.goal.empty() || arguments.policy == "default";
  spec.stop.settling = {arguments.settle_error.value_or(by_goal ? kSettleError : 0),
                        arguments.settle_margin};
  spec.stop.least_gain = arguments.stop_gain.value_or(spec.stop.settling.on() ? kStopGain : 0);
  spec.stop.least_change = arguments.stop_change;
  spec.policy = std::move(policy.name);
  spec.policy_options = std::move(policy.options);
  spec.games = arguments.games;
  spec.seconds = SecondsOf(arguments.hours);
  spec.deviation = arguments.deviation;
  spec.seed = arguments.seed.value_or(1);
  spec.max_book_plies = arguments.max_book_plies;
  spec.start = arguments.start;
  spec.play.re_entry = arguments.re_entry;
  if (arguments.re_entry) spec.play.re_entry_games = arguments.re_entry_games;
  spec.share = {.priority = arguments.priority, .weight = arguments.weight};
  ASSIGN_OR_RETURN(spec.requirements.labels, PairsOf(arguments.required_labels, "--require-label"));
  spec.requirements.memory_mb = arguments.required_memory_mb;
  spec.requirements.cores = arguments.required_cores;
  spec.verify_percent = arguments.verify_percent;
  spec.take_over = arguments.take_over;
  ASSIGN_OR_RETURN(spec.priors, PriorsOf(arguments));
  return spec;
}

uint64_t SecondsOf(double hours) {
  const auto seconds = static_cast<uint64_t>(std::llround(hours * 3600));
  return hours > 0 && seconds == 0 ? 1 : seconds;
}

std::vector<std::string> DifferencesOf(const RunSpec& wanted, const RunSpec& have, bool with_seed) {
  std::vector<std::string> differences;
  const auto compare = [&differences](const char* what, const auto& now, const auto& before) {
    if (now != before) {
      differences.push_back(absl::StrCat(what, " ", now, " instead of ", before));
    }
  };
  compare("game", wanted.play.game, have.play.game);
  compare("engine", wanted.play.engine_id, have.play.engine_id);
  compare("engine signature", wanted.play.engine_signature, have.play.engine_signature);
  compare("engine options", TextOf(wanted.play.engine_options), TextOf(have.play.engine_options));
  compare("nodes", wanted.play.nodes, have.play.nodes);
  compare("move-ms", wanted.play.move_ms, have.play.move_ms);
  compare("resign-below", wanted.play.resign.below, have.play.resign.below);
  compare("resign-moves", wanted.play.resign.moves, have.play.resign.moves);
  compare("play-on", wanted.play.resign.play_on_percent, have.play.resign.play_on_percent);
  compare("scores", wanted.play.keep_scores, have.play.keep_scores);
  compare("engine name", wanted.play.engine_name, have.play.engine_name);
  compare("weights", wanted.play.weights_sha256, have.play.weights_sha256);
  compare("jitter", wanted.play.jitter_percent, have.play.jitter_percent);
  compare("max plies", wanted.play.match.max_plies, have.play.match.max_plies);
  compare("declaration", NameOf(wanted.play.match.declaration),
          NameOf(have.play.match.declaration));
  compare("policy", wanted.policy, have.policy);
  compare("policy options", TextOf(wanted.policy_options), TextOf(have.policy_options));
  compare("settle", wanted.stop.settling.error, have.stop.settling.error);
  compare("settle margin", wanted.stop.settling.margin, have.stop.settling.margin);
  compare("stop gain", wanted.stop.least_gain, have.stop.least_gain);
  compare("stop change", wanted.stop.least_change, have.stop.least_change);
  const coordinator::Budget asked = coordinator::AskedBudget(have);
  compare("games", wanted.games, asked.games);
  compare("seconds", wanted.seconds, asked.seconds);
  compare("deviation", wanted.deviation, have.deviation);
  compare("max book plies", wanted.max_book_plies, have.max_book_plies);
  compare("start", wanted.start, have.start);
  compare("pairing", coordinator::PairingOf(wanted.play), coordinator::PairingOf(have.play));
  compare("re-entry", wanted.play.re_entry, have.play.re_entry);
  compare("re-entry games", wanted.play.re_entry_games, have.play.re_entry_games);
  compare("prior nodes", wanted.priors.nodes, have.priors.nodes);
  compare("prior positions", wanted.priors.positions, have.priors.positions);
  if (with_seed) compare("seed", wanted.seed, have.seed);
  return differences;
}

}  // namespace joseki::cli
