#include "book/simulation/line_settings.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/closest_word.h"
#include "base/problem.h"

namespace joseki::book {
namespace {

using OfWorld = LineWorldOptions;
using OfRules = RepertoireRules;
using OfRun = LineSimulation;

constexpr double kCentipawns = 10'000;
constexpr double kNodes = 1e9;
constexpr double kMany = 1e6;

constexpr LineSetting kSettings[] = {
    {"moves", &OfWorld::moves, 2, 200},
    {"mean_loss", &OfWorld::mean_loss, 0, kCentipawns},
    {"error", &OfWorld::error, 0, kCentipawns},
    {"a_doubling", &OfWorld::a_doubling, 0.1, 1},
    {"chance", &OfWorld::chance, 0, kCentipawns},
    {"drift", &OfWorld::drift, 0, kCentipawns},
    {"persistence", &OfWorld::persistence, 0, 1},
    {"human_noise", &OfWorld::human_noise, 0, kCentipawns},
    {"human_temperature", &OfWorld::human_temperature, 1, kCentipawns},
    {"start_worth", &OfWorld::start_worth, -kCentipawns, kCentipawns},
    {"book_games", &OfWorld::book_games, 1, kMany},
    {"least_games", &OfWorld::least_games, 1, kMany},
    {"book_plies", &OfWorld::book_plies, 0, 200},
    {"share", &OfRun::share, 1, 100},
    {"trial_share", &OfRun::trial_share, 0, 99},
    {"match_games", &OfRun::match_games, 2, kMany},
    {"least_nodes", &OfRules::least_nodes, 1, kNodes},
    {"heard_trials", &OfRules::heard_trials, 0.01, kMany},
    {"most_nodes", &OfRules::most_nodes, 1, kNodes},
    {"least_lack", &OfRules::least_lack, 0, kMany},
    {"reply_nodes", &OfRules::reply_nodes, 1, kNodes},
    {"patient", &OfRules::patient, 0, 1},
    {"patience", &OfRules::patience, 1, kMany},
    {"patient_answers", &OfRules::patient_answers, 1, kMany},
    {"impatient_lines", &OfRules::impatient_lines, 0, kNodes},
    {"replies", &OfRules::replies, 1, kMany},
    {"most_plies", &OfRules::most_plies, 1, 200},
    {"by_weight", &OfRules::by_weight, 0, 1},
    {"evenly", &OfRules::evenly, 0, 1},
    {"scale", &OfRules::scale, 1, kCentipawns},
    {"spread", &OfRules::spread, 0.001, 1},
    {"spread_trials", &OfRules::spread_trials, 0.01, kMany},
    {"evaluation_trials", &OfRules::evaluation_trials, 0.01, kMany},
    {"error_trials", &OfRules::error_trials, 0.01, kMany},
    {"widening", &OfRules::widening, 1, kMany},
    {"widening_part", &OfRules::widening_part, 1, kMany},
    {"candidates", &OfRules::candidates, 1, 200},
    {"unchosen", &OfRules::unchosen, 0, 1},
    {"rarity", &OfRules::rarity, 0, 1},
    {"usual", &OfRules::usual, 0.001, 1},
    {"unsearched", &OfRules::unsearched, 0, kCentipawns},
};

template <typename Simulated>
auto& PartOf(Simulated& simulation, auto OfWorld::*field) {
  return simulation.world.*field;
}
template <typename Simulated>
auto& PartOf(Simulated& simulation, auto OfRules::*field) {
  return simulation.rules.*field;
}
template <typename Simulated>
auto& PartOf(Simulated& simulation, auto OfRun::*field) {
  return simulation.*field;
}

}  // namespace

double LineSetting::Of(const LineSimulation& simulation) const {
  return std::visit([&](auto part) { return static_cast<double>(PartOf(simulation, part)); },
                    field);
}

std::span<const LineSetting> LineSettings() { return kSettings; }

absl::Status ChangeSetting(const std::string& name, const std::string& value,
                           LineSimulation& simulation) {
  const auto* const setting =
      std::find_if(std::begin(kSettings), std::end(kSettings),
                   [&](const LineSetting& known) { return known.name == name; });
  if (setting == std::end(kSettings)) {
    std::vector<std::string> names;
    for (const LineSetting& known : kSettings) names.emplace_back(known.name);
    return MakeProblem({.code = "bad_setting",
                        .found = Quote(name),
                        .expected = absl::StrCat("a setting", DidYouMean(name, names))});
  }
  double number = 0;
  const bool whole = std::visit(
      [&](auto part) {
        return std::is_integral_v<std::remove_cvref_t<decltype(PartOf(simulation, part))>>;
      },
      setting->field);
  if (!absl::SimpleAtod(value, &number) || !(number >= setting->least) ||
      !(number <= setting->most) || (whole && number != std::floor(number))) {
    return MakeProblem({.code = "bad_setting",
                        .found = absl::StrCat(name, "=", Quote(value)),
                        .expected = absl::StrCat(whole ? "a whole number from " : "a number from ",
                                                 setting->least, " to ", setting->most)});
  }
  std::visit(
      [&](auto part) {
        auto& at = PartOf(simulation, part);
        at = static_cast<std::remove_cvref_t<decltype(at)>>(number);
      },
      setting->field);
  return absl::OkStatus();
}

}  // namespace joseki::book
