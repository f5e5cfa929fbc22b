#include "cli/match/settings.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "book/play_fields.h"
#include "book/records/move_notation.h"
#include "worker/play/embedded_engine.h"
#include "worker/play/usi/usi_player.h"

namespace joseki::cli {
namespace {

// A stream of the match's seed.
constexpr uint64_t kStarts = 2;  // 1 is book::SeedOf's

Json RulesJson(const book::PlayRules& rules) {
  Json json;
  json["choice"] = NameIn(book::kChoiceNames, rules.choice);
  if (rules.choice == book::PlayRules::Choice::kRange) json["range"] = rules.range;
  json["deviation"] = rules.deviation;
  json["max_plies"] = rules.max_plies;
  return json;
}

Json SideJson(const MatchSide& side) {
  Json json;
  json["name"] = side.name;
  json["engine"] = side.play.engine_id;
  json["engine_name"] = side.engine_name;
  json["signature"] = absl::StrCat(absl::Hex(side.play.engine_signature, absl::kZeroPad16));
  json["weights_sha256"] = side.play.weights_sha256;
  if (side.entry) {
    json["command"] = side.entry->arguments;
    json["file_options"] = side.entry->options;
    json["hash_mb"] = side.entry->hash_mb;
    json["threads"] = side.entry->threads;
  }
  json["options"] = side.play.engine_options;
  json["nodes"] = side.play.nodes;
  json["move_ms"] = side.play.move_ms;
  json["jitter_percent"] = side.play.jitter_percent;
  if (side.book == nullptr) {
    json["book"] = nullptr;
    return json;
  }
  Json book;
  book["name"] = side.book_name;
  book["sha256"] = side.book_sha256;
  // Follows from the book: its last digit may differ between builds, and only a range plays by it.
  if (side.rules.choice == book::PlayRules::Choice::kRange) book["gap"] = side.book->gap;
  book["play"] = RulesJson(side.rules);
  json["book"] = std::move(book);
  return json;
}

}  // namespace

Json SettingsJson(const MatchSettings& settings) {
  const worker::PlaySpec& play = settings.sides[0].play;
  Json json;
  json["a"] = SideJson(settings.sides[0]);
  json["b"] = SideJson(settings.sides[1]);
  json["starts"] = settings.starts.name;
  json["starts_sha256"] = settings.starts.sha256;
  if (settings.starts.book != nullptr) json["starts_play"] = RulesJson(settings.starts.rules);
  json["max_plies"] = play.match.max_plies;
  json["declaration"] = NameIn(book::kDeclarationNames, play.match.declaration);
  json["repetition"] = Name(play.match.repetition);
  json["resign_below"] = play.resign.below;
  json["resign_moves"] = play.resign.moves;
  return json;
}

uint64_t SeedOf(const MatchSettings& settings, const book::SeriesGame& game) {
  return book::SeedOf(settings.seed, game);
}

MatchStart StartOf(const Rules& rules, const MatchSettings& settings,
                   const book::SeriesGame& game) {
  const MatchStarts& starts = settings.starts;
  Rng rng = Rng(settings.seed).Split(kStarts).Split(game.pair).Split(game.attempt);
  if (starts.book == nullptr) {
    if (starts.lines.empty()) return {};
    // Draw every line once before repeating one: each round shuffles the file.
    const size_t round = game.pair / starts.lines.size();
    std::vector<uint32_t> order(starts.lines.size());
    Rng shuffle = Rng(settings.seed).Split(kStarts).Split(~uint64_t{round});
    for (uint32_t i = 0; i < order.size(); ++i) {
      const auto j = static_cast<uint32_t>(shuffle.Below(i + 1));
      order[i] = order[j];
      order[j] = i;
    }
    return starts.lines[order[game.pair % order.size()]];
  }
  MatchStart start;
  const auto state = rules.Start(start.position, MatchRules{});
  if (!state.ok()) return start;
  for (;;) {
    const book::BookWord word =
        book::AskBook(*starts.book, starts.rules, (*state)->key(),
                      static_cast<int>(start.line.size()), /*seen=*/false, rng);
    if (!word.move || !(*state)->Play(word.move)) return start;
    start.line.push_back(word.move);
    if ((*state)->ending()) {
      start.line.pop_back();
      return start;
    }
  }
}

absl::StatusOr<std::unique_ptr<worker::Player>> MakePlayer(const MatchSide& side,
                                                           const Rules& rules) {
  if (!side.entry) {
    worker::PlaySpec play = side.play;
    play.game = rules.game();
    return worker::MakeEmbedded(play);
  }
  worker::UsiPlayer::Options options;
  options.run_options = side.play.engine_options;
  options.nodes = side.play.nodes;
  options.jitter_percent = side.play.jitter_percent;
  return std::make_unique<worker::UsiPlayer>(*side.entry, std::move(options), rules);
}

absl::StatusOr<std::vector<MatchStart>> ParseStarts(const Rules& rules, std::string_view text,
                                                    std::string_view file) {
  std::vector<MatchStart> starts;
  int number = 0;
  for (const std::string& line :
       std::vector<std::string>(absl::StrSplit(std::string(text), '\n'))) {
    ++number;
    std::vector<std::string> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
    if (words.empty() || words[0][0] == '#') continue;
    size_t at = words[0] == "position" ? 1 : 0;
    if (at < words.size() && (words[at] == "sfen" || words[at] == "fen")) ++at;
    std::vector<std::string> position;
    for (; at < words.size() && words[at] != "moves" && !book::IsMoveText(rules, words[at]); ++at) {
      position.push_back(words[at]);
    }
    if (at < words.size() && words[at] == "moves") ++at;
    MatchStart start;
    if (!position.empty()) start.position = absl::StrJoin(position, " ");
    auto state = rules.Start(start.position, MatchRules{});
    if (!state.ok()) return At(state.status(), file, number);
    for (Move before; at < words.size(); ++at) {
      const absl::StatusOr<Move> move =
          book::ReadMove(rules.game(), (*state)->packed(), words[at], before);
      if (!move.ok()) return At(move.status(), file, number);
      (*state)->Play(*move);
      before = *move;
      start.line.push_back(*move);
    }
    if ((*state)->ending()) {
      return MakeProblem({.code = "game_over",
                          .file = std::string(file),
                          .line = number,
                          .found = "a game that has ended",
                          .expected = "a position from which both sides can play"});
    }
    starts.push_back(std::move(start));
  }
  if (starts.empty()) {
    return MakeProblem({.code = "no_starts",
                        .file = std::string(file),
                        .found = "no position",
                        .expected = "one position or line of moves a line"});
  }
  return starts;
}

}  // namespace joseki::cli
