#include "cli/match/report.h"

#include <cmath>
#include <ostream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/printable.h"
#include "base/problem.h"
#include "cli/words/phrases.h"

namespace joseki::cli {
namespace {

using book::Estimate;
using book::Side;
using State = book::Series::State;

uint64_t Faults(const book::Series& series, Side side) {
  uint64_t sum = 0;
  for (const auto& [termination, games] : series.faults(side)) sum += games;
  return sum;
}

double MeanMs(const book::SideUse& use) {
  return use.moves == 0 ? 0
                        : static_cast<double>(use.micros) / 1000 / static_cast<double>(use.moves);
}

double MeanNodes(const book::SideUse& use) {
  return use.moves == 0 ? 0 : static_cast<double>(use.nodes) / static_cast<double>(use.moves);
}

double BookMoves(const book::SeriesTally& tally, Side side) {
  const uint64_t games = tally.total().games();
  return games == 0
             ? 0
             : static_cast<double>(tally.used[Index(side)].book_moves) / static_cast<double>(games);
}

std::string BookWords(const MatchSide& side) {
  if (side.book == nullptr) return "no book";
  std::string words = absl::StrCat("book ", side.book_name);
  switch (side.rules.choice) {
    case book::PlayRules::Choice::kAnswer:
      words += ", its answers";
      break;
    case book::PlayRules::Choice::kRange:
      absl::StrAppend(&words, ", at random within ", side.rules.range, " x its gap of ",
                      side.book->gap);
      break;
    case book::PlayRules::Choice::kShare:
      words += ", by shares";
      break;
  }
  if (side.rules.deviation > 0) absl::StrAppend(&words, ", deviation ", side.rules.deviation);
  if (side.rules.max_plies > 0) absl::StrAppend(&words, ", up to ply ", side.rules.max_plies);
  return words;
}

std::string SideWords(const MatchSide& side) {
  std::string words = absl::StrCat(side.play.engine_id, ", ");
  if (side.entry) absl::StrAppend(&words, Quote(side.engine_name), ", ");
  if (side.play.move_ms > 0) {
    absl::StrAppend(&words, side.play.move_ms, " ms");
  } else {
    absl::StrAppend(&words, side.play.nodes, " nodes");
  }
  absl::StrAppend(&words, " a move +- ", side.play.jitter_percent, " %");
  for (const auto& [name, value] : side.play.engine_options) {
    absl::StrAppend(&words, ", ", name, "=", value);
  }
  return absl::StrCat(words, "; ", BookWords(side));
}

Json ResultsJson(const book::SeriesTally::Results& results) {
  Json json;
  json["wins"] = results.wins;
  json["draws"] = results.draws;
  json["losses"] = results.losses;
  return json;
}

Json UseJson(const book::SeriesTally& tally, Side side) {
  const book::SideUse& use = tally.used[Index(side)];
  Json json;
  json["moves"] = use.moves;
  json["ms_per_move"] = MeanMs(use);
  json["nodes_per_move"] = MeanNodes(use);
  json["book_moves_per_game"] = BookMoves(tally, side);
  return json;
}

std::string SprtWords(const book::Sprt& sprt) {
  return absl::StrCat("[", sprt.elo0, ", ", sprt.elo1, "] ",
                      sprt.model == book::EloModel::kLogistic ? "Elo" : "normalised Elo");
}

// What the interval says; `decided`: beside a test that has said more. REQUIRES: at least one pair.
std::string IntervalWords(const book::Pentanomial& pairs, bool decided) {
  const Estimate elo = book::LogisticElo(pairs);
  if (elo.low > 0) return "A is stronger under these settings: the interval lies above 0.";
  if (elo.high < 0) return "B is stronger under these settings: the interval lies below 0.";
  // The spread on which the interval is based.
  const book::Interval interval = book::ScoreInterval(pairs);
  const double sd = (interval.high - interval.low) / 2 / 1.96;
  const double n = static_cast<double>(pairs.count());
  // A gain shows where the two-sided interval of 95 % lies above 0.
  const double smallest = book::SmallestGain(sd * sd * n, pairs.count(), /*confidence=*/0.975);
  const std::string open =
      decided ? "The interval holds 0. " : "So few games prove nothing: the interval holds 0. ";
  if (!std::isfinite(smallest)) return open + "No gain would show in so few.";
  return absl::StrFormat(
      "%s%d such pairs would show a gain of %+.1f Elo or more with 80 %% chance.", open,
      pairs.count(), smallest);
}

// What a test has shown that left its bound `elo0` behind: a gain only if that bound is none below
// 0.
std::string AcceptedWords(double elo0) {
  return elo0 >= 0 ? "A is better" : absl::StrCat("A is not ", -elo0, " worse");
}

// The same from B's side.
std::string RejectedWords(double elo1) {
  return elo1 > 0 ? absl::StrCat("A is not ", elo1, " better") : "B is better";
}

}  // namespace

Json FiniteJson(double value) { return std::isfinite(value) ? Json(value) : Json(); }

std::string EloWords(const book::Estimate& elo, const Voice& voice) {
  const auto number = [](double value) { return absl::StrFormat("%+.0f", value); };
  const std::string value = std::isfinite(elo.value) ? number(elo.value) + " Elo"
                            : elo.value > 0          ? voice.Say(phrase::kEveryGameWon)
                                                     : voice.Say(phrase::kEveryGameLost);
  const bool low = std::isfinite(elo.low);
  const bool high = std::isfinite(elo.high);
  if (low && high) return voice.Say(phrase::kEloBetween, value, number(elo.low), number(elo.high));
  if (low) return voice.Say(phrase::kEloAtLeast, value, number(elo.low));
  if (high) return voice.Say(phrase::kEloAtMost, value, number(elo.high));
  return voice.Say(phrase::kEloUnsure, value);
}

std::string EloRange(const Estimate& elo) {
  const auto text = [](double value) {
    return std::isfinite(value) ? absl::StrFormat("%+.1f", value) : "?";
  };
  return absl::StrCat(text(elo.value), " [", text(elo.low), ", ", text(elo.high), "]");
}

Json MatchJson(const MatchSettings& settings, const book::Series& series) {
  const book::SeriesTally& tally = series.tally();
  const book::SeriesTally::Results total = tally.total();
  const Estimate elo = book::LogisticElo(tally.pentanomial);
  const Estimate normalised = book::NormalisedElo(tally.pentanomial);
  Json json;
  json["state"] = Name(series.state());
  json["pairs"] = tally.pentanomial.count();
  json["games"] = total.games();
  json["wins"] = total.wins;
  json["losses"] = total.losses;
  json["draws"] = total.draws;
  json["faults"] = series.voids();
  json["repeats"] = tally.repeats;
  json["score"] = tally.pentanomial.score();
  json["elo"] = FiniteJson(elo.value);
  json["elo_low"] = FiniteJson(elo.low);
  json["elo_high"] = FiniteJson(elo.high);
  json["nelo"] = FiniteJson(normalised.value);
  json["nelo_low"] = FiniteJson(normalised.low);
  json["nelo_high"] = FiniteJson(normalised.high);
  json["interval"] = 0.95;
  json["llr"] = settings.series.sprt ? Json(series.llr()) : Json();
  if (const auto& sprt = settings.series.sprt) {
    Json test;
    test["elo0"] = sprt->elo0;
    test["elo1"] = sprt->elo1;
    test["model"] = sprt->model == book::EloModel::kLogistic ? "logistic" : "normalised";
    test["lower"] = sprt->lower();
    test["upper"] = sprt->upper();
    json["sprt"] = std::move(test);
  }
  json["pentanomial"] = tally.pentanomial.pairs;
  json["a_first"] = ResultsJson(tally.results[0]);
  json["a_second"] = ResultsJson(tally.results[1]);
  Json terminations = Json::object();
  for (const auto& [termination, games] : tally.terminations) {
    terminations[std::string(Name(termination))] = games;
  }
  json["terminations"] = std::move(terminations);
  json["mean_plies"] = total.games() == 0
                           ? 0.0
                           : static_cast<double>(tally.plies) / static_cast<double>(total.games());
  json["a"] = UseJson(tally, Side::kA);
  json["b"] = UseJson(tally, Side::kB);
  for (const Side side : {Side::kA, Side::kB}) {
    Json faults = Json::object();
    for (const auto& [termination, games] : series.faults(side)) {
      faults[std::string(Name(termination))] = games;
    }
    Json& of_side = json[side == Side::kA ? "a" : "b"];
    of_side["faults"] = std::move(faults);
    of_side["last_fault"] = Printable(series.last_fault(side));
  }
  json["verdict"] = MatchVerdict(series, settings.series);
  return json;
}

std::string MatchVerdict(const book::Series& series, const book::SeriesRules& rules) {
  const book::Pentanomial& pairs = series.tally().pentanomial;
  if (series.state() == State::kVoid) {
    return absl::StrCat("The series is void: ", series.voids(), " pairs had a fault, more than ",
                        rules.void_percent, " %. It says nothing of strength.");
  }
  std::string test;
  if (series.state() == State::kAccepted) {
    test = absl::StrCat("The test ", SprtWords(*rules.sprt),
                        " accepts: ", AcceptedWords(rules.sprt->elo0), ". ");
  } else if (series.state() == State::kRejected) {
    test = absl::StrCat("The test ", SprtWords(*rules.sprt),
                        " rejects: ", RejectedWords(rules.sprt->elo1), ". ");
  } else if (rules.sprt) {
    test = absl::StrCat("The test ", SprtWords(*rules.sprt), " is not decided. ");
  }
  if (series.state() == State::kExhausted) {
    absl::StrAppend(&test, "No new games come: ", book::Series::kMostRepeats,
                    " pairs in a row were repeats (more --jitter, --starts or --deviation). ");
  }
  if (pairs.count() == 0) return test + "Nothing was played.";
  const bool decided = series.state() == State::kAccepted || series.state() == State::kRejected;
  absl::StrAppend(&test, IntervalWords(pairs, decided));
  // The test stops where the score happens to be far off.
  if (decided)
    test += " As the test ended the match, the interval is too narrow and lies too far out.";
  return test;
}

std::string MatchLine(const book::Series& series, const book::SeriesRules& rules,
                      const Voice& voice) {
  const book::SeriesTally::Results total = series.tally().total();
  std::string line = voice.Say(phrase::kPairsSoFar, total.wins, total.draws, total.losses,
                               EloRange(book::LogisticElo(series.tally().pentanomial)));
  if (rules.sprt) {
    line += voice.Say(phrase::kRatioSoFar, absl::StrFormat("%.2f", series.llr()),
                      absl::StrFormat("%.2f", rules.sprt->lower()),
                      absl::StrFormat("%.2f", rules.sprt->upper()));
  }
  return line;
}

void PrintMatch(const MatchSettings& settings, const book::Series& series, std::ostream& out) {
  const book::SeriesTally& tally = series.tally();
  const book::SeriesTally::Results total = tally.total();
  for (const Side side : {Side::kA, Side::kB}) {
    out << (side == Side::kA ? "A  " : "B  ") << settings.sides[Index(side)].name << ": "
        << SideWords(settings.sides[Index(side)]) << "\n";
  }
  const worker::PlaySpec& play = settings.sides[0].play;
  out << "from " << (settings.starts.name.empty() ? "the start position" : settings.starts.name)
      << ", draw after " << play.match.max_plies << " plies, seed " << settings.seed << "\n\n";
  out << absl::StreamFormat("%d pairs, %d games: A won %d, drew %d, lost %d: score %.1f %%\n",
                            tally.pentanomial.count(), total.games(), total.wins, total.draws,
                            total.losses, 100 * tally.pentanomial.score());
  out << "  Elo             " << EloRange(book::LogisticElo(tally.pentanomial)) << ", 95 %\n";
  out << "  normalised Elo  " << EloRange(book::NormalisedElo(tally.pentanomial)) << "\n";
  if (const auto& sprt = settings.series.sprt) {
    out << absl::StreamFormat("  LLR             %.2f of %.2f..%.2f for %s: %s\n", series.llr(),
                              sprt->lower(), sprt->upper(), SprtWords(*sprt), Name(series.state()));
  }
  out << "  pairs           " << absl::StrJoin(tally.pentanomial.pairs, " ")
      << "  (A's points 0, 1/2, 1, 3/2, 2)\n";
  const auto results = [&](int place) {
    const book::SeriesTally::Results& of = tally.results[place];
    return absl::StrCat(of.wins, "-", of.draws, "-", of.losses);
  };
  out << "  A moves first   " << results(0) << "; second " << results(1) << "\n";
  std::vector<std::string> endings;
  for (const auto& [termination, games] : tally.terminations) {
    endings.push_back(absl::StrCat(std::string(Name(termination)), " ", games));
  }
  const double games = static_cast<double>(std::max<uint64_t>(1, total.games()));
  out << "  ended by        " << absl::StrJoin(endings, ", ")
      << absl::StreamFormat("; %.1f plies on average\n", static_cast<double>(tally.plies) / games);
  out << absl::StreamFormat("  set aside       %d pairs with a game that was played before\n",
                            tally.repeats);
  out << "  faults          " << series.voids() << " pairs void and played again";
  for (const Side side : {Side::kA, Side::kB}) {
    if (Faults(series, side) == 0) continue;
    std::vector<std::string> kinds;
    for (const auto& [termination, count] : series.faults(side)) {
      kinds.push_back(absl::StrCat(std::string(Name(termination)), " ", count));
    }
    out << (side == Side::kA ? "; by A: " : "; by B: ") << absl::StrJoin(kinds, ", ");
    const std::string& last = series.last_fault(side);
    if (!last.empty()) out << " (the last: " << Printable(last) << ")";
  }
  out << "\n";
  for (const Side side : {Side::kA, Side::kB}) {
    const book::SideUse& use = tally.used[Index(side)];
    out << absl::StreamFormat(
        "  %s thinks        %.3f ms and %.1f nodes a move; %.1f book moves a game\n",
        side == Side::kA ? "A" : "B", MeanMs(use), MeanNodes(use), BookMoves(tally, side));
  }
  if (MeanMs(tally.used[1]) > 0) {
    out << absl::StreamFormat("  time            A uses %.2f of B's time a move\n",
                              MeanMs(tally.used[0]) / MeanMs(tally.used[1]));
  }
  out << MatchVerdict(series, settings.series) << "\n";
}

}  // namespace joseki::cli
