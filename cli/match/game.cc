#include "cli/match/game.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "worker/play/duel.h"

namespace joseki::cli {
namespace {

using book::Side;

Json UseJson(const book::SeriesOutcome& outcome, Side side) {
  const book::SideUse& use = outcome.used[Index(side)];
  const std::optional<uint32_t> left_at = outcome.left_at[Index(side)];
  Json json;
  json["moves"] = use.moves;
  json["book_moves"] = use.book_moves;
  json["nodes"] = use.nodes;
  json["micros"] = use.micros;
  json["left_at"] = left_at ? Json(*left_at) : Json();
  return json;
}

book::SideUse UseOf(const Json& json) {
  return {json.at("moves").get<uint64_t>(), json.at("book_moves").get<uint64_t>(),
          json.at("nodes").get<uint64_t>(), json.at("micros").get<uint64_t>()};
}

// The ply at which a side left its book; unknown in files of earlier versions.
std::optional<uint32_t> LeftAt(const Json& json) {
  const auto at = json.find("left_at");
  if (at == json.end() || at->is_null()) return std::nullopt;
  return at->get<uint32_t>();
}

// Whether the keys hold counts: the JSON library would convert any number to one.
bool AreCounts(const Json& json, std::initializer_list<const char*> keys, uint64_t most) {
  return json.is_object() && std::all_of(keys.begin(), keys.end(), [&](const char* key) {
           const auto at = json.find(key);
           return at != json.end() && at->is_number_unsigned() && at->get<uint64_t>() <= most;
         });
}

bool AreUses(const Json& json) {
  if (!AreCounts(json, {"moves", "book_moves", "nodes", "micros"}, UINT64_MAX)) return false;
  return json.value("left_at", Json()).is_null() || AreCounts(json, {"left_at"}, UINT32_MAX);
}

std::string TextOf(const std::vector<Move>& moves, const Rules& rules) {
  std::string text;
  for (const Move move : moves) absl::StrAppend(&text, text.empty() ? "" : " ", rules.Text(move));
  return text;
}

absl::Status BadGame(const std::string& found, const std::string& expected) {
  return MakeProblem({.code = "bad_game", .found = Quote(found), .expected = expected});
}

std::optional<Result> ResultOf(std::string_view name) {
  for (const Result result :
       {Result::kNone, Result::kFirstWins, Result::kSecondWins, Result::kDraw}) {
    if (Name(result) == name) return result;
  }
  return std::nullopt;
}

}  // namespace

uint64_t HashOf(const MatchStart& start, const std::vector<Move>& moves) {
  std::string bytes = start.position;
  for (const Move move : moves) {
    bytes += static_cast<char>(move.raw() & 0xff);
    bytes += static_cast<char>(move.raw() >> 8);
  }
  return Hash64(bytes);
}

absl::StatusOr<MatchGame> PlayMatchGame(const Rules& rules, const MatchSettings& settings,
                                        const book::SeriesGame& game,
                                        const std::array<worker::Player*, 2>& players,
                                        const worker::KeepGoing& keep_going) {
  MatchGame played;
  played.game = game;
  played.start = StartOf(rules, settings, game);
  const auto side = [&](Side which) {
    const MatchSide& from = settings.sides[Index(which)];
    return worker::DuelSide{players[Index(which)], &from.play, from.book, from.rules};
  };
  const Side first = game.a_first ? Side::kA : Side::kB;
  worker::Duel duel(rules, side(first), side(~first));
  worker::Slot slot;
  slot.start = played.start.position;
  slot.line = played.start.line;
  slot.seed = SeedOf(settings, game);
  worker::RefereedGame record =
      worker::PlayGame(rules, settings.sides[0].play, slot, duel, keep_going);
  if (record.ending.termination == Termination::kInterrupted) {
    return absl::CancelledError(record.fault);
  }
  played.moves = std::move(record.moves);
  book::SeriesOutcome& outcome = played.outcome;
  outcome.fault = std::move(record.fault);
  outcome.ending = record.ending;
  outcome.at_fault = duel.asked() == Color::kFirst ? first : ~first;
  outcome.moves_hash = HashOf(played.start, played.moves);
  outcome.plies = static_cast<uint32_t>(played.moves.size());
  outcome.used[Index(first)] = duel.used(Color::kFirst);
  outcome.used[Index(~first)] = duel.used(Color::kSecond);
  outcome.left_at[Index(first)] = duel.left_at(Color::kFirst);
  outcome.left_at[Index(~first)] = duel.left_at(Color::kSecond);
  return played;
}

Json MatchGameJson(const MatchGame& game, const Rules& rules) {
  Json json;
  json["pair"] = game.game.pair;
  json["attempt"] = game.game.attempt;
  json["first"] = game.game.a_first ? "a" : "b";
  json["start"] = game.start.position;
  json["line_plies"] = game.start.line.size();
  json["moves"] = TextOf(game.moves, rules);
  json["result"] = Name(game.outcome.ending.result);
  json["termination"] = Name(game.outcome.ending.termination);
  if (IsFault(game.outcome.ending.termination)) {
    json["at_fault"] = game.outcome.at_fault == Side::kA ? "a" : "b";
    json["fault"] = game.outcome.fault;
  }
  if (!game.outcome.worker.empty()) json["worker"] = game.outcome.worker;
  json["a"] = UseJson(game.outcome, Side::kA);
  json["b"] = UseJson(game.outcome, Side::kB);
  return json;
}

absl::StatusOr<MatchGame> MatchGameOf(const Json& json, const Rules& rules) {
  if (!AreCounts(json, {"pair", "attempt", "line_plies"}, UINT32_MAX) ||
      !AreUses(json.value("a", Json())) || !AreUses(json.value("b", Json()))) {
    return BadGame(json.dump(), "a game of a match with all its counts");
  }
  // The JSON library throws on an unexpected shape; the exception stops here.
  try {
    MatchGame game;
    game.game.pair = json.at("pair").get<uint32_t>();
    game.game.attempt = json.at("attempt").get<uint32_t>();
    game.game.a_first = json.at("first").get<std::string>() == "a";
    game.start.position = json.at("start").get<std::string>();
    const auto line_plies = json.at("line_plies").get<size_t>();
    const auto text = json.at("moves").get<std::string>();
    for (const std::string& word :
         std::vector<std::string>(absl::StrSplit(text, ' ', absl::SkipEmpty()))) {
      const std::optional<Move> move = rules.MoveOf(word);
      if (!move) return BadGame(word, "a move");
      if (game.moves.size() < line_plies) game.start.line.push_back(*move);
      game.moves.push_back(*move);
    }
    const auto result = json.at("result").get<std::string>();
    const auto termination = json.at("termination").get<std::string>();
    const std::optional<Result> known_result = ResultOf(result);
    const std::optional<Termination> known_termination = TerminationOf(termination);
    if (!known_result) return BadGame(result, "a result");
    if (!known_termination) return BadGame(termination, "a termination");
    book::SeriesOutcome& outcome = game.outcome;
    outcome.ending = {*known_result, *known_termination};
    const bool fault = IsFault(*known_termination);
    if (fault == (*known_result != Result::kNone)) {
      return BadGame(result, "a winner, a draw or a fault");
    }
    if (fault) {
      outcome.at_fault = json.at("at_fault").get<std::string>() == "a" ? Side::kA : Side::kB;
      outcome.fault = json.at("fault").get<std::string>();
    }
    outcome.moves_hash = HashOf(game.start, game.moves);
    outcome.plies = static_cast<uint32_t>(game.moves.size());
    outcome.used = {UseOf(json.at("a")), UseOf(json.at("b"))};
    outcome.worker = json.value("worker", "");
    outcome.left_at = {LeftAt(json.at("a")), LeftAt(json.at("b"))};
    return game;
  } catch (const Json::exception& error) {
    return BadGame(error.what(), "a game of a match");
  }
}

}  // namespace joseki::cli
