// Measures the time until a coordinator with a large database accepts the next game.
//
//   restart_bench fill    --db FILE [--games N | --searches S] [--tail T] [--lines L]
//   restart_bench start   --db FILE --coordinator PROGRAM [--times K] [--cold]
//   restart_bench rebuild --db FILE
//
//   fill     makes a database of one run with N games, the last T of them after its checkpoint, as
//            a killed coordinator leaves it. The coordinator's own code makes lines, leases,
//            evidence and checkpoints. The moves behind the lines are noise, which no restart
//            reads. --searches S: a run without games that searched along its lines S times
//            (tests/load/searched_run.h).
//   start    K times: starts the coordinator on it, joins, takes a slot, submits a game, and kills
//            it. Prints the seconds until it listens, until a slot is granted, and until the game
//            is accepted, and its peak memory. --cold drops the file's pages from the kernel's
//            cache first.
//   rebuild  recomputes the run's evidence from its games alone.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "SQLiteCpp/Database.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/process_use.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/importer.h"
#include "cli/cluster/child_process.h"
#include "cli/load/payload.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/rebuild.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_state.h"
#include "coordinator/store/run_store.h"
#include "engine/shogi/shogi_rules.h"
#include "tests/load/searched_run.h"
#include "worker/coordinator_client.h"

