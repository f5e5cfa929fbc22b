// Measures how long a large run holds the coordinator's mutex.
//
//   run_state_bench [--moves N] [--games N] [--open N] [--policy P] [--repeats N] [--priors]
//                   [--stop-rules] [--stages]
//
// Makes a book of N moves and, in memory, a run with re-entry on it. The book is a tree without a
// game, so that only the tables are measured. Games arrive, versions of the weights are made, and
// recomputed evidence is adopted. --priors: every position is searched, and the priors are
// recomputed after the games of each repeat. --stop-rules: the rules that end a run examine every
// game. --stages: a stage of a staged policy ends after the games. Prints, for each action under
// the coordinator's mutex, its count, median and longest time. Exit status 1 if anything took
// longer than --most-ms (0: no limit).

#include <time.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "book/graph.h"
#include "book/reentry.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/evaluations.h"
#include "coordinator/runs/prior_making.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_state.h"

namespace joseki::coordinator {
namespace {

constexpr uint64_t kGames = 32;                // that are credited at once
constexpr book::NodeId kWeighedAtOnce = 4096;  // as the coordinator does

struct Flags {
  uint32_t moves = 1'000'000;
  uint64_t games = 20'000;
  uint32_t open = 10'000;
  std::string policy = "sample-average";
  int repeats = 3;
  double most_ms = 0;
  bool priors = false;
  bool stop_rules = false;
  bool stages = false;
};

// Rules of the tree; evaluations only ask where a move leads.
class TreeRules final : public Rules {
 public:
  static PackedPosition PackedOf(uint32_t node) {
    PackedPosition packed;
    for (uint32_t i = 0; i < 4; ++i) packed.bytes[i] = static_cast<uint8_t>(node >> (8 * i));
    return packed;
  }

  std::string_view game() const override { return "tree"; }
  absl::StatusOr<std::unique_ptr<GameState>> Start(std::string_view,
                                                   const MatchRules&) const override {
    return absl::UnimplementedError("no games");
  }
  absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition&,
                                                   const MatchRules&) const override {
    return absl::UnimplementedError("no games");
  }
  absl::Status Expand(const PackedPosition& position, std::span<const Move> moves,
                      Expansion& expansion) const override {
    uint32_t node = 0;
    for (uint32_t i = 0; i < 4; ++i) node |= uint32_t{position.bytes[i]} << (8 * i);
    expansion.children.clear();
    for (uint32_t child = 0; child < moves.size(); ++child) {
      const uint32_t to = 2 * node + 1 + child;
      expansion.children.push_back(Expansion::Child{{.hi = 0, .lo = to + 1}, PackedOf(to)});
    }
    return absl::OkStatus();
  }
  std::string Text(const PackedPosition&, int) const override { return ""; }
  std::string Text(Move) const override { return ""; }
  std::optional<Move> MoveOf(std::string_view) const override { return std::nullopt; }
};

// A tree: two moves at each position, to the two positions below it.
std::shared_ptr<const book::Graph> MakeTree(uint32_t moves) {
  const uint32_t count = moves / 2;
  std::vector<book::Graph::Node> nodes(count);
  std::vector<book::Graph::Edge> edges;
  edges.reserve(2 * size_t{count});
  for (uint32_t node = 0; node < count; ++node) {
    nodes[node].key.lo = node + 1;
    nodes[node].packed = TreeRules::PackedOf(node);
    nodes[node].first = 2 * node;
    nodes[node].count = 2;
    // The depth's parity.
    uint32_t depth = 0;
    for (uint32_t at = node; at != 0; at = (at - 1) / 2) ++depth;
    nodes[node].to_move = depth % 2 == 0 ? Color::kFirst : Color::kSecond;
    for (uint32_t child = 0; child < 2; ++child) {
      book::Graph::Edge edge;
      edge.move = Move::Board(0, static_cast<int>(child) + 1);
      edge.mover = nodes[node].to_move;
      edge.from = node;
      const uint64_t to = 2 * uint64_t{node} + 1 + child;
      if (to < count) edge.to = static_cast<book::NodeId>(to);
      edges.push_back(edge);
    }
  }
  return std::make_shared<const book::Graph>(
      book::Graph::OfParts(std::move(nodes), std::move(edges)));
}

// Processor time of this thread: what others do on the machine is not counted.
double ThreadMs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

class Times {
 public:
  template <typename Do>
  auto Of(const char* what, Do&& does) {
    struct Watch {
      std::vector<double>& ms;
      double began = ThreadMs();
      ~Watch() { ms.push_back(ThreadMs() - began); }
    } const watch{ms_[what]};
    return does();
  }
  // The longest.
  double Print() {
    double longest = 0;
    for (auto& [what, ms] : ms_) {
      std::sort(ms.begin(), ms.end());
      std::cout << absl::StreamFormat("%-28s %7d times, median %8.3f ms, longest %8.3f ms\n", what,
                                      ms.size(), ms[ms.size() / 2], ms.back());
      if (what.front() != '(') longest = std::max(longest, ms.back());
    }
    return longest;
  }

