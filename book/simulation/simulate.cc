#include "book/simulation/simulate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "book/folding.h"
#include "book/simulation/each_book.h"
#include "book/tuning/line.h"
#include "book/tuning/prior_model.h"
#include "book/tuning/tuner.h"

namespace joseki::book {
namespace {

// Nodes by ply. Moves lead to positions of higher ply, so the reverse order visits each position
// after all that its moves lead to.
std::vector<NodeId> ByPly(const Graph& graph) {
  std::vector<NodeId> nodes(graph.node_count());
  for (NodeId node = 0; node < nodes.size(); ++node) nodes[node] = node;
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](NodeId a, NodeId b) { return graph.node(a).ply < graph.node(b).ply; });
  return nodes;
}

// The first side's score at the start if both sides play by `combine`, which gets a node and the
// scores of its moves.
template <typename Combine>
double ScoreAtStart(const World& world, Combine combine) {
  const Graph& graph = *world.graph;
  std::vector<double> score = world.score;
  const std::vector<NodeId> order = ByPly(graph);
  std::vector<double> moves;
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    if (graph.node(*node).count == 0) continue;
    moves.clear();
    for (const Graph::Edge& edge : graph.moves(*node)) moves.push_back(score[edge.to]);
    score[*node] = combine(*node, moves);
  }
  return score[world.start];
}

double Elo(double score) { return 400 * std::log10(score / (1 - score)); }

// The best of `moves` for `side`.
double Perfect(Color side, const std::vector<double>& moves) {
  return side == Color::kFirst ? *std::max_element(moves.begin(), moves.end())
                               : *std::min_element(moves.begin(), moves.end());
}

double ByFrequency(const World& world, NodeId node, const std::vector<double>& moves) {
  const EdgeId first = world.graph->node(node).first;
  double sum = 0;
  for (size_t i = 0; i < moves.size(); ++i) sum += world.shares[first + i] * moves[i];
  return sum;
}

// Game hashes are running numbers, by part: no two simulated games have the same moves.
constexpr uint64_t kGamesOfAPart = uint64_t{1} << 40;

// One run in one world, or one coordinator's part of it.
class Run {
 public:
  Run(const World& world, std::shared_ptr<const Policy> policy, const SimulationOptions& options,
      uint32_t part = 0)
      : world_(world),
        tuner_(world.graph, std::move(policy), world.priors),
        rules_{options.deviation, 0, options.settling},
        in_flight_(std::max(options.in_flight / std::max(options.parts, 1U), 1U)),
        keeps_games_(options.parts > 1),
        rng_(Rng(options.seed).Split(0x9a3e + uint64_t{part} * kGamesOfAPart)),
        hash_(part * kGamesOfAPart) {
    if (!options.estimate_priors) return;
    next_fit_ = SimulationOptions::kFirstFit;
    UseModel({});
  }

  struct Played {
    std::vector<EdgeId> edges;
    Ending ending;
    int stage = 0;
    uint64_t hash = 0;
  };

  // The games that this run played since the last call, for merging runs.
  std::vector<Played> TakePlayed() { return std::exchange(played_, {}); }
  // Credits games of another run.
  void Learn(std::span<const Played> games) {
    for (const Played& game : games) tuner_.Apply({game.edges, game.ending, game.stage, game.hash});
    if (next_fit_ > 0) Fit();
  }

  // Plays until `games` are finished; no game fails.
  void PlayTo(uint64_t games, bool drain) {
    while (done_ < games) {
      const bool full = flying_.size() >= in_flight_;
      if (full || (drain && done_ + flying_.size() >= games)) {
        Finish();
      } else {
        Start();
      }
    }
  }
  // Plays until `games` counted games of a stage are finished.
  void PlayStage(uint64_t games) {
    uint64_t counted = 0;
    while (counted < games) {
      if (flying_.size() >= in_flight_ || counted + flying_.size() >= games) {
        counted += Finish() ? 1 : 0;
      } else {
        Start();
      }
    }
    tuner_.Freeze();
    ++stage_;
  }

  std::vector<EdgeId> Answers() {
    tuner_.ComputeValues();
    std::vector<EdgeId> answers(world_.graph->node_count(), kNoEdge);
    for (NodeId node = 0; node < answers.size(); ++node) {
      if (world_.graph->node(node).count == 0) continue;
      answers[node] = world_.graph->node(node).first +
                      static_cast<EdgeId>(tuner_.policy().Answer(tuner_.choices(node)));
    }
    return answers;
  }

