#include "coordinator/model/run_spec.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/trial.h"
#include "coordinator/model/field_json.h"
#include "coordinator/model/match_spec.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/model/spec_fields.h"

namespace joseki::coordinator {
namespace {

constexpr FieldProblems kBadRunSpec = {.code = "bad_run_spec"};

absl::Status BadRunField(std::string_view key, std::string found, std::string expected) {
  return kBadRunSpec.At(std::string(key), std::move(found), std::move(expected));
}

absl::Status CheckPriors(const RunSpec& spec, const book::Policy& policy) {
  if (!spec.priors.wanted()) {
    if (spec.priors.positions == 0) return absl::OkStatus();
    return BadRunField("priors.positions", absl::StrCat(spec.priors.positions),
                       "0 without priors.nodes");
  }
  if (spec.play.opponent) {
    return BadRunField("priors", "evaluations in a run against an opponent",
                       "none: a search is of no side's book");
  }
  if (policy.estimator() == nullptr) {
    return BadRunField("priors", absl::StrCat("evaluations for policy ", spec.policy),
                       "a policy that uses evaluations, as default and graph-puct do");
  }
  return absl::OkStatus();
}

absl::Status CheckLineSearches(const RunSpec& spec) {
  const LineSearchSpec& searches = spec.line_searches;
  if (!searches.wanted()) {
    if (searches.fixed_book) {
      return BadRunField("line_searches.fixed_book", "true",
                         "false without line_searches.share: games add no moves");
    }
    if (searches.own_limit) {
      return BadRunField("line_searches.own_limit", "true",
                         "false without line_searches.share: games are played at the run's limit");
    }
    if (searches.nodes == 0) return absl::OkStatus();
    return BadRunField("line_searches.nodes", absl::StrCat(searches.nodes),
                       "0 without line_searches.share");
  }
  if (spec.play.nodes == 0 || searches.nodes < 2 * spec.play.nodes) {
    return BadRunField("line_searches.nodes", absl::StrCat(searches.nodes),
                       "at least twice the nodes of a move, which have a limit of nodes");
  }
  const uint64_t in_games = searches.nodes / (book::kGameMoves * spec.play.nodes);
  if (spec.games > 0 && in_games >= spec.games) {
    return BadRunField("line_searches.nodes", absl::StrCat(searches.nodes),
                       absl::StrCat("less than the nodes of all of the run's games, each of ",
                                    book::kGameMoves, " moves"));
  }
  if (spec.play.opponent) {
    return BadRunField("line_searches", "searches in a run against an opponent",
                       "none: their lines have opponents of their own");
  }
  if (spec.priors.wanted()) {
    return BadRunField("line_searches", "searches beside those for priors", "one of both");
  }
  return absl::OkStatus();
}

}  // namespace

std::string SpecToJson(const RunSpec& spec) {
  nlohmann::json json;
  JsonWriter writer(json);
  VisitFields(spec, writer);
  // Names are foreign text: replace invalid UTF-8 instead of throwing.
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

absl::StatusOr<RunSpec> SpecFromJson(std::string_view text) {
  const auto json = ParseJson<nlohmann::json>(text);
  if (json.is_discarded())
    return BadRunField("spec", Quote(text),
                       absl::StrCat("a JSON object, at most ", kDeepestJson, " deep"));
  RunSpec spec;
  JsonReader reader(json, "spec", kBadRunSpec, "");
  VisitFields(spec, reader);
  RETURN_IF_ERROR(reader.Finish());
  return spec;
}

Budget AskedBudget(const RunSpec& spec) {
  if (spec.extension) return {spec.extension->games, spec.extension->seconds};
  return {spec.games, spec.seconds};
}

uint64_t GamesTarget(const RunSpec& spec) {
  return spec.match ? 2 * uint64_t{spec.match->pairs} : spec.games;
}

std::string EvidenceProfile(const RunSpec& spec) {
  RunSpec profile;
  profile.play = spec.play;
  profile.play.snapshot.clear();
  profile.start = spec.start;
  return SpecToJson(profile);
}

bool SharesSearches(const RunSpec& a, const RunSpec& b) {
  return a.line_searches.wanted() && b.line_searches.wanted() &&
         a.line_searches.nodes == b.line_searches.nodes &&
         a.line_searches.fixed_book == b.line_searches.fixed_book &&
         a.max_book_plies == b.max_book_plies;
}

absl::Status CheckPlay(const PlaySpec& play, const std::string& prefix,
                       const FieldProblems& problems) {
  if (play.resign.below > 0 && !play.keep_scores) {
    return problems.At(prefix + "keep_scores", "false",
                       "true, as resign_below is judged by scores");
  }
  if (!play.snapshot.empty()) {
    return problems.At(prefix + "snapshot", absl::StrCat(play.snapshot.size(), " bytes"),
                       "nothing: the book is frozen when the run is created");
  }
  return absl::OkStatus();
}

absl::Status CheckSpec(const Rules& rules, const RunSpec& spec) {
  FieldCheck bounds(kBadRunSpec);
  VisitFields(spec, bounds);
  RETURN_IF_ERROR(bounds.status());
  if (spec.play.game != rules.game()) {
    return BadRunField("game", Quote(spec.play.game), Quote(rules.game()));
  }
  RETURN_IF_ERROR(CheckPlay(spec.play, "", kBadRunSpec));
  RETURN_IF_ERROR(CheckMatch(spec));
  RETURN_IF_ERROR(CheckOpponent(spec.play, spec.match.has_value()));
  if (spec.taken_over) {
    return BadRunField("taken_over", "runs",
                       "nothing: what is there is found when the run is created");
  }
  if (spec.extension) {
    return BadRunField("extension", "an extension", "nothing: a run is extended when it is there");
  }
  if (spec.stop.least_gain > 0 && !spec.stop.settling.on()) {
    return BadRunField("settle_error", "0",
                       "more than 0, as stop_gain is judged by settle_error's bounds");
  }
  if (auto start = rules.Start(spec.start, spec.play.match); !start.ok()) return start.status();
  ASSIGN_OR_RETURN(const std::shared_ptr<const book::Policy> policy, PolicyOf(spec));
  RETURN_IF_ERROR(CheckPriors(spec, *policy));
  RETURN_IF_ERROR(CheckLineSearches(spec));
  if (spec.stop.least_change > 0 && policy->stages().empty()) {
    return BadRunField("stop_change", absl::StrCat(spec.stop.least_change),
                       absl::StrCat("0: ", spec.policy, " has no stages"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const book::Policy>> PolicyOf(const RunSpec& spec) {
  ASSIGN_OR_RETURN(std::unique_ptr<const book::Policy> policy,
                   book::MakePolicy(spec.policy, spec.policy_options));
  if (!policy->stages().empty() && spec.games > 0 && spec.policy_options.count("games") == 0 &&
      spec.policy_options.count("total_games") == 0) {
    Pairs options = spec.policy_options;
    options["total_games"] = absl::StrCat(spec.games);
    return book::MakePolicy(spec.policy, options);
  }
  return policy;
}

}  // namespace joseki::coordinator
