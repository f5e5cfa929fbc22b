// Measures the intake of a game without gRPC, for profiles and instruction counts.
//
//   intake_benchmark replay|sqlite|coordinator [--games N] [--games-per-call K] [--batch-games B]
//                                              [--folder DIR]
//
//   replay       only the rules' replay and the check of each game
//   sqlite       only the rows of the games, B in a commit: the ceiling of the storage
//   coordinator  leases, replay, commit and evidence, K games a call, 64 calls waiting at a time;
//                --batch-games 1 commits every call by itself
//
// Prints games a second and microseconds of processor time a game. Every mode uses the games of
// `joseki loadgen`.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <iostream>
#include <mutex>

#include "CLI/CLI.hpp"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "base/status_macros.h"
#include "book/database/importer.h"
#include "cli/load/payload.h"
#include "coordinator/coordinator.h"
#include "coordinator/runs/game_replay.h"
#include "coordinator/store/run_store.h"
#include "engine/shogi/shogi_rules.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kWaiting = 64;  // concurrent calls, one for each simulated worker

struct Flags {
  std::string mode;
  size_t games = 20'000;
  size_t games_per_call = 32;
  size_t batch_games = 4096;
  size_t lines = 6000;
  std::string folder;
};

double CpuSeconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return absl::ToDoubleSeconds(absl::DurationFromTimeval(use.ru_utime) +
                               absl::DurationFromTimeval(use.ru_stime));
}

class Meter {
 public:
  Meter() : began_(absl::Now()), cpu_(CpuSeconds()) {}
  void Print(const Flags& flags, size_t games) const {
    const double seconds = absl::ToDoubleSeconds(absl::Now() - began_);
    const auto count = static_cast<double>(games);
    std::cout << absl::StreamFormat("%s: %.0f games/s, %.2f us of processor time a game\n",
                                    flags.mode, count / seconds,
                                    (CpuSeconds() - cpu_) / count * 1e6);
  }

 private:
  absl::Time began_;
  double cpu_;
};

SubmittedGame Played(cli::LoadPayload& payload, RunId run, LeaseId lease, const Slot& slot) {
  const cli::LoadPayload::Game* game = payload.Take(slot.start, slot.line, slot.seed);
  SubmittedGame sent;
  sent.run = run;
  sent.lease = lease;
  sent.slot = slot.slot;
  sent.moves = game->moves;
  sent.claim = game->ending;
  sent.nodes = 100'000;
  return sent;
}

absl::Status Replay(const Flags& flags, const Rules& rules, const MatchRules& match,
                    const std::vector<SubmittedGame>& games) {
  Slot slot;
  slot.start = "startpos";
  const Meter meter;
  for (size_t i = 0; i < flags.games; ++i) {
    const SubmittedGame& game = games[i % games.size()];
    slot.line.assign(game.moves.begin(), game.moves.begin() + 24);
    RETURN_IF_ERROR(CheckGame(rules, match, slot, game).status());
  }
  meter.Print(flags, flags.games);
  return absl::OkStatus();
}

absl::Status StoreGames(const Flags& flags, const std::string& path,
                        const std::vector<SubmittedGame>& games) {
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(path, book::OpenMode::kCreate));
  RunStore rows(*store);
  GameRow row;
  row.run = 1;
  row.worker = "load-1";
  row.book_plies = 24;
  const Meter meter;
  for (size_t i = 0; i < flags.games; ++i) {
    const SubmittedGame& game = games[i % games.size()];
    row.lease = 1 + i / 256;
    row.slot = i % 256;
    row.commit_seq = i + 1;
    row.payload_hash = row.moves_hash = (i + 1) * 0x9e3779b97f4a7c15u;
    row.ending = game.claim;
    row.moves = game.moves;
    if (i % flags.batch_games == 0) RETURN_IF_ERROR(rows.Begin());
    RETURN_IF_ERROR(rows.games().Insert(row).status());
    if ((i + 1) % flags.batch_games == 0 || i + 1 == flags.games) RETURN_IF_ERROR(rows.Commit());
  }
  meter.Print(flags, flags.games);
  return absl::OkStatus();
}

