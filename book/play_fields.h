#pragma once

#include <string_view>

#include "base/field.h"
#include "book/play_spec.h"
#include "proto/limits.h"

// Table of the fields of book/play_spec.h: bounds, names and command-line options. No other place
// states them. All of these fields are part of the profile that evidence belongs to.
namespace joseki::book {

inline constexpr TextRule kIdRule = {IsId, kIdWords};
inline constexpr TextRule kSha256Rule = {IsSha256OrNone, kSha256Words};

inline constexpr std::string_view kDeclarationNames[] = {"none", "27", "24"};
inline constexpr std::string_view kChoiceNames[] = {"answer", "range", "share"};
inline constexpr std::string_view kSideNames[] = {"", "black", "white", "both"};

// Fields that Opponent and BookUse share.
template <SameBut<PlayRules> Rules, typename Visitor>
void VisitFields(Rules& rules, Visitor& visit) {
  visit({.name = "choice", .most = 2, .names = kChoiceNames}, rules.choice);
  visit({.name = "range", .most = kMaxRange}, rules.range);
  visit({.name = "deviation", .most = 1}, rules.deviation);
  visit({.name = "max_book_plies", .most = kMaxBookPlies}, rules.max_plies);
}

// Fields that PlaySpec and Opponent share: an engine and its limit.
template <typename Side, typename Visitor>
void VisitEngine(Side& side, Visitor& visit, const Flag& engine, const Flag& nodes,
                 const Flag& move_ms) {
  visit({.name = "engine_id", .words = "engine", .rule = &kIdRule, .flag = engine}, side.engine_id);
  visit({.name = "engine_signature"}, side.engine_signature);
  visit({.name = "engine_options", .bytes = kMaxOptionBytes, .entries = kMaxOptions},
        side.engine_options);
  visit({.name = "move_ms",
         .words = "move-ms",
         .least = 1,
         .most = kMaxMoveMs,
         .or_none = true,
         .flag = move_ms},
        side.move_ms);
  visit(
      {.name = "nodes", .least = 1, .most = kMaxNodes, .applies = side.move_ms == 0, .flag = nodes},
      side.nodes);
  visit({.name = "engine_name", .bytes = kMaxEngineNameBytes}, side.engine_name);
  visit({.name = "weights_sha256", .words = "weights", .rule = &kSha256Rule}, side.weights_sha256);
}

template <SameBut<Opponent> Spec, typename Visitor>
void VisitFields(Spec& opponent, Visitor& visit) {
  visit({.name = "side", .least = 1, .most = 3, .names = kSideNames, .stored_by_name = true},
        opponent.side);
  visit({.name = "book", .or_none = true, .hash = true}, opponent.book);
  VisitFields(opponent.rules, visit);
  VisitEngine(opponent, visit, {}, {}, {});
}

template <SameBut<BookUse> Spec, typename Visitor>
void VisitFields(Spec& use, Visitor& visit) {
  visit({.name = "sha256", .hash = true}, use.sha256);
  VisitFields(use.rules, visit);
}

template <SameBut<PlaySpec> Spec, typename Visitor>
void VisitFields(Spec& play, Visitor& visit) {
  visit({.name = "game", .rule = &kIdRule}, play.game);
  VisitEngine(
      play, visit,
      {.name = "--engine", .unit = "ID", .help = "engine, as the workers' configuration names it"},
      {.name = "--nodes",
       .unit = "N",
       .help = "nodes that the engine searches for each move",
       .of = Flag::Of::kMatches},
      {.name = "--move-ms",
       .unit = "MS",
       .help = "milliseconds that the engine thinks for each move, instead of --nodes; "
               "such games cannot be repeated",
       .of = Flag::Of::kMatches});
  visit({.name = "jitter_percent",
         .words = "jitter",
         .most = kMaxJitterPercent,
         .flag = {.name = "--jitter",
                  .unit = "PERCENT",
                  .help = "nodes or time vary by this percentage, so that one line gives many "
                          "games",
                  .of = Flag::Of::kMatches}},
        play.jitter_percent);
  visit({.name = "max_plies",
         .least = 1,
         .most = kMaxGameMoves,
         .flag = {.name = "--max-plies",
                  .unit = "M",
                  .help = "a game of this many plies is a draw",
                  .of = Flag::Of::kMatches}},
        play.match.max_plies);
  visit({.name = "declaration",
         .most = 2,
         .names = kDeclarationNames,
         .flag = {.name = "--declaration",
                  .help = "rule for declaring a win by points",
                  .of = Flag::Of::kMatches}},
        play.match.declaration);
  visit({.name = "repetition",
         .most = 2,
         .names = kRepetitionNames,
         .stored_by_name = true,
         .flag = {.name = "--repetition",
                  .help = "xiangqi: who loses by bringing a position back: who alone checks or "
                          "chases, who alone checks, nobody",
                  .of = Flag::Of::kMatches}},
        play.match.repetition);
  visit({.name = "resign_below",
         .words = "resign-below",
         .most = kMaxScore,
         .flag = {.name = "--resign-below",
                  .unit = "CP",
                  .help = "a side whose own score is -CP or worse --resign-moves times in a row "
                          "resigns; 0: never",
                  .of = Flag::Of::kMatches}},
        play.resign.below);
  visit({.name = "resign_moves",
         .words = "resign-moves",
         .least = 1,
         .most = kMaxResignMoves,
         .applies = play.resign.below > 0,
         .flag = {.name = "--resign-moves",
                  .unit = "K",
                  .help = "see --resign-below",
                  .of = Flag::Of::kMatches}},
        play.resign.moves);
  visit({.name = "play_on_percent",
         .words = "play-on",
         .most = 100,
         .flag = {.name = "--play-on",
                  .unit = "PERCENT",
                  .help = "of the games, this percentage is played on to see whether resigning was "
                          "right"}},
        play.resign.play_on_percent);
  visit({.name = "keep_scores", .words = "scores"}, play.keep_scores);
  visit({.name = "re_entry",
         .words = "re-entry",
         .flag = {.name = "--re-entry",
                  .help = "where a game that has left the book comes back to a position of it, the "
                          "book's answer is played, and counted"}},
        play.re_entry);
  visit({.name = "re_entry_games",
         .words = "re-entry games",
         .least = 1,
         .most = kMaxReEntryGames,
         .applies = play.re_entry,
         .flag = {.name = "--re-entry-games",
                  .unit = "N",
                  .help = "of a policy without stages: its answers are brought up to date after so "
                          "many games"}},
        play.re_entry_games);
  visit({.name = "snapshot", .or_none = true, .hash = true, .stored = false, .compared = false},
        play.snapshot);
  visit.Object({.name = "opponent", .compared = false}, play.opponent);
  visit.Object({.name = "own_book", .compared = false}, play.own_book);
}

}  // namespace joseki::book
