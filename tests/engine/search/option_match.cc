// Plays search options against each other: paired games from given starts at fixed nodes or time.
// Also reports how often each technique acted, and the nodes of the bench positions to a depth. The
// state file holds the pairs played. The same command resumes it; other commands, and programs that
// search differently, are refused. Run by hand, not by ctest; tests/option_series plays lists of
// options.
//   option_match A B --starts FILE --pairs N --nodes N [--odds X] [--state FILE] [--depth D]
//                    [--ms MS] [--clock SECONDS] [--hash MIB] [--sprt ELO0,ELO1]
//                    [--partial-book FILE] [--weights FILE]
// A and B: "-" for the defaults, or NAME=VALUE,NAME=VALUE. --clock gives each side so much time for
// a game; with --nodes 0 nothing else limits a move. --sprt stops once the test of "ELO0
// better" against "ELO1 better" is decided. --partial-book gives A this book. --weights gives A's
// learned evaluation these weights; B keeps the built-in ones. Without --pairs the state is printed
// and nothing is played.

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "book/stats/pentanomial.h"
#include "engine/book_port.h"
#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/engine_options.h"
#include "engine/search/shogi/game.h"
#include "engine/shogi/sfen.h"
#include "tests/engine/search/option_games.h"

namespace joseki {
namespace {

constexpr size_t kTable = size_t{4} << 20;

uint64_t NodesOfBench(int depth, const shogi::EngineOptions& options) {
  Search<Shogi> search(kTable);
  options.ApplyTo(search);
  uint64_t nodes = 0;
  for (const char* text : BenchPositions()) {
    const auto start = shogi::ParseSfen(text);
    if (!start.ok()) continue;
    SearchLimits limits;
    limits.depth = depth;
    search.NewGame();
    nodes += search.Run(start->position, limits).nodes;
  }
  return nodes;
}

// The pairs of a match, in order, and what A's techniques did in them.
struct Played {
  std::vector<int> points;         // of a pair, in halves
  std::vector<std::string> lines;  // of the state
  Counts counts;
  bool whole = false;  // the state has its first line and ends with a whole one

