// Tunes numbers of the search by games of opposed settings (spsa.h): from given starts, at fixed
// nodes, pairs with the colours exchanged. The results are in the state file; the same command goes
// on after them, and another one, or a program that searches otherwise, is refused. Run by hand,
// not by ctest.
//   option_spsa NAME=STEP,NAME=STEP --starts FILE --pairs N --nodes N --state FILE
//               [--set NAME=VALUE,...] [--rate R] [--seed S] [--threads T] [--hash MIB] [--until N]
// Every number begins at its default, or at that of --set, which both sides play. --pairs: in all,
// which decides how the steps shrink. --until: this call ends after so many of them. Prints the
// values as a setting that option_match takes.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/search/counts.h"
#include "engine/search/options.h"
#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/engine_options.h"
#include "tests/engine/search/option_games.h"
#include "tests/engine/search/spsa.h"

namespace joseki {
namespace {

// A state: a line that says what is tuned, then one a pair, "POINTS ." with A's half points.
// Nullopt, with a word on stderr, if it is of something else.
std::optional<std::vector<int>> ReadState(const std::string& path, const std::string& title) {
  std::vector<int> points;
  std::ifstream file(path);
  bool first = true;
  for (std::string line; std::getline(file, line); first = false) {
    if (first) {
      if (line == title) continue;
      std::cerr << path << " is of something else: " << line << ", not " << title << std::endl;
      return std::nullopt;
    }
    std::istringstream words(line);
    int value = -1;
    std::string end;
    if (!(words >> value >> end) || value < 0 || value > 4 || end != ".") break;  // cut off
    points.push_back(value);
  }
  return points;
}

void WriteState(const std::string& path, const std::string& title, const std::vector<int>& points) {
  std::ofstream file(path, std::ios::trunc);
  file << title << "\n";
  for (const int value : points) file << value << " .\n";
}

// The numbers of "NAME=STEP,..." with their range and where they begin; empty, with a word on
// stderr, if the text is wrong.
std::vector<SpsaKnob> ReadKnobs(const std::string& text, const shogi::EngineOptions& base) {
  std::vector<SpsaKnob> knobs;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const double step =
        equals == std::string::npos ? 0 : std::strtod(part.c_str() + equals + 1, nullptr);
    const SearchOption* found = FindOption(SearchOptionTable(), name);
    if (found == nullptr || !(step > 0)) {
      std::cerr << "no number of the search with a step: " << part << std::endl;
      return {};
    }
    knobs.push_back({.name = name,
                     .start = static_cast<double>(base.search.*found->field),
                     .low = static_cast<double>(found->least),
                     .high = static_cast<double>(found->most),
                     .step = step});
  }
  return knobs;
}

std::string Setting(const std::vector<SpsaKnob>& knobs, const std::vector<double>& values) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < knobs.size(); ++i) {
    parts.push_back(absl::StrCat(knobs[i].name, "=", std::lround(values[i])));
  }
  return absl::StrJoin(parts, ",");
}

// A's half points of a pair, 0 to 4.
int PlayPair(const shogi::Position& start, const Sides& sides) {
  Counts counts;
  return PlayOptions(start, sides, true, counts) + PlayOptions(start, sides, false, counts);
}

// Sides of one iteration, from `base`.
Sides SidesOf(const Sides& base, const std::vector<SpsaKnob>& knobs, const Spsa::Probe& probe) {
  Sides sides = base;
  for (size_t i = 0; i < knobs.size(); ++i) {
    const absl::Status a = sides.options[0].Set(knobs[i].name, absl::StrCat(probe.a[i]));
    const absl::Status b = sides.options[1].Set(knobs[i].name, absl::StrCat(probe.b[i]));
    if (!a.ok() || !b.ok()) std::abort();  // a probe keeps to the option's range
  }
  return sides;
}

int Main(int argc, char** argv) {
  std::string starts_path;
  std::string state_path;
  std::string set = "-";
  SpsaPlan plan;
  uint64_t nodes = 30'000;
  uint64_t until = UINT64_MAX;
  size_t threads = 1;
  size_t hash = 16;
  const auto number = [](const char* v) { return std::strtoull(v, nullptr, 10); };
  const std::map<std::string, std::function<void(const char*)>> flags = {
      {"--starts", [&](const char* v) { starts_path = v; }},
      {"--state", [&](const char* v) { state_path = v; }},
      {"--set", [&](const char* v) { set = v; }},
      {"--pairs", [&](const char* v) { plan.iterations = number(v); }},
      {"--until", [&](const char* v) { until = number(v); }},
      {"--nodes", [&](const char* v) { nodes = number(v); }},
      {"--rate", [&](const char* v) { plan.rate = std::atof(v); }},
      {"--seed", [&](const char* v) { plan.seed = number(v); }},
      {"--threads", [&](const char* v) { threads = number(v); }},
      {"--hash", [&](const char* v) { hash = number(v); }},
  };
  bool usable = argc >= 2 && argc % 2 == 0;
  for (int i = 2; usable && i < argc; i += 2) {
    const auto flag = flags.find(argv[i]);
    usable = flag != flags.end();
    if (usable) flag->second(argv[i + 1]);
  }
  if (!usable || state_path.empty() || plan.iterations == 0 || threads == 0 || hash == 0) {
    std::cerr << "option_spsa NAME=STEP,... --starts FILE --pairs N --nodes N --state FILE"
                 " [--set NAME=VALUE,...] [--rate R] [--seed S] [--threads T] [--hash MIB]"
                 " [--until N]"
              << std::endl;
    return 2;
  }
  Sides base;
  base.nodes[0] = base.nodes[1] = nodes;
  base.table_bytes = hash << 20;
  if (!ReadOptions(set, base.options[0])) return 2;
  base.options[1] = base.options[0];
  plan.knobs = ReadKnobs(argv[1], base.options[0]);
  if (plan.knobs.empty()) return 2;
  const std::string title = absl::StrCat(
      "# ", argv[1], " from ", set, ", pairs ", plan.iterations, ", nodes ", nodes, ", rate ",
      plan.rate, ", seed ", plan.seed, ", hash ", hash, ", signature ", BenchSignature());
  std::optional<std::vector<int>> points = ReadState(state_path, title);
  if (!points.has_value()) return 2;
  const std::vector<shogi::Position> starts = ReadStarts(starts_path);
  if (starts.empty()) {
    std::cerr << "no start positions in " << starts_path << std::endl;
    return 2;
  }

  Spsa spsa(plan);
  for (const int value : *points) spsa.Learn(value - 2);
  WriteState(state_path, title, *points);
  std::ofstream state(state_path, std::ios::app);
  until = std::min(until, plan.iterations);
  while (spsa.learned() < until) {
    std::vector<int> results(std::min<uint64_t>(threads, until - spsa.learned()));
    std::vector<std::thread> players;
    for (size_t i = 0; i < results.size(); ++i) {
      players.emplace_back([&, i] {
        const uint64_t start = (spsa.learned() + i) * 7919 % starts.size();  // over the file
        results[i] = PlayPair(starts[start], SidesOf(base, plan.knobs, spsa.Next(i)));
      });
    }
    for (std::thread& player : players) player.join();
    for (const int value : results) {
      spsa.Learn(value - 2);
      state << value << " .\n";
    }
    state.flush();
  }
  std::cout << spsa.learned() << " of " << plan.iterations
            << " pairs: " << Setting(plan.knobs, spsa.values()) << std::endl;
  return 0;
}

}  // namespace
}  // namespace joseki

int main(int argc, char** argv) { return joseki::Main(argc, argv); }