// Waits for replies.
class Count {
 public:
  void Add(size_t count) {
    const std::lock_guard lock(mutex_);
    done_ += count;
    changed_.notify_all();
  }
  void Await(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t done_ = 0;
};

absl::Status Coordinate(const Flags& flags, const Rules& rules, const MatchRules& match,
                        const std::string& path, cli::LoadPayload& payload) {
  {
    book::Importer importer(rules, {.plies = 24});
    importer.AddBytes("load", payload.BookText());
    ASSIGN_OR_RETURN(const auto store, book::Store::Open(path, book::OpenMode::kCreate));
    RETURN_IF_ERROR(importer.Commit(*store, "load").status());
  }
  Coordinator::Options options;
  options.db_path = path;
  options.slots_per_lease = 256;
  options.batch_games = flags.batch_games;
  ASSIGN_OR_RETURN(const auto coordinator, Coordinator::Start(options, rules));
  RunSpec spec;
  spec.play.engine_id = "load";
  spec.play.match = match;
  spec.policy = "epsilon-greedy";
  spec.policy_options["epsilon"] = "1";
  spec.deviation = 0;
  RETURN_IF_ERROR(coordinator->operators().CreateRun(spec, "").status());
  Count count;
  JoinOutput session;
  JoinInput join;
  join.worker = "load-1";
  join.protocol = kProtocol;
  join.seats = 1024;
  join.engines = {{.id = "load"}};
  coordinator->workers().Join(join, [&](absl::StatusOr<JoinOutput> reply) {
    session = reply.value();
    count.Add(1);
  });
  count.Await(1);

  const Meter meter;
  size_t answered = 1;
  size_t sent = 0;
  absl::Status failure;
  while (sent < flags.games) {
    std::vector<Lease> leases;
    coordinator->workers().Acquire({.session = session.session, .want_slots = 1024},
                                   [&](absl::StatusOr<AcquireOutput> reply) {
                                     leases = reply.value().leases;
                                     count.Add(1);
                                   });
    count.Await(++answered);
    std::vector<SubmittedGame> ready;
    for (const Lease& lease : leases) {
      for (const Slot& slot : lease.slots) {
        ready.push_back(Played(payload, lease.run, lease.lease, slot));
      }
    }
    size_t waiting = 0;
    for (size_t i = 0; i < ready.size(); i += flags.games_per_call) {
      SubmitInput input;
      input.work.session = session.session;
      input.epoch = session.epoch;
      for (size_t k = i; k < std::min(i + flags.games_per_call, ready.size()); ++k) {
        input.games.push_back(std::move(ready[k]));
      }
      coordinator->workers().Submit(std::move(input),
                                    [&](const absl::StatusOr<SubmitOutput>& output) {
                                      for (const GameVerdict& verdict : output.value().verdicts) {
                                        if (verdict.verdict == Verdict::kAccepted) continue;
                                        failure = absl::InternalError(verdict.reason);
                                      }
                                      count.Add(1);
                                    });
      ++answered;
      if (++waiting % kWaiting == 0) count.Await(answered - kWaiting / 2);
    }
    count.Await(answered);
    RETURN_IF_ERROR(failure);
    sent += ready.size();
  }
  meter.Print(flags, sent);
  return absl::OkStatus();
}

absl::Status Run(const Flags& flags) {
  const Rules& rules = shogi::ShogiRules();
  cli::LoadPayload::Options options;
  options.lines = flags.lines;
  options.match.max_plies = 110;
  cli::LoadPayload payload(rules, options);
  payload.DrawBook();
  payload.Prepare(2);
  std::vector<SubmittedGame> games;
  for (const std::vector<Move>& line : payload.book()) {
    Slot slot;
    slot.start = "startpos";
    slot.line = line;
    games.push_back(Played(payload, 1, 1, slot));
  }
  if (flags.mode == "replay") return Replay(flags, rules, options.match, games);
  const std::filesystem::path folder = flags.folder.empty() ? std::filesystem::temp_directory_path()
                                                            : std::filesystem::path(flags.folder);
  const std::string path = folder / ("intake-benchmark-" + std::to_string(getpid()));
  const absl::Status status = flags.mode == "sqlite"
                                  ? StoreGames(flags, path, games)
                                  : Coordinate(flags, rules, options.match, path, payload);
  for (const char* const suffix : {"", "-wal", "-shm", ".lock"}) {
    std::filesystem::remove(path + suffix);
  }
  return status;
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Measures what taking a game in costs.", "intake_benchmark");
  app.add_option("mode", flags.mode)
      ->required()
      ->check(CLI::IsMember({"replay", "sqlite", "coordinator"}));
  app.add_option("--games", flags.games);
  app.add_option("--games-per-call", flags.games_per_call)->check(CLI::Range(1, 512));
  app.add_option("--batch-games", flags.batch_games)->check(CLI::Range(1, 4096));
  app.add_option("--lines", flags.lines)->check(CLI::Range(1, 1'000'000));
  app.add_option("--folder", flags.folder);
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = Run(flags);
  if (!status.ok()) std::cerr << "intake_benchmark: " << status << "\n";
  return status.ok() ? 0 : 1;
}

}  // namespace
}  // namespace joseki::coordinator

int main(int argc, char** argv) { return joseki::coordinator::Main(argc, argv); }