 private:
  struct Game {
    std::vector<EdgeId> edges;
    int stage = 0;
  };

  void Start() {
    // A line exists, because none is ever refused.
    Line line = *ChooseLine(tuner_, world_.start, stage_, rules_, rng_);
    tuner_.AddInFlight(line.edges);
    flying_.push_back({std::move(line.edges), stage_});
  }

  bool Finish() {
    std::swap(flying_[rng_.Below(flying_.size())], flying_.back());
    const Game game = std::move(flying_.back());
    flying_.pop_back();
    tuner_.RemoveInFlight(game.edges);
    const NodeId end = game.edges.empty() ? world_.start : world_.graph->edge(game.edges.back()).to;
    const double score = world_.score[end];
    const double draws = std::min({world_.draws, 2 * score, 2 * (1 - score)});
    const double chance = rng_.Unit();
    Ending ending{Result::kSecondWins, Termination::kResign};
    if (chance < score - draws / 2) {
      ending.result = Result::kFirstWins;
    } else if (chance < score + draws / 2) {
      ending = {Result::kDraw, Termination::kRepetition};
    }
    ++done_;
    const bool counts = tuner_.Apply({game.edges, ending, game.stage, ++hash_});
    if (keeps_games_) played_.push_back({game.edges, ending, game.stage, hash_});
    if (next_fit_ > 0 && done_ >= next_fit_) {
      next_fit_ *= 2;
      Fit();
    }
    return counts;
  }

  void Fit() {
    std::vector<JudgedMove> moves;
    for (EdgeId edge = 0; edge < tuner_.arms().size(); ++edge) {
      moves.push_back({world_.evaluations[edge], tuner_.arms()[edge].evidence});
    }
    UseModel(FitPriorModel(moves));
  }

  void UseModel(const PriorModel& model) {
    auto priors = std::make_shared<Priors>();
    for (const int centipawns : world_.evaluations) priors->push_back(PriorOf(centipawns, model));
    tuner_.SetPriors(std::move(priors));
  }

  const World& world_;
  Tuner tuner_;
  const LineRules rules_;
  const size_t in_flight_;
  const bool keeps_games_;
  Rng rng_;
  std::vector<Game> flying_;
  std::vector<Played> played_;
  uint64_t done_ = 0;
  uint64_t next_fit_ = 0;  // 0: never
  uint64_t hash_;
  int stage_ = 0;
};

// Several coordinators in one world. Each plays its share of the games and regularly receives the
// games of the others.
class Parts {
 public:
  Parts(const World& world, const std::shared_ptr<const Policy>& policy,
        const SimulationOptions& options)
      : merge_every_(options.merge_every), merged_(world, policy, options) {
    for (uint32_t part = 0; part < options.parts; ++part) {
      parts_.emplace_back(world, policy, options, part);
    }
    unknown_.resize(options.parts);
  }

  void PlayTo(uint64_t games, bool drain) {
    while (merge_every_ > 0 && next_merge() < games) {
      EachTo(next_merge(), false);
      Merge();
      ++merges_;
    }
    EachTo(games, drain);
  }

  std::vector<EdgeId> Answers() { return merged_.Answers(); }

 private:
  uint64_t next_merge() const { return (merges_ + 1) * merge_every_; }

  // Divides the games among the coordinators; the first ones take the remainder.
  void EachTo(uint64_t games, bool drain) {
    for (size_t part = 0; part < parts_.size(); ++part) {
      parts_[part].PlayTo((games + parts_.size() - 1 - part) / parts_.size(), drain);
      std::vector<Run::Played> played = parts_[part].TakePlayed();
      merged_.Learn(played);
      std::move(played.begin(), played.end(), std::back_inserter(unknown_[part]));
    }
  }

  void Merge() {
    for (size_t from = 0; from < parts_.size(); ++from) {
      for (size_t to = 0; to < parts_.size(); ++to) {
        if (from != to) parts_[to].Learn(unknown_[from]);
      }
      unknown_[from].clear();
    }
  }

  const uint64_t merge_every_;
  Run merged_;  // plays nothing; receives the games of all parts
  std::vector<Run> parts_;
  // By part: games of the others that it has not received yet.
  std::vector<std::vector<Run::Played>> unknown_;
  uint64_t merges_ = 0;
};

}  // namespace