 private:
  std::map<std::string, std::vector<double>> ms_;
};

class Bench {
 public:
  explicit Bench(const Flags& flags) : flags_(flags), graph_(MakeTree(flags.moves)) {
    spec_.name = "bench";
    spec_.policy = flags.policy;
    if (flags.stages) spec_.policy_options["games"] = absl::StrCat(flags.games);
    if (flags.stop_rules) {
      spec_.stop.settling.error = 0.05;
      spec_.stop.least_gain = 1e-12;
      spec_.stop.least_change = 1e-12;
    }
    if (flags.priors) spec_.priors.nodes = 1000;
    spec_.games = uint64_t{1} << 40;
    spec_.deviation = 0.008;
    spec_.seed = 1;
    spec_.play.re_entry = true;
    spec_.play.re_entry_games = static_cast<uint32_t>(flags.games);
    LoadedRun loaded;
    loaded.row.run = 1;
    loaded.row.spec = spec_;
    loaded.graph = graph_;
    policy_ = PolicyOf(spec_).value();
    loaded.policy = policy_;
    loaded.tuner = std::make_unique<book::Tuner>(graph_, policy_);
    if (flags.priors) {
      constexpr int kPlies = 64;  // all of the tree
      constexpr int kAttempts = 3;
      loaded.evaluations = std::make_shared<Evaluations>(
          Evaluations::Make(TreeRules(), graph_, 0, kPlies, spec_.priors, kAttempts).value());
    }
    state_.emplace(std::move(loaded), 0, RunState::Options{});
  }

  double Run() {
    for (int repeat = 0; repeat < flags_.repeats; ++repeat) {
      Copy();
      PlayGames();
      times_.Of("a version of the weights", [&] { return state_->Advance(); });
      state_->TakeNewRows();
      Copy();
      if (flags_.priors) SearchAndMakePriors();
      if (!flags_.stages) TakeOver();
      Copy();
      UnwrittenChanges::Taken changes =
          times_.Of("begin of a checkpoint", [&] { return state_->evidence().TakeChanges(); });
      const size_t slice = std::min<size_t>(1000, changes.edges.size());
      std::vector<EvidenceRow> rows;
      rows.reserve(slice);
      times_.Of("1,000 rows of a checkpoint", [&] {
        for (size_t i = 0; i < slice; ++i)
          rows.push_back(state_->evidence().RowOf(changes.edges[i]));
      });
    }
    return times_.Print();
  }

 private:
  void Copy() {
    const auto of =
        times_.Of("asking for a copy", [&] { return state_->evidence().weights().WantsCopy(); });
    if (of == nullptr) return;
    book::Weights copy = times_.Of("(without it: a copy)", [&] { return *of; });
    times_.Of("giving a copy", [&] { state_->evidence().weights().GiveCopy(of, std::move(copy)); });
  }

  void SearchAndMakePriors() {
    SlotKinds all;
    all.Add(SlotKind::kEvaluation);
    for (uint32_t i = 0; i < flags_.moves / 4; i += 128) {
      std::vector<PlannedSlot> slots =
          times_.Of("128 slots", [&] { return state_->Plan(++lease_, 128, all); });
      times_.Of("128 evaluations", [&] {
        for (const PlannedSlot& plan : slots) {
          if (plan.slot.kind != SlotKind::kEvaluation) continue;
          const uint64_t seq = ++evaluation_seq_;
          state_->searches().Add(plan, true,
                                 {.seq = seq,
                                  .score = static_cast<int16_t>(seq % 400),
                                  .older = false,
                                  .worker = "w",
                                  .lease = lease_});
        }
      });
      for (PlannedSlot& plan : slots) {
        if (plan.slot.kind == SlotKind::kGame) open_.push_back(std::move(plan));
      }
    }
    if (!times_.Of("asking for priors", [&] { return state_->PriorsAreDue(); })) return;
    PriorMaking making =
        times_.Of("begin of priors", [&] { return state_->priors().Begin(state_->book()); });
    making.Reserve();
    const auto in_pieces = [&](const char* what, auto piece) {
      while (times_.Of(what, piece) == Progress::kMore) {
      }
    };
    in_pieces("a piece of copying",
              [&] { return state_->priors().Copy(state_->evidence(), making); });
    times_.Of("(without it: priors)", [&] { making.Work(); });
    in_pieces("a piece of new priors",
              [&] { return state_->priors().Adopt(state_->evidence(), making); });
    for (bool more = true; more;) {
      more = times_.Of("a piece of weighing",
                       [&] { return state_->evidence().weights().WeighSome(kWeighedAtOnce); });
    }
    state_->TakeNewRows();
  }

