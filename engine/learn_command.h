#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// joseki-engine learn: what the command lines of its three steps say.
struct LearnPlayArguments {
  std::vector<std::string> starts;  // files of positions, one a line, as USI's "position" has them
  std::string out;                  // samples; beside it FILE.state
  std::string weights;              // of the evaluation that plays; empty: the plain evaluation
  std::vector<std::string> set;     // NAME=VALUE of the search's options
  uint64_t games = 1000;            // that the file shall hold in the end
  uint64_t nodes = 800;             // a move, drawn between half and one and a half of it
  int random_plies = 6;
  uint64_t seed = 1;
  int threads = 1;
};
struct LearnTrainArguments {
  std::vector<std::string> samples;  // files of samples
  std::string out;                   // weights; beside it FILE.json, the record of how
  std::string state;                 // of the training, to go on with
  std::string from;                  // weights to begin with; empty: the plain evaluation
  int epochs = 6;
  int batch = 4096;
  double rate = 1e-3;
  double result_share = 0.15;
  double foresight = 0;
  int held_out = 40;  // of so many games one is kept apart
  uint64_t seed = 1;
  int threads = 1;
};
struct LearnAgreeArguments {
  std::vector<std::string> games;  // files of games, one a line
  std::string weights;             // empty: those built in
  bool plain = false;              // the plain evaluation instead
  uint64_t nodes = 1000;           // a position
};

struct LearnGatherArguments {
  std::vector<std::string> games;  // files of JSON: a game a line, or an object with "games"
  std::string out;                 // samples
};
struct LearnMovesArguments {
  std::vector<std::string> games;  // files of games, one a line
  std::string out;                 // weights
  std::string state;               // of the learning, to go on with
  int rounds = 30;
  int held_out = 10;  // of so many games one is kept apart
  double width = 60;  // points over which a move counts as better
  double penalty = 2e-5;
  int step = 16;  // of a weight, in eighths of a point, at first
  int threads = 1;
};
struct LearnCombineArguments {
  std::vector<std::string> samples;
  std::string out;                  // the header to build the engine with
  uint64_t least_positions = 2000;  // that a pair of pieces must be in
  int most = 48;                    // pairs
};

// Plays games of the engine against itself and appends their positions, with the search's score
// and the game's result, to a file. The same arguments give the same file with any number of
// threads; broken off, the same command goes on where it stopped.
absl::Status LearnPlay(const LearnPlayArguments& arguments, std::ostream& err);

// Trains weights from samples, and after each pass writes them, the state and the record: files
// with their SHA-256, positions and games used, options, losses on what was trained and on games
// held out whole, and there the loss of the plain evaluation.
absl::Status LearnTrain(const LearnTrainArguments& arguments, std::ostream& out);

// Makes samples of games that a coordinator has exported (`joseki games --json`, or an archive's
// lines): every position after the book's line that has a score, is not in check and is not
// decided. An unsound game is an error with its place.
absl::Status LearnGather(const LearnGatherArguments& arguments, std::ostream& out);

// Learns from the moves of games (engine/shogi/learn/bonanza.h) until nothing gets better, and
// writes weights and state after each round. Prints the objective and the agreement with the moves,
// on what is learned from and on games held out whole.
absl::Status LearnMoves(const LearnMovesArguments& arguments, std::ostream& out);

// Looks in samples for pairs of pieces that are worth more or less together than each alone, and
// writes the surest as the table of the option Combination.
absl::Status LearnCombine(const LearnCombineArguments& arguments, std::ostream& out);

// In how many positions of games a search of so many nodes chooses the move that was played.
// Prints positions, agreements and their share.
absl::Status LearnAgree(const LearnAgreeArguments& arguments, std::ostream& out);

}  // namespace joseki