Quality QualityOf(const World& world, std::span<const EdgeId> answers) {
  const Graph& graph = *world.graph;
  const auto answer = [&](NodeId node, const std::vector<double>& moves) {
    return moves[answers[node] - graph.node(node).first];
  };
  // Index 0: the book plays the first side.
  double by_frequency[2];
  double by_perfection[2];
  for (const Color side : {Color::kFirst, Color::kSecond}) {
    by_frequency[Index(side)] =
        ScoreAtStart(world, [&](NodeId node, const std::vector<double>& moves) {
          return graph.node(node).to_move == side ? answer(node, moves)
                                                  : ByFrequency(world, node, moves);
        });
    by_perfection[Index(side)] =
        ScoreAtStart(world, [&](NodeId node, const std::vector<double>& moves) {
          return graph.node(node).to_move == side ? answer(node, moves) : Perfect(~side, moves);
        });
  }
  return {Elo(0.5 * (by_frequency[0] + 1 - by_frequency[1])),
          0.5 * (by_perfection[1] - by_perfection[0])};
}

absl::StatusOr<std::vector<Quality>> Simulate(const World& world,
                                              const SimulationOptions& options) {
  std::vector<Quality> quality;
  ASSIGN_OR_RETURN(std::shared_ptr<const Policy> policy,
                   MakePolicy(options.policy, options.policy_options));
  if (AsksToFold(options.policy_options)) {
    return MakeProblem(
        {.code = "no_symmetry",
         .found = absl::StrCat(kFoldOption, "=yes"),
         .expected = "a game's rules to fold colours by, which a simulated world has not"});
  }
  if (options.parts > 1) {
    if (!policy->stages().empty()) {
      return MakeProblem(
          {.code = "staged_policy",
           .found = Quote(options.policy),
           .expected = "a policy without stages, where several runs share the games"});
    }
    Parts parts(world, policy, options);
    for (const uint64_t games : options.games) {
      parts.PlayTo(games, games == options.games.back());
      quality.push_back(QualityOf(world, parts.Answers()));
    }
    return quality;
  }
  if (policy->stages().empty()) {
    Run run(world, policy, options);
    for (const uint64_t games : options.games) {
      run.PlayTo(games, games == options.games.back());
      quality.push_back(QualityOf(world, run.Answers()));
    }
    return quality;
  }
  for (const uint64_t games : options.games) {
    auto with_total = options.policy_options;
    if (with_total.count("games") == 0) with_total["total_games"] = absl::StrCat(games);
    ASSIGN_OR_RETURN(policy, MakePolicy(options.policy, with_total));
    Run run(world, policy, options);
    uint64_t left = games;
    for (size_t stage = 0; left > 0; ++stage) {
      const size_t known = std::min(stage, policy->stages().size() - 1);
      const uint64_t now = std::min(left, policy->stages()[known].games);
      run.PlayStage(now);
      left -= now;
    }
    quality.push_back(QualityOf(world, run.Answers()));
  }
  return quality;
}

Mean MeanOf(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  Mean mean{sum / n, std::numeric_limits<double>::infinity()};
  if (n < 2) return mean;
  double squares = 0;
  for (const double value : values) squares += (value - mean.mean) * (value - mean.mean);
  mean.standard_error = std::sqrt(squares / (n - 1) / n);
  return mean;
}

absl::StatusOr<std::vector<Checkpoint>> SimulateBooks(const WorldOptions& world,
                                                      const SimulationOptions& options,
                                                      uint32_t books, uint32_t threads) {
  ASSIGN_OR_RETURN(const std::vector<std::vector<Quality>> results,
                   EachBook<std::vector<Quality>>(books, threads, [&](uint32_t book) {
                     SimulationOptions of_book = options;
                     of_book.seed = options.seed + book;
                     return Simulate(MakeWorld(world, of_book.seed), of_book);
                   }));

  std::vector<Checkpoint> checkpoints;
  for (size_t i = 0; i < options.games.size(); ++i) {
    std::vector<double> elos;
    std::vector<double> exploitabilities;
    for (const std::vector<Quality>& result : results) {
      elos.push_back(result[i].elo);
      exploitabilities.push_back(result[i].exploitability);
    }
    checkpoints.push_back({options.games[i], MeanOf(elos), MeanOf(exploitabilities)});
  }
  return checkpoints;
}

}  // namespace joseki::book
