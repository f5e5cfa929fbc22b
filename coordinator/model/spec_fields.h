#pragma once

#include <optional>
#include <type_traits>

#include "base/field.h"
#include "book/play_fields.h"
#include "coordinator/model/messages.h"
#include "proto/limits.h"

// The table of a run's specification: the fields of messages.h, and, by book/play_fields.h, those
// of play. From its rows follow the JSON in the database, the wire and its checks, CheckSpec, the
// command-line options, and the comparison of two specifications. Evidence belongs to `play` and
// `start` (EvidenceProfile); for the bounds that join fields see CheckSpec.
namespace joseki::coordinator {

inline constexpr char kPriorityHelp[] =
    "0 to 9: games go to the runs of the highest priority that have any to give";
inline constexpr char kWeightHelp[] =
    "1 to 1000: runs of one priority get games in proportion to their weights";

template <SameBut<Share> Spec, typename Visitor>
void VisitFields(Spec& share, Visitor& visit) {
  visit({.name = "priority",
         .wire = "share.priority",
         .most = kMaxPriority,
         .compared = false,
         .flag =
             {.name = "--priority", .unit = "P", .help = kPriorityHelp, .of = Flag::Of::kClusters}},
        share.priority);
  visit({.name = "weight",
         .wire = "share.weight",
         .least = 1,
         .most = kMaxWeight,
         .or_none = true,
         .zero_is_default = true,
         .compared = false,
         .flag = {.name = "--weight", .unit = "W", .help = kWeightHelp, .of = Flag::Of::kClusters}},
        share.weight);
}

template <SameBut<Requirements> Spec, typename Visitor>
void VisitFields(Spec& needs, Visitor& visit) {
  visit({.name = "required_labels",
         .wire = "requirements.labels",
         .bytes = kMaxLabelBytes,
         .rule = &book::kIdRule,
         .entries = kMaxLabels,
         .compared = false},
        needs.labels);
  visit({.name = "required_memory_mb",
         .wire = "requirements.memory_mb",
         .most = kMaxMemoryMb,
         .or_none = true,
         .compared = false,
         .flag = {.name = "--require-memory",
                  .unit = "MB",
                  .help = "only workers with so much memory for each slot get games",
                  .of = Flag::Of::kClusters}},
        needs.memory_mb);
  visit({.name = "required_cores",
         .wire = "requirements.cores",
         .most = kMaxCores,
         .or_none = true,
         .compared = false,
         .flag = {.name = "--require-cores",
                  .unit = "N",
                  .help = "only workers with so many cores for each slot get games",
                  .of = Flag::Of::kClusters}},
        needs.cores);
}

template <SameBut<PriorSpec> Spec, typename Visitor>
void VisitFields(Spec& priors, Visitor& visit) {
  visit({.name = "prior_nodes",
         .wire = "priors.nodes",
         .least = 1,
         .most = kMaxNodes,
         .or_none = true,
         .flag = {.name = "--prior-nodes",
                  .unit = "N",
                  .help = "nodes of a search of --priors; by default ten times those of a move"}},
        priors.nodes);
  visit({.name = "prior_positions",
         .wire = "priors.positions",
         .or_none = true,
         .flag = {.name = "--prior-positions",
                  .unit = "N",
                  .help = "at most so many positions, those nearest to the start; 0: all"}},
        priors.positions);
}

template <SameBut<LineSearchSpec> Spec, typename Visitor>
void VisitFields(Spec& searches, Visitor& visit) {
  visit({.name = "search_share",
         .wire = "line_searches.share",
         .most = 95,
         .flag = {.name = "--search-share",
                  .unit = "PERCENT",
                  .help = "share of all nodes for searches along the lines that the book will be "
                          "played by, which answer positions beyond the book too; a goal has 90 "
                          "percent unless told otherwise, a policy by name none"}},
        searches.share);
  visit({.name = "search_nodes",
         .wire = "line_searches.nodes",
         .least = 1,
         .most = kMaxNodes,
         .or_none = true,
         .flag = {.name = "--search-nodes",
                  .unit = "N",
                  .help = "nodes of the first such search of a position, at least twice those of "
                          "a move; by default 5 times"}},
        searches.nodes);
  visit({.name = "fixed_book",
         .wire = "line_searches.fixed_book",
         .flag = {.name = "--fixed-book",
                  .help = "searches and trials choose among the book's moves, and add none"}},
        searches.fixed_book);
  visit({.name = "own_limit",
         .wire = "line_searches.own_limit",
         .flag = {.name = "--own-limit",
                  .help = "tunes for opponents with the run's own limit: wins more against them, "
                          "and less where both sides have more time"}},
        searches.own_limit);
  visit({.name = "score_calibration",
         .wire = "line_searches.calibration",
         .least = 1,
         .most = 1,
         .zero_is_default = true},
        searches.calibration);
}

template <SameBut<StopRules> Spec, typename Visitor>
void VisitFields(Spec& stop, Visitor& visit) {
  visit({.name = "settle_error", .words = "settle", .most = 0.5}, stop.settling.error);
  visit({.name = "settle_margin",
         .most = 1,
         .flag = {.name = "--settle-margin",
                  .unit = "SCORE",
                  .help = "moves whose scores differ by no more than this are equally good"}},
        stop.settling.margin);
  visit({.name = "stop_gain", .most = 1}, stop.least_gain);
  visit({.name = "stop_change",
         .most = 1,
         .flag = {.name = "--stop-change",
                  .unit = "SHARE",
                  .help = "of a policy with stages: end the run after a stage that changes the "
                          "answer at no larger share of its moves; 0: never for that"}},
        stop.least_change);
}

template <SameBut<MatchSpec> Spec, typename Visitor>
void VisitFields(Spec& match, Visitor& visit) {
  visit({.name = "pairs", .least = 1, .most = kMaxPairs}, match.pairs);
  bool sequential = match.sprt.has_value();
  book::Sprt sprt = match.sprt.value_or(book::Sprt());
  bool normalised = sprt.model == book::EloModel::kNormalised;
  visit({.name = "sequential"}, sequential);
  visit({.name = "elo0", .least = -kMaxSprtElo, .most = kMaxSprtElo}, sprt.elo0);
  visit({.name = "elo1", .least = -kMaxSprtElo, .most = kMaxSprtElo}, sprt.elo1);
  visit({.name = "normalised"}, normalised);
  visit({.name = "alpha", .most = 0.5}, sprt.alpha);
  visit({.name = "beta", .most = 0.5}, sprt.beta);
  if constexpr (!std::is_const_v<Spec>) {
    sprt.model = normalised ? book::EloModel::kNormalised : book::EloModel::kLogistic;
    match.sprt = sequential ? std::optional(sprt) : std::nullopt;
  }
}

template <SameBut<TakenOver> Spec, typename Visitor>
void VisitFields(Spec& taken, Visitor& visit) {
  visit({.name = "runs"}, taken.runs);
  visit({.name = "up_to"}, taken.up_to);
  visit({.name = "games"}, taken.games);
  visit({.name = "searches_up_to"}, taken.searches_up_to);
  visit({.name = "searches"}, taken.searches);
  visit({.name = "games_only"}, taken.games_only);
}

template <SameBut<Extension> Spec, typename Visitor>
void VisitFields(Spec& extension, Visitor& visit) {
  visit({.name = "games"}, extension.games);
  visit({.name = "seconds"}, extension.seconds);
  visit({.name = "after"}, extension.after);
  visit({.name = "times"}, extension.times);
  visit({.name = "regardless"}, extension.regardless);
  visit({.name = "request_id", .bytes = kMaxRunNameBytes}, extension.request_id);
}

template <SameBut<RunSpec> Spec, typename Visitor>
void VisitFields(Spec& spec, Visitor& visit) {
  visit({.name = "name",
         .bytes = kMaxRunNameBytes,
         .compared = false,
         .flag = {.name = "--name", .unit = "TEXT", .help = "name of the run, for people"}},
        spec.name);
  visit({.name = "games",
         .most = kMaxRunGames,
         .or_none = true,
         .flag = {.name = "--games", .unit = "N", .help = "games to play; 0: no limit"}},
        spec.games);
  visit({.name = "seconds", .most = kMaxRunSeconds}, spec.seconds);
  visit.Object({.name = "play", .prefix = ""}, spec.play);
  visit({.name = "policy", .wire = "policy.name", .rule = &book::kIdRule}, spec.policy);
  visit({.name = "policy_options",
         .wire = "policy.options",
         .bytes = kMaxOptionBytes,
         .entries = kMaxOptions},
        spec.policy_options);
  VisitFields(spec.stop, visit);
  visit({.name = "deviation",
         .most = 1,
         .flag = {.name = "--deviation",
                  .unit = "P",
                  .help = "chance at each book position that the game leaves the book there"}},
        spec.deviation);
  visit({.name = "seed"}, spec.seed);
  visit({.name = "max_book_plies",
         .most = kMaxBookPlies,
         .flag = {.name = "--max-book-plies",
                  .unit = "M",
                  .help = "lines are cut after this many plies; 0: where the book ends"}},
        spec.max_book_plies);
  visit({.name = "start",
         .zero_is_default = true,
         .bytes = kMaxStartBytes,
         .flag = {.name = "--start",
                  .unit = "POSITION",
                  .help = "where the games begin: moves from the start position, or an SFEN or "
                          "FEN"}},
        spec.start);
  visit({.name = "verify_percent",
         .most = 100,
         .compared = false,
         .flag = {.name = "--verify",
                  .unit = "PERCENT",
                  .help = "share of the games that a second worker plays again, to compare"}},
        spec.verify_percent);
  VisitFields(spec.priors, visit);
  VisitFields(spec.line_searches, visit);
  VisitFields(spec.share, visit);
  VisitFields(spec.requirements, visit);
  visit.Object({.name = "match", .compared = false}, spec.match);
  visit({.name = "take_over", .compared = false}, spec.take_over);
  visit.Object({.name = "taken_over", .compared = false}, spec.taken_over);
  visit.Object({.name = "extension", .compared = false}, spec.extension);
}

}  // namespace joseki::coordinator
