// Plays xiangqi's search against a UCI engine, or against itself with other options; run by hand,
// not by ctest. Games run one at a time, every start with both colours, under Joseki's rules:
// repetition by one side's checks alone loses, chases are allowed.
//   xiangqi_match --starts FILE [--games N] [--ms N | --nodes N] [--engine COMMAND]
//                 [--set NAME=VALUE]... [--other NAME=VALUE]... [--verbose 1]
//   xiangqi_match --speed DEPTH [--starts FILE]      nodes a second of processor time
// FILE has a FEN on each line; an even selection is taken. Without --engine the other side is
// the same search with the options of --other. A UCI engine counts ranks from 1; it gets
// UCI_Variant xiangqi.

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "engine/search/xiangqi/bench.h"
#include "engine/search/xiangqi/default_options.h"
#include "engine/search/xiangqi/game.h"
#include "engine/xiangqi/fen.h"

namespace joseki::xiangqi {
namespace {

constexpr size_t kTableBytes = size_t{16} << 20;
constexpr int kMaxPlies = 300;
constexpr Value kDecided = 2500;  // a game is over once both sides see this value
constexpr int kDecidedPlies = 8;  // for this many plies

struct Choice {
  Move move;
  Value value = 0;  // for the side that chose
};

class Player {
 public:
  virtual ~Player() = default;
  virtual void NewGame() = 0;
  // `start` and `moves` lead to `position`.
  virtual Choice Choose(const std::string& start, const std::vector<Move>& moves,
                        const Position& position) = 0;
};

struct Limits {
  int64_t ms = 0;
  uint64_t nodes = 0;
};

class OwnPlayer : public Player {
 public:
  OwnPlayer(const SearchOptions& options, Limits limits) : search_(kTableBytes) {
    search_.SetOptions(options);
    limits_.hard_ms = limits.ms;
    limits_.nodes = limits.nodes;
  }
  void NewGame() override { search_.NewGame(); }
  Choice Choose(const std::string& /*start*/, const std::vector<Move>& /*moves*/,
                const Position& position) override {
    const SearchResult result = search_.Run(position, limits_);
    return {result.best, result.value};
  }

 private:
  Search<Xiangqi> search_;
  SearchLimits limits_;
};

// From UCCI to UCI: h2e2 -> h3e3.
std::string OneBased(Move move) {
  const std::string text = ToUcci(move);
  return text.substr(0, 1) + std::to_string(text[1] - '0' + 1) + text.substr(2, 1) +
         std::to_string(text[3] - '0' + 1);
}
// From UCI to UCCI.
std::optional<Move> FromOneBased(const std::string& text) {
  std::string ucci;
  for (size_t i = 0; i < text.size();) {
    ucci += text[i++];
    int rank = 0;
    while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0) {
      rank = rank * 10 + (text[i++] - '0');
    }
    ucci += std::to_string(rank - 1);
  }
  return MoveFromUcci(ucci);
}

class UciPlayer : public Player {
 public:
  UciPlayer(const std::string& command, Limits limits) : limits_(limits) {
    int to[2];
    int from[2];
    if (pipe(to) != 0 || pipe(from) != 0) std::exit(1);
    if (fork() == 0) {
      dup2(to[0], 0);
      dup2(from[1], 1);
      for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      std::_Exit(127);
    }
    close(to[0]);
    close(from[1]);
    out_ = fdopen(to[1], "w");
    in_ = fdopen(from[0], "r");
    Say("uci");
    Await("uciok");
    Say("setoption name UCI_Variant value xiangqi");
    Say("setoption name Hash value 16");
    Say("isready");
    Await("readyok");
  }
  ~UciPlayer() override {
    Say("quit");
    fclose(out_);
    fclose(in_);
  }
  void NewGame() override {
    Say("ucinewgame");
    Say("isready");
    Await("readyok");
  }
  Choice Choose(const std::string& start, const std::vector<Move>& moves,
                const Position& /*position*/) override {
    std::string line = "position fen " + start;
    if (!moves.empty()) line += " moves";
    for (const Move move : moves) line += " " + OneBased(move);
    Say(line);
    Say(limits_.ms > 0 ? "go movetime " + std::to_string(limits_.ms)
                       : "go nodes " + std::to_string(limits_.nodes));
    Choice choice;
    while (true) {
      std::istringstream words(Hear());
      std::string word;
      words >> word;
      if (word == "bestmove") {
        words >> word;
        if (const std::optional<Move> move = FromOneBased(word)) choice.move = *move;
        return choice;
      }
      while (words >> word) {
        if (word == "cp") words >> choice.value;
        if (word == "mate") {
          words >> choice.value;
          choice.value = choice.value > 0 ? MateIn(1) : MatedIn(0);
        }
      }
    }
  }

 private:
  void Say(const std::string& line) {
    fprintf(out_, "%s\n", line.c_str());
    fflush(out_);
  }
  std::string Hear() {
    char buffer[4096];
    if (fgets(buffer, sizeof buffer, in_) == nullptr) {
      std::cerr << "the engine has gone\n";
      std::exit(1);
    }
    std::string line = buffer;
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    return line;
  }
  void Await(const std::string& word) {
    while (Hear() != word) {
    }
  }

