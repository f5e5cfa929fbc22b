#include "coordinator/model/match_spec.h"

#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {
namespace {

using Json = nlohmann::json;
using Choice = book::PlayRules::Choice;

constexpr uint64_t kMostPairs = 10'000'000;
constexpr int kMostBookPlies = 500;

absl::Status BadMatchField(const std::string& key, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_run_spec",
                      .file = key,
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

bool Fits(const Json& found, const Json& expected) {
  if (expected.is_number_float()) return found.is_number();
  if (expected.is_number()) return found.is_number_unsigned();
  return found.type() == expected.type();
}

// Every key of `expected`, of its type, and no other.
absl::Status CheckKeys(const Json& json, const Json& expected, const std::string& name) {
  if (!json.is_object()) return BadMatchField(name, Quote(json.dump()), "an object");
  for (const auto& item : expected.items()) {
    const auto at = json.find(item.key());
    if (at == json.end())
      return BadMatchField(absl::StrCat(name, ".", item.key()), "nothing", "the key");
    if (!Fits(*at, item.value())) {
      return BadMatchField(absl::StrCat(name, ".", item.key()), Quote(at->dump()),
                           "the type of this version");
    }
  }
  for (const auto& item : json.items()) {
    if (!expected.contains(item.key())) {
      return BadMatchField(absl::StrCat(name, ".", item.key()), "the key",
                           "the keys of this version");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckBookUse(const BookUse& use) {
  const book::PlayRules& rules = use.rules;
  if (use.sha256.size() != sizeof(Sha256)) {
    return BadMatchField("own_book.sha256", absl::StrCat(use.sha256.size(), " bytes"), "32");
  }
  if (!(rules.range >= 0 && rules.range <= 1000)) {
    return BadMatchField("own_book.range", absl::StrCat(rules.range), "0 to 1000");
  }
  if (!(rules.deviation >= 0 && rules.deviation <= 1)) {
    return BadMatchField("own_book.deviation", absl::StrCat(rules.deviation), "0 to 1");
  }
  if (rules.max_plies < 0 || rules.max_plies > kMostBookPlies) {
    return BadMatchField("own_book.max_book_plies", absl::StrCat(rules.max_plies), "0 to 500");
  }
  return absl::OkStatus();
}

absl::Status CheckSprt(const book::Sprt& sprt) {
  if (!(sprt.elo0 < sprt.elo1) || !(sprt.elo0 >= -1000) || !(sprt.elo1 <= 1000)) {
    return BadMatchField("match.elo0", absl::StrCat(sprt.elo0, " and ", sprt.elo1),
                         "two bounds within 1000, the first below the second");
  }
  for (const double chance : {sprt.alpha, sprt.beta}) {
    if (!(chance > 0 && chance < 0.5)) {
      return BadMatchField("match.alpha", absl::StrCat(chance), "alpha and beta between 0 and 0.5");
    }
  }
  return absl::OkStatus();
}

}  // namespace

Json MatchToJson(const MatchSpec& match) {
  const book::Sprt sprt = match.sprt.value_or(book::Sprt());
  return {{"pairs", match.pairs},
          {"sequential", match.sprt.has_value()},
          {"elo0", sprt.elo0},
          {"elo1", sprt.elo1},
          {"normalised", sprt.model == book::EloModel::kNormalised},
          {"alpha", sprt.alpha},
          {"beta", sprt.beta}};
}

absl::StatusOr<MatchSpec> MatchFromJson(const Json& json) {
  RETURN_IF_ERROR(CheckKeys(json, MatchToJson({}), "match"));
  const auto pairs = json["pairs"].get<uint64_t>();
  if (pairs > kMostPairs)
    return BadMatchField("match.pairs", absl::StrCat(pairs), "at most 10000000");
  MatchSpec match;
  match.pairs = static_cast<uint32_t>(pairs);
  if (!json["sequential"].get<bool>()) return match;
  match.sprt = book::Sprt{
      json["elo0"].get<double>(), json["elo1"].get<double>(),
      json["normalised"].get<bool>() ? book::EloModel::kNormalised : book::EloModel::kLogistic,
      json["alpha"].get<double>(), json["beta"].get<double>()};
  return match;
}

Json BookUseToJson(const BookUse& use) {
  return {{"sha256", absl::BytesToHexString(use.sha256)},
          {"choice", static_cast<uint64_t>(use.rules.choice)},
          {"range", use.rules.range},
          {"deviation", use.rules.deviation},
          {"max_book_plies", static_cast<uint64_t>(use.rules.max_plies)}};
}

absl::StatusOr<BookUse> BookUseFromJson(const Json& json) {
  RETURN_IF_ERROR(CheckKeys(json, BookUseToJson({}), "own_book"));
  BookUse use;
  use.sha256 = absl::HexStringToBytes(json["sha256"].get<std::string>());
  const auto choice = json["choice"].get<uint64_t>();
  if (choice > static_cast<uint64_t>(Choice::kShare)) {
    return BadMatchField("own_book.choice", absl::StrCat(choice), "0 to 2");
  }
  const auto plies = json["max_book_plies"].get<uint64_t>();
  if (plies > kMostBookPlies)
    return BadMatchField("own_book.max_book_plies", absl::StrCat(plies), "0 to 500");
  use.rules = {static_cast<Choice>(choice), json["range"].get<double>(),
               json["deviation"].get<double>(), static_cast<int>(plies)};
  return use;
}

absl::Status CheckMatch(const RunSpec& spec) {
  const PlaySpec& play = spec.play;
  if (!spec.match) {
    if (play.own_book) return BadMatchField("own_book", "a book to play from", "a match");
    return absl::OkStatus();
  }
  const MatchSpec& match = *spec.match;
  if (!play.opponent) return BadMatchField("match", "without an opponent", "an opponent");
  if (play.re_entry) return BadMatchField("re_entry", "true", "false in a match");
  if (spec.games > 0)
    return BadMatchField("games", absl::StrCat(spec.games), "0: a match has pairs");
  if (spec.priors.wanted())
    return BadMatchField("priors", "asked for", "none: a match has no book to learn");
  if (spec.stop != StopRules{})
    return BadMatchField("stop", "rules to stop by", "none: a match has its own");
  if (match.pairs < 1 || match.pairs > kMostPairs) {
    return BadMatchField("match.pairs", absl::StrCat(match.pairs), "1 to 10000000");
  }
  if (play.own_book) RETURN_IF_ERROR(CheckBookUse(*play.own_book));
  return match.sprt ? CheckSprt(*match.sprt) : absl::OkStatus();
}

book::SeriesRules SeriesRulesOf(const MatchSpec& match) {
  book::SeriesRules rules;
  rules.pairs = match.pairs;
  rules.sprt = match.sprt;
  return rules;
}

book::SeriesGame GameOf(const Slot& slot) {
  return {slot.pair, slot.attempt, slot.own == Color::kFirst};
}

}  // namespace joseki::coordinator