  void Add(int half_points, const Counts& more) {
    points.push_back(half_points);
    counts.Add(more);
  }
};

// A state: a line that says what is played, then one a pair: its half points and what acted.
// False, with a word on stderr, if it is of another match.
bool ReadState(const std::string& path, const std::string& title, Played& played) {
  std::ifstream file(path);
  bool first = true;
  for (std::string line; std::getline(file, line); first = false) {
    if (file.eof()) return true;  // no end of line: cut off when the program ended
    if (first) {
      if (line == title) continue;
      std::cerr << path << " is of another match: " << line << ", not " << title << std::endl;
      return false;
    }
    std::istringstream words(line);
    int points = -1;
    if (!(words >> points) || points < 0 || points > 4 || line.back() != '.') return true;
    Counts counts;
    uint64_t count = 0;
    for (std::string name; words >> name >> count;) {
      for (size_t i = 0; i < kTechniqueCount; ++i) {
        if (TechniqueNames()[i] == name) counts.Set(static_cast<Technique>(i), count);
      }
    }
    played.Add(points, counts);
    played.lines.push_back(line);
  }
  played.whole = !first;
  return true;
}

// A line in the form that ReadState reads.
std::string StateLine(int points, const Counts& counts) {
  std::string line = absl::StrCat(points);
  for (size_t i = 0; i < kTechniqueCount; ++i) {
    if (counts.at(i) > 0) absl::StrAppend(&line, " ", TechniqueNames()[i], " ", counts.at(i));
  }
  return line + " .";
}

book::Pentanomial PentanomialOf(const std::vector<int>& points) {
  book::Pentanomial pentanomial;
  for (const int value : points) ++pentanomial.pairs[static_cast<size_t>(value)];
  return pentanomial;
}

// "accepted" (ELO1), "rejected" (ELO0) or "open".
const char* Verdict(const Played& played, const book::Sprt& sprt) {
  const double ratio = book::LogLikelihoodRatio(PentanomialOf(played.points), sprt);
  return ratio >= sprt.upper() ? "accepted" : ratio <= sprt.lower() ? "rejected" : "open";
}

void Print(const std::string (&names)[2], uint64_t nodes, const Played& played,
           const std::optional<book::Sprt>& sprt) {
  const book::Pentanomial pentanomial = PentanomialOf(played.points);
  const double mean = pentanomial.score();
  const double error =
      1.96 * std::sqrt(pentanomial.variance() / static_cast<double>(played.points.size()));
  auto elo = [](double s) { return s <= 0 || s >= 1 ? 0.0 : 400 * std::log10(s / (1 - s)); };
  std::cout << names[0] << " against " << names[1] << ": " << played.points.size() << " pairs at "
            << nodes << " nodes, " << 100 * mean << " % +- " << 100 * error << ", Elo " << elo(mean)
            << " (" << elo(mean - error) << " to " << elo(mean + error)
            << "), pairs by half points";
  for (const uint64_t count : pentanomial.pairs) std::cout << " " << count;
  std::cout << std::endl;
  if (sprt.has_value()) {
    std::cout << "sprt " << sprt->elo0 << " to " << sprt->elo1 << " Elo: ratio "
              << book::LogLikelihoodRatio(pentanomial, *sprt) << " of " << sprt->lower() << " to "
              << sprt->upper() << ", " << Verdict(played, *sprt) << std::endl;
  }
  std::cout << "acted, of A, a game:";
  const double games = 2.0 * static_cast<double>(played.points.size());
  for (size_t i = 0; i < kTechniqueCount; ++i) {
    if (played.counts.at(i) > 0) {
      std::cout << " " << TechniqueNames()[i] << " "
                << static_cast<double>(played.counts.at(i)) / games;
    }
  }
  std::cout << std::endl;
}

std::optional<book::Sprt> SprtOf(const std::string& text) {
  if (text.empty()) return std::nullopt;
  book::Sprt sprt;
  char comma = 0;
  std::istringstream parts(text);
  if (!(parts >> sprt.elo0 >> comma >> sprt.elo1) || comma != ',' || sprt.elo1 <= sprt.elo0) {
    std::cerr << "--sprt takes ELO0,ELO1, the lower one first" << std::endl;
    std::exit(2);
  }
  return sprt;
}

int Main(int argc, char** argv) {
  std::string names[2];
  std::string starts_path;
  std::string state_path;
  std::string sprt_text;
  std::string partial_book;
  std::string weights;
  uint64_t hash = 4;  // MiB of each side's table
  Sides sides;
  uint64_t nodes = 2000;
  int pairs = 0;
  int depth = 0;
  double odds = 1;
  const std::map<std::string, std::function<void(const char*)>> flags = {
      {"--starts", [&](const char* v) { starts_path = v; }},
      {"--state", [&](const char* v) { state_path = v; }},
      {"--pairs", [&](const char* v) { pairs = std::atoi(v); }},
      {"--nodes", [&](const char* v) { nodes = std::strtoull(v, nullptr, 10); }},
      {"--odds", [&](const char* v) { odds = std::atof(v); }},
      {"--ms", [&](const char* v) { sides.ms = std::atoi(v); }},
      {"--clock", [&](const char* v) { sides.clock_ms = std::llround(1000 * std::atof(v)); }},
      {"--depth", [&](const char* v) { depth = std::atoi(v); }},
      {"--sprt", [&](const char* v) { sprt_text = v; }},
      {"--partial-book", [&](const char* v) { partial_book = v; }},
      {"--weights", [&](const char* v) { weights = v; }},
      {"--hash", [&](const char* v) { hash = std::strtoull(v, nullptr, 10); }},
  };
  bool usable = argc >= 3 && argc % 2 == 1;
  for (int i = 3; usable && i < argc; i += 2) {
    const auto flag = flags.find(argv[i]);
    usable = flag != flags.end();
    if (usable) flag->second(argv[i + 1]);
  }
  if (!usable) {
    std::cerr << "option_match A B --starts FILE --pairs N --nodes N [--odds X] [--state FILE]"
                 " [--depth D] [--ms MS] [--clock SECONDS] [--hash MIB] [--sprt ELO0,ELO1]"
                 " [--partial-book FILE] [--weights FILE]"
              << std::endl;
    return 2;
  }
  const std::optional<book::Sprt> sprt = SprtOf(sprt_text);
  names[0] = argv[1];
  names[1] = argv[2];
  for (int i = 0; i < 2; ++i) {
    if (!ReadOptions(names[i], sides.options[i])) return 2;
  }
  const std::unique_ptr<usi::PartialBookPort> partial = MakePartialBook();
  if (!partial_book.empty()) {
    if (const absl::Status status = partial->Open(partial_book); !status.ok()) {
      std::cerr << status.message() << std::endl;
      return 2;
    }
    sides.alike = partial.get();
  }
  if (!weights.empty()) {
    absl::StatusOr<std::unique_ptr<const shogi::Network>> network = shogi::LoadNetwork(weights);
    if (!network.ok()) {
      std::cerr << network.status().message() << std::endl;
      return 2;
    }
    sides.network = *std::move(network);
  }
  sides.nodes[0] = static_cast<uint64_t>(static_cast<double>(nodes) * odds);
  sides.nodes[1] = nodes;
  sides.table_bytes = hash << 20;
  if (depth > 0) {
    const uint64_t a = NodesOfBench(depth, sides.options[0]);
    const uint64_t b = NodesOfBench(depth, sides.options[1]);
    std::cout << "bench to depth " << depth << ": " << a << " nodes with A, " << b << " with B, "
              << static_cast<double>(a) / static_cast<double>(b) << std::endl;
  }

  Played played;
  const std::string title = absl::StrCat(
      "# ", names[0], partial_book.empty() ? "" : " with a partial book",
      sides.network == nullptr ? "" : " with weights " + sides.network->sha256(), " against ",
      names[1], ", nodes ", nodes, ", odds ", odds, ", ms ", sides.ms,
      sides.clock_ms == 0 ? "" : absl::StrCat(", clock ", sides.clock_ms),
      hash == 4 ? "" : absl::StrCat(", hash ", hash), ", signature ", BenchSignature());
  std::ofstream state;
  if (!state_path.empty()) {
    if (!ReadState(state_path, title, played)) return 2;
    state.open(state_path, played.whole ? std::ios::app : std::ios::trunc);
    if (!played.whole) {
      state << title << "\n";
      for (const std::string& line : played.lines) state << line << "\n";
      state.flush();
    }
  }
  if (pairs > 0) {
    const std::vector<shogi::Position> starts = ReadStarts(starts_path);
    if (starts.empty()) {
      std::cerr << "no start positions in " << starts_path << std::endl;
      return 2;
    }
    for (int pair = static_cast<int>(played.points.size()); pair < pairs; ++pair) {
      if (sprt.has_value() && std::string(Verdict(played, *sprt)) != "open") break;
      // Spread over the file.
      const auto i = static_cast<size_t>(pair) * 7919 % starts.size();
      Counts counts;
      const int sum = PlayOptions(starts[i], sides, true, counts) +
                      PlayOptions(starts[i], sides, false, counts);
      played.Add(sum, counts);
      if (state.is_open()) state << StateLine(sum, counts) << std::endl;
    }
  }
  if (!played.points.empty()) Print(names, nodes, played, sprt);
  return 0;
}

}  // namespace
}  // namespace joseki

int main(int argc, char** argv) { return joseki::Main(argc, argv); }
