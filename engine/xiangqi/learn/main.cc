// Learns the weights of xiangqi's evaluation from games:
//   joseki-xiangqi-learn GAMES.. --out FILE [--nodes N] [--results PERCENT] [--every PLIES]
//                        [--random MOVES] [--keep SAMPLES] [--rounds N] [--scale POINTS] [--hold X]
//   joseki-xiangqi-learn --samples SAMPLES --out FILE ..     fits saved samples
// GAMES: files of lines "startpos moves ..", each with a .meta.tsv beside it. --nodes searches each
// position with the built-in evaluation. The target is the game's result to --results percent, and
// the search's value otherwise.

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "engine/xiangqi/learn/fit.h"
#include "engine/xiangqi/learn/samples.h"
#include "engine/xiangqi/learn/weights_file.h"

namespace joseki::xiangqi {
namespace {

struct Arguments {
  std::vector<std::string> games;
  std::string out;
  std::string keep;
  std::string samples;
  Sampling sampling;
  FitOptions fit;
};

bool Read(int argc, char** argv, Arguments& arguments) {
  arguments.fit.result_part = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name.rfind("--", 0) != 0) {
      arguments.games.push_back(name);
      continue;
    }
    if (++i == argc) return false;
    if (name == "--out" || name == "--keep" || name == "--samples") {
      (name == "--out"    ? arguments.out
       : name == "--keep" ? arguments.keep
                          : arguments.samples) = argv[i];
      continue;
    }
    double number = 0;
    if (!absl::SimpleAtod(argv[i], &number) || number < 0) return false;
    if (name == "--nodes") {
      arguments.sampling.search_nodes = static_cast<uint64_t>(number);
    } else if (name == "--results") {
      arguments.fit.result_part = number / 100;
    } else if (name == "--every" && number >= 1) {
      arguments.sampling.every = static_cast<int>(number);
    } else if (name == "--random") {
      arguments.sampling.random_moves = static_cast<int>(number);
    } else if (name == "--rounds" && number >= 1) {
      arguments.fit.rounds = static_cast<int>(number);
    } else if (name == "--scale") {
      arguments.fit.scale = number;
    } else if (name == "--hold") {
      arguments.fit.hold = number;
    } else {
      return false;
    }
  }
  return arguments.games.empty() != arguments.samples.empty() && !arguments.out.empty();
}

int Run(int argc, char** argv) {
  Arguments arguments;
  if (!Read(argc, argv, arguments)) {
    std::cerr << "usage: joseki-xiangqi-learn GAMES.. --out FILE [--nodes N] [--results PERCENT] "
                 "[--every PLIES] [--random MOVES] [--rounds N] [--scale POINTS] [--hold X]\n";
    return 2;
  }
  std::vector<Sample> samples;
  for (const std::string& path : arguments.games) {
    const int first = samples.empty() ? 0 : samples.back().game + 1;
    const absl::StatusOr<std::vector<Sample>> more = ReadSamples(path, arguments.sampling, first);
    if (!more.ok()) {
      std::cerr << more.status().message() << "\n";
      return 1;
    }
    samples.insert(samples.end(), more->begin(), more->end());
    std::cerr << path << ": " << samples.size() << " positions so far\n";
  }
  if (!arguments.samples.empty()) {
    absl::StatusOr<std::vector<Sample>> kept = LoadSamples(arguments.samples);
    if (!kept.ok()) {
      std::cerr << kept.status().message() << "\n";
      return 1;
    }
    samples = *std::move(kept);
  }
  if (!arguments.keep.empty()) {
    if (const absl::Status status = WriteSamples(arguments.keep, samples); !status.ok()) {
      std::cerr << status.message() << "\n";
      return 1;
    }
  }
  const absl::StatusOr<FitResult> fit = Fit(samples, arguments.fit);
  if (!fit.ok()) {
    std::cerr << fit.status().message() << "\n";
    return 1;
  }
  std::cout << "trained " << fit->trained << " held_out " << fit->held_out << " scale "
            << fit->scale << "\nresults: material " << fit->loss_material << " learned "
            << fit->loss_learned << "\ntargets: material " << fit->target_material << " learned "
            << fit->target_learned << "\n";
  const bool searched = std::any_of(samples.begin(), samples.end(),
                                    [](const Sample& sample) { return sample.score.has_value(); });
  const std::string how =
      searched ? absl::StrCat("from searches of\n// positions of games and, in part (",
                              static_cast<int>(arguments.fit.result_part * 100),
                              " %), of the games' results.")
               : std::string("from the results of games.");
  if (const absl::Status status = WriteFileAtomically(arguments.out, WeightsText(*fit, how));
      !status.ok()) {
    std::cerr << status.message() << "\n";
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace joseki::xiangqi

int main(int argc, char** argv) { return joseki::xiangqi::Run(argc, argv); }