namespace joseki::coordinator {
namespace {

constexpr uint32_t kSlotsPerLease = 32;
constexpr size_t kPlies = 110;
constexpr uint64_t kCheckpointEvery = 50'000;  // games: a busy coordinator's few seconds
constexpr uint64_t kWorkers = 64;
constexpr char kEngine[] = "load";

struct Flags {
  std::string db;
  uint64_t games = 10'000'000;
  uint64_t tail = 5000;
  uint64_t searches = 0;  // instead of games
  size_t lines = 6000;
  std::string coordinator;
  int times = 3;
  bool cold = false;
};

class Stopwatch {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// ---- fill ----

RunSpec SpecOfRun() {
  RunSpec spec;
  spec.name = "restart";
  spec.start = "startpos";
  spec.play.engine_id = kEngine;
  spec.play.nodes = 1000;
  spec.policy = "epsilon-greedy";
  spec.policy_options["epsilon"] = "0.5";
  spec.verify_percent = 0;
  return spec;
}

// The run, in the database and in memory.
absl::StatusOr<RunState> MakeRun(const Flags& flags, const Rules& rules, book::Store& store,
                                 RunStore& rows) {
  cli::LoadPayload payload(rules, {.lines = flags.lines});
  payload.DrawBook();
  book::Importer importer(rules, {.plies = 24});
  importer.AddBytes("restart", payload.BookText());
  RETURN_IF_ERROR(importer.Commit(store, "restart").status());
  ASSIGN_OR_RETURN(book::Graph graph, book::BookStore(store).LoadGraph(rules));
  const std::string bytes = graph.Serialize();
  LoadedRun fresh;
  fresh.row.run = 1;
  fresh.row.spec = flags.searches > 0 ? WithLineSearches(SpecOfRun()) : SpecOfRun();
  fresh.row.snapshot = Sha256Of(bytes);
  RETURN_IF_ERROR(CheckSpec(rules, fresh.row.spec));
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, graph, fresh.row.spec));
  RETURN_IF_ERROR(rows.runs().InsertSnapshot(fresh.row.snapshot, bytes, graph.SerializeLinks()));
  RETURN_IF_ERROR(rows.runs().Insert(fresh.row));
  ASSIGN_OR_RETURN(fresh.policy, PolicyOf(fresh.row.spec));
  std::cout << graph.node_count() << " positions, " << graph.edge_count() << " book moves\n";
  fresh.graph = std::make_shared<const book::Graph>(std::move(graph));
  fresh.tuner = std::make_unique<book::Tuner>(fresh.graph, fresh.policy);
  return RunState(std::move(fresh), start, {});
}

GameRow Played(const PlannedSlot& plan, const std::string& worker, LeaseId lease, uint64_t seq,
               Rng& rng) {
  GameRow game;
  game.run = 1;
  game.lease = lease;
  game.slot = plan.slot.slot;
  game.commit_seq = seq;
  game.worker = worker;
  game.payload_hash = rng.Next();
  game.moves_hash = rng.Next();
  game.book_plies = static_cast<uint32_t>(plan.slot.line.size());
  game.moves = plan.slot.line;
  while (game.moves.size() < kPlies) game.moves.push_back(Move(static_cast<uint16_t>(rng.Next())));
  const uint64_t die = rng.Below(20);
  game.ending = {die == 0   ? Result::kDraw
                 : die < 11 ? Result::kFirstWins
                            : Result::kSecondWins,
                 die == 0 ? Termination::kRepetition : Termination::kNoLegalMove};
  game.nodes = 86'000;
  game.think_ms = 4000;
  game.accepted_ms = 1'700'000'000'000 + static_cast<int64_t>(seq);
  return game;
}

absl::Status SaveCheckpoint(RunState& state, RunStore& rows) {
  UnwrittenChanges::Taken changes = state.evidence().TakeChanges();
  std::sort(changes.edges.begin(), changes.edges.end());
  std::vector<EvidenceRow> evidence;
  evidence.reserve(changes.edges.size());
  for (const book::EdgeId edge : changes.edges) evidence.push_back(state.evidence().RowOf(edge));
  RETURN_IF_ERROR(rows.evidence().Save(1, evidence));
  return rows.evidence().SaveCheckpoint(1, changes.checkpoint);
}

absl::Status Fill(const Flags& flags, const Rules& rules) {
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(flags.db, book::OpenMode::kCreate));
  store->db().exec("PRAGMA synchronous = OFF");  // nobody minds if a power cut takes this one
  RunStore rows(*store);
  ASSIGN_OR_RETURN(RunState state, MakeRun(flags, rules, *store, rows));
  const Stopwatch watch;
  if (flags.searches > 0) {
    ASSIGN_OR_RETURN(const GrownBook grown, FillSearches(rules, *store, rows, state.book().graph,
                                                         state.row().spec, flags.searches));
    std::cout << absl::StreamFormat(
        "%d searches, %.0f s: %d positions, %d answers, %d grown moves; %.1f GB\n", flags.searches,
        watch.Seconds(), grown.positions, grown.answers, grown.moves,
        static_cast<double>(std::filesystem::file_size(flags.db)) / 1e9);
    return absl::OkStatus();
  }
  Rng rng(1);
  RETURN_IF_ERROR(rows.Begin());
  for (SessionId session = 1; session <= kWorkers; ++session) {
    RETURN_IF_ERROR(rows.sessions().Insert(
        {session, absl::StrCat("w", session), kSlotsPerLease, "bench", 1'700'000'000'000}));
  }
  uint64_t seq = 0;
  uint64_t checkpoint = 0;
  for (LeaseId lease = 1; seq < flags.games; ++lease) {
    LeaseRow row;
    const uint64_t worker = 1 + lease % kWorkers;
    row.grant.lease = lease;
    row.grant.run = 1;
    row.grant.worker = absl::StrCat("w", worker);
    row.grant.session = worker;
    row.grant.term = absl::Seconds(90);
    row.grant.slots = state.Plan(lease, kSlotsPerLease);
    row.grant.granted_ms = 1'700'000'000'000;
    RETURN_IF_ERROR(rows.leases().Insert(row.grant, row.state));
    for (const PlannedSlot& plan : row.grant.slots) {
      const GameRow game = Played(plan, row.grant.worker, lease, ++seq, rng);
      RETURN_IF_ERROR(rows.games().Insert(game).status());
      state.Credit(game, plan, true);
    }
    RETURN_IF_ERROR(rows.leases().SetState(lease, LeaseState::kFinished));
    const bool last = checkpoint < seq && seq + flags.tail >= flags.games &&
                      checkpoint + flags.tail < flags.games;
    if (seq >= checkpoint + kCheckpointEvery || last) {
      if (seq + flags.tail <= flags.games + kSlotsPerLease) {
        checkpoint = seq;
        RETURN_IF_ERROR(SaveCheckpoint(state, rows));
      }
      RETURN_IF_ERROR(rows.Commit());
      RETURN_IF_ERROR(rows.Begin());
      if (seq % 1'000'000 < kCheckpointEvery) {
        std::cout << absl::StreamFormat("%d games, %.0f s\n", seq, watch.Seconds()) << std::flush;
      }
    }
  }
  RETURN_IF_ERROR(rows.Commit());
  std::cout << absl::StreamFormat("%d games, the last %d after the checkpoint; %.1f GB\n", seq,
                                  seq - checkpoint,
                                  static_cast<double>(std::filesystem::file_size(flags.db)) / 1e9);
  return absl::OkStatus();
}

// ---- start ----

void ForgetPages(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  close(fd);
}

// The shortest that a slot can bring: its line and a resignation, of a game after a move that is
// allowed there.
absl::StatusOr<worker::FinishedGame> PlayShortly(const Rules& rules, const std::string& epoch,
                                                 const worker::Lease& lease) {
  const worker::Slot& slot = lease.slots.front();
  ASSIGN_OR_RETURN(const auto state, rules.Start(slot.start, MatchRules()));
  worker::FinishedGame game;
  game.epoch = epoch;
  game.run = lease.run;
  game.lease = lease.lease;
  game.slot = slot.slot;
  game.moves = slot.line;
  if (state->PlayAll(slot.line) < slot.line.size()) return absl::InternalError("an illegal line");
  const bool game_wanted = slot.kind == worker::SlotKind::kGame;
  for (const Move move : game_wanted ? state->LegalMoves() : std::vector<Move>()) {
    if (std::find(slot.excluded.begin(), slot.excluded.end(), move) != slot.excluded.end())
      continue;
    game.moves.push_back(move);
    state->Play(move);
    break;
  }
  game.ending = {WinFor(~state->side_to_move()), Termination::kResign};
  return game;
}

