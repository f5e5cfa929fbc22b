// Options of the search against each other: paired games from given starts at fixed nodes (or
// time), how often each technique acted, and the nodes of the bench positions to a depth. Pairs
// that were played are in the state file; the same command goes on after them. For hands, not for
// ctest.
//   option_match A B --starts FILE --pairs N --nodes N [--odds X] [--state FILE] [--depth D]
//                    [--ms MS]
// A and B: "-" for the defaults, or NAME=VALUE,NAME=VALUE.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/search/bench.h"
#include "engine/search/options.h"
#include "engine/search/shogi_game.h"
#include "engine/shogi/sfen.h"
#include "engine/usi/usi_text.h"

namespace joseki {
namespace {

constexpr size_t kTable = size_t{4} << 20;

// False, with a word on stderr, if the text is wrong.
bool ReadOptions(const std::string& text, SearchOptions& options) {
  if (text == "-") return true;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t equals = part.find('=');
    const std::string value = equals == std::string::npos ? "true" : part.substr(equals + 1);
    const absl::Status status = SetSearchOption(part.substr(0, equals), value, options);
    if (!status.ok()) {
      std::cerr << status.message() << std::endl;
      return false;
    }
  }
  return true;
}

uint64_t NodesOfBench(int depth, const SearchOptions& options) {
  Search<Shogi> search(kTable);
  search.SetOptions(options);
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

std::vector<shogi::Position> ReadStarts(const std::string& path) {
  std::vector<shogi::Position> starts;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string_view> words = usi::Words(line);
    if (!words.empty() && words[0] == "position") words.erase(words.begin());
    const auto command = usi::ParsePosition(words);
    if (!command.ok()) continue;
    auto start = shogi::ParseSfen(command->start);
    if (!start.ok()) continue;
    bool legal = true;
    for (const std::string& text : command->moves) {
      const auto move = shogi::ParseMove(start->position, text);
      legal = legal && move.ok();
      if (!legal) break;
      shogi::Undo undo;
      start->position.Do(*move, undo);
    }
    if (legal) starts.push_back(start->position);
  }
  return starts;
}

struct Sides {
  SearchOptions options[2];
  uint64_t nodes[2] = {0, 0};
  int64_t ms = 0;
};

// Half points of A, which moves first if `a_first`. `counts`: what A's techniques did.
int Play(const shogi::Position& start, const Sides& sides, bool a_first, Counts& counts) {
  Search<Shogi> searches[2] = {Search<Shogi>(kTable), Search<Shogi>(kTable)};
  for (int i = 0; i < 2; ++i) searches[i].SetOptions(sides.options[i]);
  shogi::Position position = start;
  const Color a = a_first ? start.side_to_move() : ~start.side_to_move();
  int points = 1;
  while (position.plies() < 320) {
    const int side = position.side_to_move() == a ? 0 : 1;
    const int win = side == 0 ? 2 : 0;  // of who is to move
    SearchLimits limits;
    limits.nodes = sides.nodes[side];
    limits.hard_ms = sides.ms;
    const SearchResult result = searches[side].Run(position, limits);
    if (result.declare || !result.best) {
      points = result.declare ? win : 2 - win;
      break;
    }
    shogi::Undo undo;
    position.Do(result.best, undo);
    const Repetition repetition = position.CheckRepetition(4);
    if (repetition == Repetition::kNone) continue;
    if (repetition != Repetition::kDraw) {
      points = (repetition == Repetition::kWin) == (position.side_to_move() == a) ? 2 : 0;
    }
    break;
  }
  counts.Add(searches[0].counts());
  return points;
}

int Main(int argc, char** argv) {
  std::string names[2];
  std::string starts_path;
  std::string state_path;
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
      {"--depth", [&](const char* v) { depth = std::atoi(v); }},
  };
  bool usable = argc >= 3 && argc % 2 == 1;
  for (int i = 3; usable && i < argc; i += 2) {
    const auto flag = flags.find(argv[i]);
    usable = flag != flags.end();
    if (usable) flag->second(argv[i + 1]);
  }
  if (!usable) {
    std::cerr << "option_match A B --starts FILE --pairs N --nodes N [--odds X] [--state FILE]"
                 " [--depth D] [--ms MS]"
              << std::endl;
    return 2;
  }
  names[0] = argv[1];
  names[1] = argv[2];
  for (int i = 0; i < 2; ++i) {
    if (!ReadOptions(names[i], sides.options[i])) return 2;
  }
  sides.nodes[0] = static_cast<uint64_t>(static_cast<double>(nodes) * odds);
  sides.nodes[1] = nodes;
  if (depth > 0) {
    const uint64_t a = NodesOfBench(depth, sides.options[0]);
    const uint64_t b = NodesOfBench(depth, sides.options[1]);
    std::cout << "bench to depth " << depth << ": " << a << " nodes with A, " << b << " with B, "
              << static_cast<double>(a) / static_cast<double>(b) << std::endl;
  }
  if (pairs == 0) return 0;

  const std::vector<shogi::Position> starts = ReadStarts(starts_path);
  if (starts.empty()) {
    std::cerr << "no start positions in " << starts_path << std::endl;
    return 2;
  }
  std::vector<int> points;  // of a pair, in halves
  Counts counts;
  if (!state_path.empty()) {
    std::ifstream state(state_path);
    for (int value; state >> value;) points.push_back(value);
  }
  std::ofstream state;
  if (!state_path.empty()) state.open(state_path, std::ios::app);
  int played = 0;
  for (int pair = static_cast<int>(points.size()); pair < pairs; ++pair, ++played) {
    // Spread over the file.
    const auto i = static_cast<size_t>(pair) * 7919 % starts.size();
    const int sum = Play(starts[i], sides, true, counts) + Play(starts[i], sides, false, counts);
    points.push_back(sum);
    if (state.is_open()) state << sum << std::endl;
  }

  double sum = 0;
  double squares = 0;
  int pentanomial[5] = {};
  for (const int value : points) {
    const double score = value / 4.0;
    sum += score;
    squares += score * score;
    ++pentanomial[value];
  }
  const auto n = static_cast<double>(points.size());
  const double mean = sum / n;
  const double error = 1.96 * std::sqrt(std::max(squares / n - mean * mean, 0.0) / n);
  auto elo = [](double s) { return s <= 0 || s >= 1 ? 0.0 : 400 * std::log10(s / (1 - s)); };
  std::cout << names[0] << " against " << names[1] << ": " << points.size() << " pairs at " << nodes
            << " nodes, " << 100 * mean << " % +- " << 100 * error << ", Elo " << elo(mean) << " ("
            << elo(mean - error) << " to " << elo(mean + error) << "), pairs by half points";
  for (const int count : pentanomial) std::cout << " " << count;
  std::cout << std::endl;
  if (played > 0) {
    std::cout << "acted, of A, a game:";
    for (size_t i = 0; i < kTechniqueCount; ++i) {
      if (counts.at(i) > 0) {
        std::cout << " " << TechniqueNames()[i] << " "
                  << counts.at(i) / (2 * static_cast<uint64_t>(played));
      }
    }
    std::cout << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace joseki

int main(int argc, char** argv) { return joseki::Main(argc, argv); }