  GameRow RowOf(const PlannedSlot& plan) {
    GameRow row;
    row.run = 1;
    row.lease = lease_;
    row.slot = plan.slot.slot;
    row.commit_seq = ++commit_seq_;
    row.worker = "w";
    row.moves = plan.slot.line;
    row.book_plies = static_cast<uint32_t>(plan.slot.line.size());
    row.moves_hash = commit_seq_ * 0x9e3779b97f4a7c15u;
    row.ending = {commit_seq_ % 3 == 0 ? Result::kSecondWins : Result::kFirstWins,
                  Termination::kNoLegalMove};
    return row;
  }

  void PlayGames() {
    while (open_.size() < flags_.open && Grant()) {
    }
    for (uint64_t game = 0; game < flags_.games && !open_.empty(); game += kGames) {
      std::vector<std::pair<GameRow, PlannedSlot>> batch;
      for (uint64_t i = 0; i < kGames && !open_.empty(); ++i) {
        batch.emplace_back(RowOf(open_.front()), std::move(open_.front()));
        open_.pop_front();
      }
      times_.Of("32 games", [&] {
        for (const auto& [row, plan] : batch) state_->Credit(row, plan, true);
      });
      for (auto& [row, plan] : batch) played_.push_back(std::move(row));
      if (open_.size() + 128 <= flags_.open) Grant();
    }
  }

  // False where nothing is left of the stage.
  bool Grant() {
    std::vector<PlannedSlot> slots =
        times_.Of("128 slots", [&] { return state_->Plan(++lease_, 128); });
    for (PlannedSlot& plan : slots) open_.push_back(std::move(plan));
    return !slots.empty();
  }

  void TakeOver() {
    RebuiltRun rebuilt;
    rebuilt.point = times_.Of("begin of a rebuilding", [&] { return state_->BeginRebuild({}); });
    auto tuner = std::make_unique<book::Tuner>(graph_, policy_);
    RunCounters counters;
    for (const GameRow& row : played_) {
      Count(*policy_, row, false, counters);
      tuner->Apply({book::EdgesOf(*graph_, 0, row.moves), row.ending, 0, row.moves_hash});
    }
    tuner->ComputeValues();
    rebuilt.evidence = std::make_unique<RunEvidence>(std::move(tuner), std::move(counters), Trust(),
                                                     rebuilt.point.row);
    times_.Of("(without it: all weights)", [&] { rebuilt.evidence->weights().Weigh(); });
    rebuilt.commit_seq = commit_seq_;
    PlayGames();
    for (auto adoption = Progress::kMore; adoption == Progress::kMore;) {
      adoption = times_.Of("a piece of taking over", [&] { return state_->Adopt(rebuilt); });
    }
    state_->TakeNewRows();
  }

  const Flags flags_;
  const std::shared_ptr<const book::Graph> graph_;
  RunSpec spec_;
  std::shared_ptr<const book::Policy> policy_;
  std::optional<RunState> state_;
  uint64_t commit_seq_ = 0;
  uint64_t evaluation_seq_ = 0;
  LeaseId lease_ = 0;
  std::deque<PlannedSlot> open_;
  std::vector<GameRow> played_;
  Times times_;
};

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Measures how long a run keeps the coordinator's tables to itself.",
               "run_state_bench");
  app.add_option("--moves", flags.moves, "of the book")->check(CLI::Range(100, 100'000'000));
  app.add_option("--games", flags.games, "between two versions of the weights");
  app.add_option("--open", flags.open, "slots in flight");
  app.add_option("--policy", flags.policy);
  app.add_option("--repeats", flags.repeats);
  app.add_option("--most-ms", flags.most_ms);
  app.add_flag("--priors", flags.priors, "with a policy that uses them");
  app.add_flag("--stop-rules", flags.stop_rules);
  app.add_flag("--stages", flags.stages, "of --games games, with a policy that has stages");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const double longest = Bench(flags).Run();
  return flags.most_ms > 0 && longest > flags.most_ms ? 1 : 0;
}

}  // namespace
}  // namespace joseki::coordinator

int main(int argc, char** argv) { return joseki::coordinator::Main(argc, argv); }