absl::Status StartOnce(const Flags& flags, const Rules& rules, int number) {
  const std::string address_file = flags.db + ".address";
  std::filesystem::remove(address_file);
  if (flags.cold) {
    for (const char* const suffix : {"", "-wal"}) ForgetPages(flags.db + suffix);
  }
  const auto address = [&]() -> absl::StatusOr<std::string> {
    ASSIGN_OR_RETURN(const std::string text, ReadFile(address_file));
    return std::string(absl::StripAsciiWhitespace(text));
  };
  const Stopwatch watch;
  ASSIGN_OR_RETURN(cli::ChildProcess coordinator,
                   cli::ChildProcess::Start({flags.coordinator, "--db", flags.db, "--listen",
                                             "127.0.0.1:0", "--address-file", address_file},
                                            flags.db + ".log"));
  while (!address().ok()) {
    if (!coordinator.Running()) return absl::InternalError(coordinator.LastWords());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const double listens = watch.Seconds();
  const auto port = worker::MakeCoordinatorClient(address);
  worker::JoinInput join;
  join.worker = "restart";
  join.seats = 1;
  join.engines.push_back({.id = kEngine});
  join.process = static_cast<uint64_t>(getpid()) * 1000 + static_cast<uint64_t>(number) + 1;
  ASSIGN_OR_RETURN(const worker::Session session, port->Join(join, {}));
  ASSIGN_OR_RETURN(const worker::AcquireOutput work, port->Acquire(session, {.want_slots = 1}, {}));
  if (work.leases.empty()) return absl::InternalError("no slot is given out");
  const double slot = watch.Seconds();
  ASSIGN_OR_RETURN(const worker::FinishedGame game,
                   PlayShortly(rules, session.epoch, work.leases.front()));
  ASSIGN_OR_RETURN(const worker::SubmitOutput reply,
                   port->Submit(session.session, {session.epoch, {&game, 1}, {}}, {}));
  const double accepted = watch.Seconds();
  if (reply.verdicts.at(0).verdict != worker::Verdict::kAccepted) {
    return absl::InternalError(reply.verdicts.at(0).reason);
  }
  ASSIGN_OR_RETURN(const ProcessUse use, ProcessUseOf(coordinator.pid()));
  std::cout << absl::StreamFormat("listens %.2f s, slot %.2f s, accepted %.2f s, %d MB at most\n",
                                  listens, slot, accepted, use.most_resident_bytes / 1'000'000)
            << std::flush;
  coordinator.Kill();
  while (coordinator.Running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return absl::OkStatus();
}

// ---- rebuild ----

absl::Status Rebuild(const Flags& flags, const Rules& rules) {
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(flags.db, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(LoadedRun loaded, LoadRun(*store, rules, 1));
  const Stopwatch watch;
  ASSIGN_OR_RETURN(
      const RebuiltRun rebuilt,
      RebuildRun(*store, rules, {loaded.row, loaded.graph, loaded.policy, loaded.trust}));
  const double seconds = watch.Seconds();
  std::cout << absl::StreamFormat(
      "%d games rebuilt in %.2f s, %.2f us each\n", rebuilt.evidence->counters().games, seconds,
      seconds * 1e6 / static_cast<double>(rebuilt.evidence->counters().games));
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Measures a coordinator's restart.", "restart_bench");
  app.require_subcommand(1);
  CLI::App* const fill = app.add_subcommand("fill", "makes the database");
  CLI::App* const start = app.add_subcommand("start", "starts a coordinator on it");
  CLI::App* const rebuild = app.add_subcommand("rebuild", "rebuilds the run's evidence");
  for (CLI::App* const command : {fill, start, rebuild}) {
    command->add_option("--db", flags.db, "the database")->required();
  }
  fill->add_option("--games", flags.games)->capture_default_str();
  fill->add_option("--searches", flags.searches, "along lines, instead of games");
  fill->add_option("--tail", flags.tail, "games after the checkpoint")->capture_default_str();
  fill->add_option("--lines", flags.lines, "lines of the book")->capture_default_str();
  start->add_option("--coordinator", flags.coordinator, "joseki-coordinator")->required();
  start->add_option("--times", flags.times)->capture_default_str();
  start->add_flag("--cold", flags.cold, "forget the file's pages before each start");
  CLI11_PARSE(app, argc, argv);
  const Rules& rules = shogi::ShogiRules();
  absl::Status status;
  if (fill->parsed()) status = Fill(flags, rules);
  if (rebuild->parsed()) status = Rebuild(flags, rules);
  for (int i = 0; start->parsed() && status.ok() && i < flags.times; ++i) {
    status = StartOnce(flags, rules, i);
  }
  if (!status.ok()) std::cerr << "restart_bench: " << status << "\n";
  return status.ok() ? 0 : 1;
}

}  // namespace
}  // namespace joseki::coordinator

int main(int argc, char** argv) { return joseki::coordinator::Main(argc, argv); }
