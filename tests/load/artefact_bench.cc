// Measures the distribution of a book to many nodes: the size of its snapshot, the bytes sent when
// a stage starts, the encoding time.
//
//   artefact_bench [--moves N] [--caches N] [--changed PERCENT,...] [--seed S]
//
// Random play makes a book of N moves. For each share of changed weights the delta is encoded, and
// as many caches as there are nodes fetch it into folders of their own. They use the coordinator's
// service and the worker's client over loopback.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/hash.h"
#include "base/rng.h"
#include "book/database/store.h"
#include "book/graph.h"
#include "book/weights_delta.h"
#include "coordinator/coordinator.h"
#include "coordinator/services/server.h"
#include "coordinator/store/run_store.h"
#include "engine/shogi/shogi_rules.h"
#include "worker/artefact_cache.h"
#include "worker/artefact_client.h"

namespace joseki {
namespace {

namespace fs = std::filesystem;

struct Flags {
  size_t moves = 1'000'000;
  int caches = 1000;
  std::vector<int> changed = {1, 10, 100};
  uint64_t seed = 1;
};

class Stopwatch {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

double ProcessorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Random games of up to 30 plies from the even start; half of the positions have a second move.
std::vector<book::GraphInput> MakeBook(size_t moves, Rng& rng) {
  std::map<PackedPosition, book::GraphInput> book;
  size_t count = 0;
  while (count < moves) {
    const auto state = shogi::ShogiRules().Start("startpos", MatchRules()).value();
    for (int ply = 1; ply <= 30 && count < moves && !state->ending(); ++ply) {
      const std::vector<Move> legal = state->LegalMoves();
      book::GraphInput& input = book[state->packed()];
      input.packed = state->packed();
      input.ply = ply;
      const Move played = legal[rng.Below(legal.size())];
      for (const Move move : {played, legal[rng.Below(legal.size())]}) {
        const auto same = [&](const book::GraphInput::Move& other) { return other.move == move; };
        if (std::any_of(input.moves.begin(), input.moves.end(), same)) continue;
        if (move != played && rng.Below(2) == 0) continue;
        input.moves.push_back({move, 1});
        ++count;
      }
      state->Play(played);
    }
  }
  std::vector<book::GraphInput> inputs;
  for (auto& [packed, input] : book) inputs.push_back(std::move(input));
  return inputs;
}

// Weights as after a stage of the result-driven rule: each changed weight moved by a few wins and
// losses of 4.
book::Weights AfterAStage(const book::Weights& before, int percent, Rng& rng) {
  book::Weights after = before;
  for (int64_t& weight : after) {
    if (rng.Below(100) >= static_cast<uint64_t>(percent)) continue;
    int64_t wins = 0;
    const uint64_t games = 1 + rng.Below(20);
    for (uint64_t game = 0; game < games; ++game) wins += rng.Below(2) == 0 ? 1 : -1;
    weight += 4000 * (wins == 0 ? 1 : wins);
  }
  return after;
}

// Bytes that all caches have got; -1 if one of them failed.
int64_t FetchAll(const std::string& folder, const std::string& address, const std::string& bytes,
                 int caches) {
  constexpr int kThreads = 8;
  const Sha256 wanted = Sha256Of(bytes);
  std::atomic<int> next = 0;
  std::atomic<int64_t> total = 0;
  std::atomic<bool> failed = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const auto client = worker::MakeArtefactClient(
          [&]() -> absl::StatusOr<std::string> { return address; }, "bench");
      for (int node = next++; node < caches && !failed; node = next++) {
        const std::string own = folder + "/node" + std::to_string(node);
        worker::ArtefactCache cache({.folder = own});
        const auto manifest = client->Manifest(wanted, {});
        const auto file =
            manifest.ok() ? cache.Get(*manifest, *client, [] {}, {})
                          : absl::StatusOr<std::shared_ptr<const MappedFile>>(manifest.status());
        if (!file.ok()) {
          std::cerr << file.status() << "\n";
          failed = true;
          return;
        }
        total += static_cast<int64_t>((*file)->bytes().size());
        fs::remove_all(own);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return failed ? -1 : total.load();
}

int Run(const Flags& flags) {
  Rng rng(flags.seed);
  const Rules& rules = shogi::ShogiRules();
  std::cout << std::fixed << std::setprecision(2);

  auto graph = book::Graph::Build(rules, MakeBook(flags.moves, rng));
  if (!graph.ok()) {
    std::cerr << graph.status() << "\n";
    return 1;
  }
  const std::string snapshot = graph->Serialize();
  const Stopwatch parse;
  const double parse_began = ProcessorSeconds();
  if (!book::Graph::Parse(rules, snapshot).ok()) return 1;
  const double parse_seconds = parse.Seconds();
  const double parse_processor = ProcessorSeconds() - parse_began;
  const double mb = 1e6;
  std::cout << "book: " << graph->node_count() << " positions, " << graph->edge_count()
            << " moves; snapshot " << static_cast<double>(snapshot.size()) / mb << " MB, read in "
            << parse_seconds << " s, " << parse_processor << " s of processor time\n";

  const fs::path folder =
      fs::temp_directory_path() / ("joseki-artefacts-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const auto coordinator =
      coordinator::Coordinator::Start({.db_path = folder / "book.sqlite"}, rules).value();
  const auto server =
      coordinator::Server::Start(
          {.listen = "127.0.0.1:0", .db_path = folder / "book.sqlite", .artefact_mb_per_second = 0},
          *coordinator, rules)
          .value();
  // A delta is sent as any artefact is: here it lies among the snapshots.
  const auto store = book::Store::Open(folder / "book.sqlite", book::OpenMode::kReadWrite).value();
  coordinator::RunStore rows(*store);
  book::Weights before(graph->edge_count());
  for (int64_t& weight : before) weight = 4000 * (static_cast<int64_t>(rng.Below(200)) - 100);
  const std::string whole = book::EncodeWeightsDelta({}, before, 0, 1);
  std::cout << "weights, whole: " << static_cast<double>(whole.size()) / mb << " MB\n";
  bool clean = true;
  for (const int percent : flags.changed) {
    const book::Weights after = AfterAStage(before, percent, rng);
    const Stopwatch encode;
    const std::string delta = book::EncodeWeightsDelta(before, after, 1, 2);
    const double encode_seconds = encode.Seconds();
    const Stopwatch apply;
    const auto applied =
        book::ApplyWeightsDelta(before, delta, static_cast<uint32_t>(graph->edge_count()));
    const double apply_seconds = apply.Seconds();
    clean &= applied.ok() && *applied == after;
    clean &= rows.runs().InsertSnapshot(Sha256Of(delta), delta, "").ok();
    const Stopwatch fetch;
    const int64_t sent = FetchAll(folder, server->address(), delta, flags.caches);
    clean &= sent >= 0;
    std::cout << percent << " % of the weights changed: delta "
              << static_cast<double>(delta.size()) / mb << " MB (" << encode_seconds
              << " s to encode, " << apply_seconds << " s to apply); " << flags.caches
              << " caches: " << static_cast<double>(sent) / mb << " MB left the coordinator in "
              << fetch.Seconds() << " s" << std::endl;
  }
  fs::remove_all(folder);
  return clean ? 0 : 1;
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Measures what books and weights cost the coordinator's network.", "artefact_bench");
  app.add_option("--moves", flags.moves, "book moves")->capture_default_str();
  app.add_option("--caches", flags.caches, "nodes that fetch")->capture_default_str();
  app.add_option("--changed", flags.changed, "percent of the weights")->delimiter(',');
  app.add_option("--seed", flags.seed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return Run(flags);
}

}  // namespace
}  // namespace joseki

int main(int argc, char** argv) { return joseki::Main(argc, argv); }