  Limits limits_;
  FILE* out_;
  FILE* in_;
};

// Red's score, 1, 0.5 or 0; `why` gets the reason.
double Play(const std::string& start, Player& red, Player& black, std::string& why, int& plies) {
  Position position = ParseFen(start)->position;
  std::vector<Move> moves;
  red.NewGame();
  black.NewGame();
  int decided = 0;
  Value last = 0;
  for (plies = 0; plies < kMaxPlies; ++plies) {
    const Color us = position.side_to_move();
    const double win = us == kRed ? 1 : 0;
    if (!position.HasLegalMove()) {
      why = "mate";
      return 1 - win;
    }
    const HistoryVerdict verdict =
        JudgeHistory(position, RepetitionRule::kCheck, kDecidingOccurrence);
    if (verdict.outcome != Repetition::kNone) {
      why = Name(verdict.reason);
      if (verdict.outcome == Repetition::kDraw) return 0.5;
      return verdict.outcome == Repetition::kWin ? win : 1 - win;
    }
    const Choice choice = (us == kRed ? red : black).Choose(start, moves, position);
    if (!position.IsLegal(choice.move)) {
      why = "illegal";
      return 1 - win;
    }
    const Value value = us == kRed ? choice.value : -choice.value;
    const bool same = (value > kDecided && last >= 0) || (value < -kDecided && last <= 0);
    decided = same ? decided + 1 : 0;
    last = value;
    if (decided >= kDecidedPlies) {
      why = "decided";
      return value > 0 ? 1 : 0;
    }
    Undo undo;
    position.Do(choice.move, undo);
    moves.push_back(choice.move);
  }
  why = "long";
  return 0.5;
}

std::vector<std::string> ReadStarts(const std::string& path) {
  std::vector<std::string> starts;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (ParseFen(line).ok()) starts.push_back(line);
  }
  return starts;
}

void Speed(int depth, const std::vector<std::string>& more) {
  std::vector<std::string> texts(BenchPositions().begin(), BenchPositions().end());
  texts.insert(texts.end(), more.begin(), more.end());
  for (int time = 0; time < 3; ++time) {
    Search<Xiangqi> search(kTableBytes);
    search.SetOptions(kDefaultOptions);
    uint64_t nodes = 0;
    double seconds = 0;
    for (const std::string& text : texts) {
      search.NewGame();
      SearchLimits limits;
      limits.depth = depth;
      const std::clock_t begin = std::clock();  // processor time: others may be at work
      const SearchResult result = search.Run(ParseFen(text)->position, limits);
      const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      if (&text == &texts[0]) {
        std::cout << "start position: " << result.nodes << " nodes, "
                  << static_cast<int64_t>(static_cast<double>(result.nodes) / took)
                  << " a second\n";
      }
      nodes += result.nodes;
      seconds += took;
    }
    std::cout << "all: " << nodes << " nodes, "
              << static_cast<int64_t>(static_cast<double>(nodes) / seconds) << " a second\n";
  }
}

bool SetFrom(const std::string& text, SearchOptions& options) {
  const size_t equals = text.find('=');
  const SearchOption* option = FindOption(SearchOptionTable(), text.substr(0, equals));
  return option != nullptr && equals != std::string::npos &&
         SetOption(*option, text.substr(equals + 1), options).ok();
}

int Run(int argc, char** argv) {
  std::string starts_path;
  std::string engine;
  int games = 40;
  int depth = 0;
  bool verbose = false;
  Limits limits;
  SearchOptions options = kDefaultOptions;
  SearchOptions other = kDefaultOptions;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--starts") starts_path = value;
    if (name == "--engine") engine = value;
    if (name == "--games") games = std::atoi(value.c_str());
    if (name == "--speed") depth = std::atoi(value.c_str());
    if (name == "--ms") limits.ms = std::atoi(value.c_str());
    if (name == "--nodes") limits.nodes = static_cast<uint64_t>(std::atoll(value.c_str()));
    if (name == "--verbose") verbose = value == "1";
    if ((name == "--set" && !SetFrom(value, options)) ||
        (name == "--other" && !SetFrom(value, other))) {
      std::cerr << "no such option: " << value << "\n";
      return 2;
    }
  }
  const std::vector<std::string> starts = ReadStarts(starts_path);
  if (depth > 0) {
    Speed(depth, starts);
    return 0;
  }
  if (starts.empty() || (limits.ms == 0 && limits.nodes == 0)) {
    std::cerr << "needs --starts, and --ms or --nodes\n";
    return 2;
  }
  OwnPlayer own(options, limits);
  std::unique_ptr<Player> opponent;
  if (engine.empty()) {
    opponent = std::make_unique<OwnPlayer>(other, limits);
  } else {
    opponent = std::make_unique<UciPlayer>(engine, limits);
  }
  double sum = 0;
  double squares = 0;
  int wins = 0;
  int draws = 0;
  for (int game = 0; game < games; ++game) {
    const size_t stride = std::max<size_t>(starts.size() / static_cast<size_t>(games), 1);
    const std::string& start = starts[static_cast<size_t>(game / 2) * 2 * stride % starts.size()];
    const bool red = game % 2 == 0;
    std::string why;
    int plies = 0;
    const double of_red =
        red ? Play(start, own, *opponent, why, plies) : Play(start, *opponent, own, why, plies);
    const double score = red ? of_red : 1 - of_red;
    sum += score;
    squares += score * score;
    wins += score == 1;
    draws += score == 0.5;
    if (verbose) {
      std::cout << game << (red ? " red " : " black ") << score << " " << why << " " << plies << " "
                << start << std::endl;
    }
  }
  const double mean = sum / games;
  const double deviation = std::sqrt(std::max(squares / games - mean * mean, 0.0) / games);
  std::cout << "+" << wins << " =" << draws << " -" << games - wins - draws << ": " << 100 * mean
            << " % +- " << 196 * deviation << std::endl;
  return 0;
}

}  // namespace
}  // namespace joseki::xiangqi

int main(int argc, char** argv) { return joseki::xiangqi::Run(argc, argv); }
