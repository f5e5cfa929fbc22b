#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// Arguments of the commands joseki-engine learn play, train, ... The command moves is in
// engine/learn_moves_command.h.
struct LearnPlayArguments {
  std::vector<std::string> starts;  // files of positions, one on each line, as in USI's "position"
  std::string out;                  // samples; FILE.state is written beside it
  std::string weights;              // of the playing evaluation; empty: the plain evaluation
  std::vector<std::string> set;     // NAME=VALUE search options
  uint64_t games = 1000;            // total number of games in the file
  uint64_t nodes = 800;  // for each move; the actual number is random, 0.5 to 1.5 times this
  int random_plies = 6;
  uint64_t seed = 1;
  int threads = 1;
};
struct LearnTrainArguments {
  std::vector<std::string> samples;  // files of samples
  std::string out;    // weights; FILE.json, the record of the training, is written beside it
  std::string state;  // state of the training, for resuming
  std::string from;   // initial weights; empty: the plain evaluation
  int epochs = 6;
  int batch = 4096;
  double rate = 1e-3;
  double result_share = 0.15;
  double foresight = 0;
  int held_out = 40;  // one game in this many is held out
  uint64_t seed = 1;
  int threads = 1;
};
struct LearnAgreeArguments {
  std::vector<std::string> games;  // files of games, one on each line
  std::string weights;             // empty: the built-in weights
  bool plain = false;              // use the plain evaluation instead
  uint64_t nodes = 1000;           // for each position
};

struct LearnGatherArguments {
  std::vector<std::string> games;  // JSON files: a game on each line, or an object with "games"
  std::string out;                 // samples
};
struct LearnCombineArguments {
  std::vector<std::string> samples;
  std::string out;                  // the header to build the engine with
  uint64_t least_positions = 2000;  // minimum positions of a pair of pieces
  int most = 48;                    // maximum number of pairs
};

// Plays games of the engine against itself and appends their positions to a file, with the search's
// score and the game's result. The file depends only on the arguments, not on the number of
// threads. An interrupted command resumes where it stopped. FailedPrecondition "other_settings" if
// the file was begun with others.
absl::Status LearnPlay(const LearnPlayArguments& arguments, std::ostream& err);

// Trains weights from samples. After each pass it writes the weights, the state and the record. The
// record holds the files with their SHA-256, numbers of positions and games, and options. It also
// holds the losses of all passes on training games and on games held out, and the plain
// evaluation's loss on the latter. FailedPrecondition "other_settings" if the state is of other
// settings or samples.
absl::Status LearnTrain(const LearnTrainArguments& arguments, std::ostream& out);

// Makes samples from games that a coordinator has exported (`joseki games --json`, or an archive's
// lines). A sample is a position after the book's line that has a score, is not in check and is not
// decided. A faulty game is an error that names its place.
absl::Status LearnGather(const LearnGatherArguments& arguments, std::ostream& out);

// Searches samples for pairs of pieces whose joint value differs from the sum of their values.
// Writes the most significant as the table of the option Combination.
absl::Status LearnCombine(const LearnCombineArguments& arguments, std::ostream& out);

// Counts in how many positions of games a search of `nodes` nodes chooses the move played. Prints
// positions, agreements and their share.
absl::Status LearnAgree(const LearnAgreeArguments& arguments, std::ostream& out);

}  // namespace joseki
