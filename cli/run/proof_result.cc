#include "cli/run/proof_result.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "cli/match/report.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"

namespace joseki::cli {
namespace {

using State = book::Series::State;

// The smallest gain of interest in the outlook, in Elo.
constexpr double kWantedGain = 20;

constexpr std::pair<std::string_view, Phrase> kLabels[] = {
    {"input", phrase::kInputBook},
    {"bookless", phrase::kBookless},
    {"frequency", phrase::kInputFrequency},
    {"opponent", phrase::kRunsOpponent},
    {"opponent-input", phrase::kRunsOpponentByInput}};

// The conclusion from one match, or from the two against the run's opponent together.
enum class Finding { kStronger, kWeaker, kOpen, kVoid, kNotPlayed, kAlike };

struct Item {
  std::string against;
  Finding finding = Finding::kOpen;
  std::string result;  // "+21 Elo, between ..."; empty where no game was played
};

uint64_t PairsToShow(double elo, double pair_variance) {
  uint64_t low = 1;
  uint64_t high = uint64_t{1} << 40;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (book::SmallestGain(pair_variance, middle) <= elo) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Games needed for kTellingGain. In a comparison of two matches the variance is the sum of both.
uint64_t GamesNeeded(const ProofMatch& match) {
  return GamesToShow(kTellingGain, (match.measures ? 2 : 1) * book::kUsualPairVariance);
}

// Whether this match and the next one are the two against the run's opponent.
bool IsFirstOfTwo(const std::vector<ProofMatch>& matches, size_t at) {
  return matches[at].measures && at + 1 < matches.size() && matches[at + 1].measures;
}

bool IsSecondOfTwo(const std::vector<ProofMatch>& matches, size_t at) {
  return at > 0 && IsFirstOfTwo(matches, at - 1);
}

std::string MatchLimitWords(const ProofMatch& match, const Voice& voice) {
  const worker::PlaySpec& play = match.settings.sides[0].play;
  return play.move_ms > 0 ? voice.Say(phrase::kMilliseconds, play.move_ms)
                          : voice.Say(phrase::kNodes, play.nodes);
}

Finding FindingOf(const ProofMatch& match) {
  if (match.same_answers) return Finding::kAlike;
  if (match.series.state() == State::kVoid) return Finding::kVoid;
  if (match.series.tally().pentanomial.count() == 0) return Finding::kNotPlayed;
  const book::Estimate elo = book::LogisticElo(match.series.tally().pentanomial);
  // A test whose lower bound is a loss shows that the book is not worse by as much, and no gain.
  const auto& sprt = match.settings.series.sprt;
  const bool gains = match.series.state() == State::kAccepted && sprt && sprt->elo0 >= 0;
  if (gains || elo.low > 0) return Finding::kStronger;
  return elo.high < 0 ? Finding::kWeaker : Finding::kOpen;
}

bool ShowsGain(const ProofMatch& match) { return FindingOf(match) == Finding::kStronger; }
bool ShowsLoss(const ProofMatch& match) { return FindingOf(match) == Finding::kWeaker; }

// `games` rounded up to two significant digits; the estimate is no better.
uint64_t Rounded(uint64_t games) {
  uint64_t unit = 1;
  while (games / unit >= 100) unit *= 10;
  return (games + unit - 1) / unit * unit;
}

// The prospect of more games, appended to the figures of a match that proves nothing.
std::string OutlookOf(const ProofMatch& match, const Voice& voice) {
  const book::Pentanomial& pairs = match.series.tally().pentanomial;
  if (match.series.state() == State::kExhausted) return voice.Say(phrase::kNoNewGames);
  if (match.series.state() == State::kRejected) {
    return voice.Say(phrase::kTestEnded, absl::StrFormat("%+g", match.settings.series.sprt->elo1));
  }
  // The spread on which the interval is based.
  const book::Interval interval = book::ScoreInterval(pairs);
  const double sd = (interval.high - interval.low) / 2 / 1.96;
  const uint64_t played = 2 * pairs.count();
  const uint64_t needed = GamesToShow(kWantedGain, sd * sd * static_cast<double>(pairs.count()));
  const std::string gain = absl::StrFormat("%+g", kWantedGain);
  if (needed <= played) return voice.Say(phrase::kWouldHaveShown, gain);
  return voice.Say(phrase::kMoreWouldShow, Rounded(needed - played), gain);
}

Item ItemOf(const ProofMatch& match, const Voice& voice) {
  Item item{MatchWords(match, voice), FindingOf(match), ""};
  if (item.finding == Finding::kVoid) {
    item.result = voice.Say(phrase::kPairsWithFaults, match.series.voids());
  }
  const book::Pentanomial& pairs = match.series.tally().pentanomial;
  if (item.finding > Finding::kOpen) return item;
  item.result =
      voice.Say(phrase::kAfterGames, EloWords(book::LogisticElo(pairs), voice), 2 * pairs.count(),
                item.finding == Finding::kOpen ? OutlookOf(match, voice) : "");
  return item;
}

Item ItemOf(const Proof& proof, const ProofMatch& by_tuned, const ProofMatch& by_input,
            const Voice& voice) {
  Item item{voice.Say(phrase::kInputAgainstOpponent, MatchLimitWords(by_tuned, voice)),
            Finding::kNotPlayed, ""};
  const auto gain = GainAgainstOpponent(proof);
  if (!gain) return item;
  item.finding = gain->low > 0    ? Finding::kStronger
                 : gain->high < 0 ? Finding::kWeaker
                                  : Finding::kOpen;
  item.result = voice.Say(phrase::kAfterBothGames, EloWords(*gain, voice),
                          2 * by_tuned.series.tally().pentanomial.count(),
                          2 * by_input.series.tally().pentanomial.count());
  return item;
}

// The items of the verdict, without matches that were left out.
std::vector<Item> ItemsOf(const Proof& proof, const Voice& voice) {
  std::vector<Item> items;
  for (size_t i = 0; i < proof.matches.size(); ++i) {
    const ProofMatch& match = proof.matches[i];
    if (match.left_out || IsSecondOfTwo(proof.matches, i)) continue;
    items.push_back(IsFirstOfTwo(proof.matches, i)
                        ? ItemOf(proof, match, proof.matches[i + 1], voice)
                        : ItemOf(match, voice));
  }
  return items;
}

// Phrases by finding: the sentence for one match, and the entry in a list of several.
struct FindingPhrases {
  Phrase sentence;
  Phrase in_list;
};
constexpr FindingPhrases kFindings[] = {
    {phrase::kStronger, phrase::kItemStronger},   {phrase::kWeaker, phrase::kItemWeaker},
    {phrase::kNotShown, phrase::kItemOpen},       {phrase::kVoidMatch, phrase::kItemVoid},
    {phrase::kNotPlayed, phrase::kItemNotPlayed}, {phrase::kAlike, phrase::kItemAlike}};

std::string SentenceOf(const Item& item, const Voice& voice) {
  const Phrase& sentence = kFindings[static_cast<size_t>(item.finding)].sentence;
  return item.result.empty() ? voice.Say(sentence, item.against)
                             : voice.Say(sentence, item.against, item.result);
}

// Prints a line for each match with games, where there are several.
void PrintMatches(const Proof& proof, const Voice& voice, std::ostream& out) {
  std::vector<const ProofMatch*> played;
  size_t width = Columns(voice.Say(phrase::kAgainst));
  for (const ProofMatch& match : proof.matches) {
    if (match.series.tally().pentanomial.count() == 0) continue;
    played.push_back(&match);
    width = std::max(width, Columns(MatchWords(match, voice)));
  }
  if (played.size() < 2) return;
  const auto row = [&](const std::string& against, const std::string& games,
                       const std::string& elo) {
    out << "  " << PaddedRight(against, width) << "  " << PaddedLeft(games, 5) << "  " << elo
        << "\n";
  };
  row(voice.Say(phrase::kAgainst), voice.Say(phrase::kGames), voice.Say(phrase::kEloInterval));
  for (const ProofMatch* match : played) {
    const book::Pentanomial& pairs = match->series.tally().pentanomial;
    row(MatchWords(*match, voice), absl::StrCat(2 * pairs.count()),
        EloRange(book::LogisticElo(pairs)));
  }
}

std::string DetailOf(const Item& item, const Voice& voice) {
  const Phrase& words = kFindings[static_cast<size_t>(item.finding)].in_list;
  return voice.Say(phrase::kAgainstIs, item.against,
                   item.result.empty() ? voice.Say(words) : voice.Say(words, item.result));
}

}  // namespace

uint64_t GamesToShow(double elo, double pair_variance) {
  return 2 * PairsToShow(elo, pair_variance);
}

uint64_t Proof::games_needed() const {
  if (!too_few() || percent <= 0) return 0;
  const auto wanted = static_cast<uint64_t>(
      std::ceil(static_cast<double>(GamesToShow(kTellingGain)) * 100 / percent));
  return wanted - std::min(wanted, run_games);
}

uint64_t PairsFor(const std::vector<ProofMatch>& matches, size_t at, uint64_t left) {
  // A comparison with one match left out shows nothing.
  if (IsSecondOfTwo(matches, at) && matches[at - 1].left_out) return 0;
  uint64_t pairs = 0;
  uint64_t sharers = 0;
  uint64_t dearest = 0;
  for (size_t i = at; i < matches.size(); ++i) {
    if (matches[i].same_answers) continue;
    ++sharers;
    dearest = std::max(dearest, GamesNeeded(matches[i]) * matches[i].cost);
    if (IsFirstOfTwo(matches, i)) continue;
    if (left / sharers < dearest) break;
    pairs = left / sharers / matches[at].cost / 2;
  }
  return pairs;
}

std::optional<book::Estimate> GainAgainstOpponent(const Proof& proof) {
  std::vector<book::Estimate> by;  // the tuned book, its input
  for (const ProofMatch& match : proof.matches) {
    if (!match.measures) continue;
    if (match.series.state() == State::kVoid || match.series.pairs_played() == 0) {
      return std::nullopt;
    }
    by.push_back(book::LogisticElo(match.series.tally().pentanomial));
  }
  if (by.size() != 2 || !std::isfinite(by[0].value) || !std::isfinite(by[1].value)) {
    return std::nullopt;
  }
  const double gain = by[0].value - by[1].value;
  return book::Estimate{gain, gain - std::hypot(by[0].value - by[0].low, by[1].high - by[1].value),
                        gain + std::hypot(by[0].high - by[0].value, by[1].value - by[1].low)};
}

std::string_view ProofOpponentWords(std::string_view label) {
  for (const auto& [known, words] : kLabels) {
    if (known == label) return words.english();
  }
  return label;
}

std::string MatchWords(const ProofMatch& match, const Voice& voice) {
  return voice.Say(phrase::kOpponentAt, WordText(voice, match.opponent),
                   MatchLimitWords(match, voice));
}

std::string ProofVerdict(const Proof& proof, const Voice& voice) {
  const std::string telling = absl::StrFormat("%g", kTellingGain);
  if (proof.too_few()) {
    return voice.Say(phrase::kTooFew, absl::StrFormat("%g", proof.percent), proof.run_games,
                     proof.budget, GamesToShow(kTellingGain), telling, proof.games_needed());
  }
  const std::vector<Item> items = ItemsOf(proof, voice);
  if (items.empty()) return voice.Say(phrase::kNoMatch);
  if (items.size() == 1) return SentenceOf(items.front(), voice);
  const auto count = [&](Finding finding) {
    return std::count_if(items.begin(), items.end(),
                         [&](const Item& item) { return item.finding == finding; });
  };
  const auto stronger = count(Finding::kStronger);
  const auto weaker = count(Finding::kWeaker);
  if (stronger + weaker == 0) return voice.Say(phrase::kNoneShown, items.size());
  std::vector<std::string> parts;
  if (stronger > 0) parts.push_back(voice.Say(phrase::kStrongerIn, stronger));
  if (weaker > 0) parts.push_back(voice.Say(phrase::kWeakerIn, weaker));
  return voice.Say(phrase::kShown, absl::StrJoin(parts, voice.Say(phrase::kAnd)), items.size());
}

std::vector<std::string> ProofDetails(const Proof& proof, const Voice& voice) {
  std::vector<std::string> details;
  const std::vector<Item> items = ItemsOf(proof, voice);
  if (items.size() > 1) {
    for (const Item& item : items) details.push_back(DetailOf(item, voice));
  }
  std::vector<std::string> left_out;
  for (size_t i = 0; i < proof.matches.size(); ++i) {
    const ProofMatch& match = proof.matches[i];
    if (match.left_out && !IsSecondOfTwo(proof.matches, i)) {
      left_out.push_back(MatchWords(match, voice));
    }
  }
  if (!left_out.empty()) {
    details.push_back(voice.Say(phrase::kLeftOut, proof.budget, absl::StrFormat("%g", kTellingGain),
                                absl::StrJoin(left_out, voice.Say(phrase::kSemicolon))));
  }
  return details;
}

void PrintProof(const Proof& proof, const Voice& voice, std::ostream& out) {
  out << ProofVerdict(proof, voice) << "\n";
  PrintMatches(proof, voice, out);
  for (const std::string& detail : ProofDetails(proof, voice)) out << "  " << detail << "\n";
  if (proof.interrupted) out << voice.Say(phrase::kProofInterrupted);
}

Json ProofJson(const Proof& proof) {
  Json json;
  json["run"] = proof.run;
  json["percent"] = proof.percent;
  json["budget_games"] = proof.budget;
  json["too_few"] = proof.too_few();
  json["games_needed"] = proof.games_needed();
  Json matches = Json::array();
  for (const ProofMatch& match : proof.matches) {
    Json one;
    one["opponent"] = match.opponent;
    one["nodes"] = match.settings.sides[0].play.nodes;
    one["move_ms"] = match.settings.sides[0].play.move_ms;
    one["pairs_allowed"] = match.settings.series.pairs;
    one["smallest_gain"] = std::isfinite(match.smallest_gain) ? Json(match.smallest_gain) : Json();
    const bool compares = !match.same_answers && !match.measures;
    one["same_answers"] = match.same_answers;
    one["left_out"] = match.left_out;
    one["measures"] = match.measures;
    one["shows_gain"] = compares && ShowsGain(match);
    one["shows_loss"] = compares && ShowsLoss(match);
    one["file"] = match.file;
    one["result"] = MatchJson(match.settings, match.series);
    matches.push_back(std::move(one));
  }
  json["matches"] = std::move(matches);
  json["gain_against_opponent"] = nullptr;
  if (const auto gain = GainAgainstOpponent(proof); gain && std::isfinite(gain->high - gain->low)) {
    json["gain_against_opponent"] = {
        {"elo", gain->value}, {"elo_low", gain->low}, {"elo_high", gain->high}};
  }
  json["interrupted"] = proof.interrupted;
  json["verdict"] = ProofVerdict(proof);
  json["details"] = ProofDetails(proof);
  return json;
}

}  // namespace joseki::cli
