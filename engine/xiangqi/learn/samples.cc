#include "engine/xiangqi/learn/samples.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "engine/search/xiangqi/default_options.h"
#include "engine/search/xiangqi/game.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"

namespace joseki::xiangqi {
namespace {

constexpr size_t kTableBytes = size_t{4} << 20;
constexpr int kDeepest = 24;  // maximum plies of captures

// The line of best captures from a position, while each improves on standing pat.
struct Line {
  Value value = 0;
  std::vector<Move> moves;
};

Line Quieten(Position& position, Evaluator& evaluator, Value alpha, Value beta, int ply) {
  Line best;
  const bool in_check = position.InCheck();
  best.value = in_check ? MatedIn(ply) : evaluator.Evaluate(position);
  if (ply >= kDeepest || best.value >= beta) return best;
  alpha = std::max(alpha, best.value);
  MoveList moves;
  position.Generate<GenType::kCaptures>(moves);
  std::stable_sort(moves.begin(), moves.end(), [&](Move a, Move b) {
    return Xiangqi::OrderValue(position, a) > Xiangqi::OrderValue(position, b);
  });
  for (const Move move : moves) {
    if (!in_check && !SeeAtLeast(position, move, 0)) continue;
    Undo undo;
    position.Do(move, undo);
    Line line = Quieten(position, evaluator, -beta, -alpha, ply + 1);
    position.TakeBack(move, undo);
    if (-line.value <= best.value) continue;
    best.value = -line.value;
    best.moves = std::move(line.moves);
    best.moves.insert(best.moves.begin(), move);
    alpha = std::max(alpha, best.value);
    if (alpha >= beta) break;
  }
  return best;
}

// By line number, from 1; games without a result are missing.
absl::StatusOr<std::map<int, double>> ReadResults(const std::string& path) {
  std::map<int, double> results;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);  // the header
  for (int row = 2; std::getline(in, line); ++row) {
    std::istringstream fields(line);
    std::string number;
    std::string result;
    std::getline(fields, number, '\t');
    std::getline(fields, result, '\t');
    int game = 0;
    if (!absl::SimpleAtoi(number, &game) || game < 1) {
      return MakeProblem({.code = "bad_results",
                          .file = path,
                          .line = row,
                          .found = Quote(number),
                          .expected = "the number of a game, from 1"});
    }
    if (result == "1-0") results[game] = 1;
    if (result == "0-1") results[game] = 0;
    if (result == "1/2-1/2") results[game] = 0.5;
  }
  return results;
}

class Sampler {
 public:
  explicit Sampler(const Sampling& sampling) : sampling_(sampling), search_(kTableBytes) {
    search_.SetOptions(kDefaultOptions);
  }

  // Returns false if the line is not a game.
  bool Take(const std::string& line, int game, double result, std::vector<Sample>& out) {
    std::istringstream words(line);
    std::string word;
    words >> word >> word;
    Position position;
    Rng rng(static_cast<uint64_t>(game) + 1);
    const int offset = static_cast<int>(rng.Next() % static_cast<uint64_t>(sampling_.every));
    for (int ply = 0; words >> word; ++ply) {
      if (ply >= sampling_.first_ply && (ply + offset) % sampling_.every == 0) {
        TakePosition(position, game, result, rng, out);
      }
      const absl::StatusOr<Move> move = ParseMove(position, word);
      if (!move.ok()) return false;
      Undo undo;
      position.Do(*move, undo);
    }
    return true;
  }

 private:
  void TakePosition(const Position& from, int game, double result, Rng& rng,
                    std::vector<Sample>& out) {
    Position position = from;
    Undo undo;
    int random = 0;
    if (sampling_.random_moves > 0 && rng.Next() % 2 == 0) {
      random = 1 + static_cast<int>(rng.Next() % static_cast<uint64_t>(sampling_.random_moves));
    }
    for (int i = 0; i < random; ++i) {
      MoveList moves;
      position.Generate<GenType::kAll>(moves);
      if (moves.empty()) return;
      position.Do(moves[static_cast<int>(rng.Next() % static_cast<uint64_t>(moves.size()))], undo);
    }
    const Line line = Quieten(position, evaluator_, -kValueInfinite, kValueInfinite, 0);
    if (IsMate(line.value)) return;
    for (const Move move : line.moves) position.Do(move, undo);
    if (position.InCheck() || !position.HasLegalMove()) return;
    Sample sample{.position = Pack(position), .game = game, .result = {}, .score = {}};
    if (random == 0) sample.result = result;
    if (sampling_.search_nodes > 0) {
      SearchLimits limits;
      limits.nodes = sampling_.search_nodes;
      const Value value = search_.Run(position, limits).value;
      sample.score = position.side_to_move() == kRed ? value : -value;
    }
    if (sample.result || sample.score) out.push_back(sample);
  }

  Sampling sampling_;
  Evaluator evaluator_;
  Search<Xiangqi> search_;
};

}  // namespace

absl::StatusOr<std::vector<Sample>> ReadSamples(const std::string& path, const Sampling& sampling,
                                                int first_game) {
  const size_t dot = path.rfind('.');
  ASSIGN_OR_RETURN(const auto results, ReadResults(path.substr(0, dot) + ".meta.tsv"));
  std::ifstream in(path);
  if (!in || results.empty()) {
    return absl::NotFoundError(absl::StrCat("no games or no results: ", path));
  }
  std::vector<Sample> samples;
  Sampler sampler(sampling);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto result = results.find(number);
    if (result == results.end()) continue;
    if (!sampler.Take(line, first_game + number, result->second, samples)) {
      return absl::InvalidArgumentError(absl::StrCat(path, ":", number, ": not a legal game"));
    }
  }
  return samples;
}

absl::Status WriteSamples(const std::string& path, const std::vector<Sample>& samples) {
  std::ofstream out(path);
  const auto number = [&](std::optional<double> value) {
    if (value) {
      out << '\t' << *value;
    } else {
      out << "\t-";
    }
  };
  for (const Sample& sample : samples) {
    const absl::StatusOr<Position> position = Unpack(sample.position);
    if (!position.ok()) return position.status();
    out << ToFen(*position, 1) << '\t' << sample.game;
    number(sample.result);
    number(sample.score);
    out << '\n';
  }
  out.close();
  return out ? absl::OkStatus() : absl::DataLossError(absl::StrCat("cannot write ", path));
}

absl::StatusOr<std::vector<Sample>> LoadSamples(const std::string& path) {
  std::ifstream in(path);
  if (!in) return absl::NotFoundError(absl::StrCat("no samples: ", path));
  std::vector<Sample> samples;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> fields = absl::StrSplit(line, '\t');
    const auto wrong = [&] {
      return absl::InvalidArgumentError(absl::StrCat(path, ": not a sample: ", line));
    };
    if (fields.size() != 4) return wrong();
    const absl::StatusOr<FenPosition> position = ParseFen(fields[0]);
    if (!position.ok()) return position.status();
    Sample sample{.position = Pack(position->position), .game = 0, .result = {}, .score = {}};
    if (!absl::SimpleAtoi(fields[1], &sample.game)) return wrong();
    // "-": none.
    for (const auto& [field, value] :
         {std::pair(&fields[2], &sample.result), std::pair(&fields[3], &sample.score)}) {
      double number = 0;
      if (*field == "-") continue;
      if (!absl::SimpleAtod(*field, &number) || !std::isfinite(number)) return wrong();
      *value = number;
    }
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace joseki::xiangqi
