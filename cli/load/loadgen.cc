#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/process_use.h"
#include "base/status_macros.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "cli/cluster/local_cluster.h"
#include "cli/cluster/process.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "cli/load/certificates.h"
#include "cli/load/idle.h"
#include "cli/load/payload.h"
#include "cli/load/workers.h"
#include "coordinator/offline/invariants.h"
#include "proto/limits.h"
#include "worker/coordinator_client.h"
#include "worker/play/cores.h"

namespace joseki::cli {
namespace {

constexpr absl::Duration kLook = absl::Milliseconds(100);
constexpr absl::Duration kAfterHerd = absl::Seconds(10);
constexpr size_t kFewestSamples = 5;

struct LoadgenArguments {
  LoadWorkers::Options load;
  LoadPayload::Options payload;
  double seconds = 10;
  double warm_up = 2;
  uint32_t slots = 0;  // of all workers; 0: enough for some calls
  int max_plies = 110;
  std::string coordinator;
  std::string folder;
  std::string program;  // coordinator's program; empty: the one beside this program
  std::vector<std::string> program_arguments;
  int idle = 0;  // workers that only wait for work and send heartbeats, instead of those that play
  int half_open = 0;
  bool herd = false;
  bool clear = false;
  bool check = true;
};

double MbOf(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

double OwnCpuSeconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return absl::ToDoubleSeconds(absl::DurationFromTimeval(use.ru_utime) +
                               absl::DurationFromTimeval(use.ru_stime));
}

// The run of a load test: every line of the book equally likely, and no end.
coordinator::RunSpec SpecOf(const LoadgenArguments& arguments, const Rules& rules) {
  coordinator::RunSpec spec;
  spec.play.game = rules.game();
  spec.name = "load";
  spec.play.engine_id = "load";
  spec.play.match = arguments.payload.match;
  spec.policy = "epsilon-greedy";
  spec.policy_options["epsilon"] = "1";
  spec.deviation = 0;
  spec.seed = arguments.payload.seed;
  return spec;
}

absl::Status WriteBook(const Rules& rules, const LoadgenArguments& arguments,
                       const LoadPayload& payload, const std::string& path) {
  book::ImportOptions options;
  options.plies = arguments.payload.line_plies;
  book::Importer importer(rules, options);
  importer.AddBytes("load", payload.BookText());
  ASSIGN_OR_RETURN(const auto store,
                   book::Store::Open(path, book::OpenMode::kCreate, rules.game()));
  return importer.Commit(*store, "load").status();
}

// A coordinator's resource use at a time of the test.
struct Sample {
  absl::Duration at;
  ProcessUse use;
};

// Growth of memory by least squares. The first quarter is left out: memory taken at the start is no
// growth. 0 where there are too few samples.
double SlopeMbPerHour(const std::vector<Sample>& samples) {
  if (samples.size() < kFewestSamples) return 0;
  double n = 0;
  double sum_x = 0;
  double sum_y = 0;
  double sum_xx = 0;
  double sum_xy = 0;
  for (size_t i = samples.size() / 4; i < samples.size(); ++i) {
    const double x = absl::ToDoubleHours(samples[i].at);
    const double y = MbOf(samples[i].use.resident_bytes);
    n += 1;
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  const double spread = n * sum_xx - sum_x * sum_x;
  return spread > 0 ? (n * sum_xy - sum_x * sum_y) / spread : 0;
}

// Throughput in games per second before the coordinator was killed, and from ten seconds after it
// was back.
struct Herd {
  double before = 0;
  double after = 0;
  absl::Duration start;  // until it listened again
};

// The measurements of a test, beside those of its workers.
struct Measured {
  absl::Duration time;
  std::vector<Sample> samples;
  std::optional<Herd> herd;
  double cpu_seconds = 0;         // of the coordinator
  double loader_cpu_seconds = 0;  // of this process
  ProcessUse use;                 // of the coordinator, at the end
  SyncLatency sync;
  Cluster::CreatedRun run;
  coordinator::ClusterStatus status;
};

absl::Status Wait(absl::Duration time, SignalWait& signals) {
  const absl::Time end = absl::Now() + time;
  while (absl::Now() < end) {
    if (signals.Wait(std::min(kLook, end - absl::Now()))) {
      return absl::CancelledError("interrupted");
    }
  }
  return absl::OkStatus();
}

void Show(const Json& json, Context& context) {
  if (context.json()) return context.PrintJson(json);
  for (const auto& [key, value] : json.items()) {
    const std::string text =
        value.is_number_float() ? absl::StrFormat("%.3f", value.get<double>()) : value.dump();
    context.out() << absl::StreamFormat("%-22s %s\n", key, text);
  }
}

void Print(const LoadgenArguments& arguments, const Measured& measured, const LoadPayload& payload,
           const LoadWorkers::Totals& totals, const coordinator::InvariantReport* invariants,
           Context& context) {
  const double seconds = absl::ToDoubleSeconds(measured.time);
  const auto of = [&](worker::Verdict verdict) {
    const auto at = totals.verdicts.find(verdict);
    return at == totals.verdicts.end() ? uint64_t{0} : at->second;
  };
  const double per_second = static_cast<double>(totals.games) / seconds;
  const double mean_plies =
      totals.games == 0 ? 0 : static_cast<double>(totals.plies) / static_cast<double>(totals.games);
  Json json;
  json["workers"] = arguments.load.workers;
  json["games_per_call"] = arguments.load.games_per_call;
  json["seconds"] = seconds;
  json["rate"] = arguments.load.rate;
  json["accepted_per_second"] = per_second;
  json["ack_p50_ms"] = totals.acknowledged.Percentile(0.5);
  json["ack_p99_ms"] = totals.acknowledged.Percentile(0.99);
  json["ack_p999_ms"] = totals.acknowledged.Percentile(0.999);
  json["acquire_p50_ms"] = totals.acquired.Percentile(0.5);
  json["acquire_p99_ms"] = totals.acquired.Percentile(0.99);
  json["fsync_p50_ms"] = measured.sync.p50_ms;
  json["fsync_p99_ms"] = measured.sync.p99_ms;
  json["cpu_seconds"] = measured.cpu_seconds;
  json["loader_cpu_seconds"] = measured.loader_cpu_seconds;
  json["cpu_share"] = measured.cpu_seconds / seconds;
  const double games = std::max(1.0, static_cast<double>(totals.games));
  json["cpu_us_per_game"] = measured.cpu_seconds * 1e6 / games;
  json["loader_cpu_us_per_game"] = measured.loader_cpu_seconds * 1e6 / games;
  json["rss_mb"] = MbOf(measured.use.resident_bytes);
  json["rss_slope_mb_per_hour"] = SlopeMbPerHour(measured.samples);
  json["tls"] = !arguments.clear;
  json["distinct_games"] = payload.taken();
  json["mean_plies"] = mean_plies;
  json["book_plies"] = arguments.payload.line_plies;
  json["book_positions"] = measured.run.positions;
  json["book_moves"] = measured.run.moves;
  json["accepted"] = of(worker::Verdict::kAccepted);
  json["duplicate"] = of(worker::Verdict::kDuplicate);
  json["stale_accepted"] = of(worker::Verdict::kStaleAccepted);
  json["conflict"] = of(worker::Verdict::kConflict);
  json["rejected"] = of(worker::Verdict::kRejected);
  json["failed_calls"] = totals.failed_calls;
  json["lost_replies"] = totals.lost_replies;
  json["sent_twice"] = totals.duplicates;
  json["sent_out_of_order"] = totals.reordered;
  if (measured.herd) {
    json["herd_before_per_second"] = measured.herd->before;
    json["herd_after_per_second"] = measured.herd->after;
    json["herd_restart_ms"] = absl::ToDoubleMilliseconds(measured.herd->start);
  }
  if (invariants != nullptr) {
    json["stored"] = invariants->games;
    json["violations"] = invariants->violations;
    json["first_violations"] = invariants->first;
  }
  Show(json, context);
}

class LoadTest {
 public:
  LoadTest(LoadgenArguments arguments, Context& context)
      : arguments_(std::move(arguments)),
        context_(context),
        payload_(context.rules(), arguments_.payload) {}

  absl::Status Run() {
    if (!arguments_.coordinator.empty()) return RunAgainst();
    const std::filesystem::path folder =
        arguments_.folder.empty()
            ? std::filesystem::temp_directory_path() / absl::StrCat("joseki-load-", getpid())
            : std::filesystem::path(arguments_.folder);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const auto remove = absl::MakeCleanup([&] {
      std::error_code ignored;
      if (arguments_.folder.empty()) std::filesystem::remove_all(folder, ignored);
    });
    return RunOwn(folder.string());
  }

 private:
  absl::Status RunOwn(const std::string& folder) {
    ASSIGN_OR_RETURN(measured_.sync, MeasureSync(folder));
    std::vector<std::string> flags = {"--slots-per-lease", "256", "--log-level", "warning"};
    if (!arguments_.clear) {
      ASSIGN_OR_RETURN(certificates_, LoadCertificates::Make(folder + "/trust"));
      flags.insert(flags.end(), {"--tls", certificates_->folder()});
    }
    flags.insert(flags.end(), arguments_.program_arguments.begin(),
                 arguments_.program_arguments.end());
    own_ = std::make_unique<LoadCoordinator>(folder, arguments_.program, flags);
    if (arguments_.idle > 0) return RunIdle();
    context_.err() << "drawing " << arguments_.payload.lines << " lines and their games\n";
    payload_.DrawBook();
    RETURN_IF_ERROR(WriteBook(context_.rules(), arguments_, payload_, own_->database()));
    payload_.Prepare(std::max(1, worker::UsableCores()));
    RETURN_IF_ERROR(own_->Start(signals_));
    ASSIGN_OR_RETURN(const std::string address, own_->address());
    const Connection connection{
        address, certificates_ ? certificates_->operator_files() : certificates::TlsFiles()};
    ASSIGN_OR_RETURN(measured_.run, Cluster::At(connection, context_.rules())
                                        ->CreateRun(SpecOf(arguments_, context_.rules()), ""));
    RETURN_IF_ERROR(Load());
    RETURN_IF_ERROR(own_->Stop(signals_));
    LoadWorkers::Totals totals = workers_->Collect();
    if (!arguments_.check) {
      Print(arguments_, measured_, payload_, totals, nullptr, context_);
      return Verdict(totals, nullptr);
    }
    ASSIGN_OR_RETURN(const auto store,
                     book::Store::Open(own_->database(), book::OpenMode::kReadOnly));
    ASSIGN_OR_RETURN(const coordinator::InvariantReport report,
                     coordinator::CheckInvariants(*store, context_.rules(), totals.committed));
    Print(arguments_, measured_, payload_, totals, &report, context_);
    return Verdict(totals, &report);
  }

  absl::Status RunAgainst() {
    ASSIGN_OR_RETURN(measured_.sync, MeasureSync(std::filesystem::temp_directory_path().string()));
    RETURN_IF_ERROR(Load());
    const LoadWorkers::Totals totals = workers_->Collect();
    // Without any reply report the error: figures of 0 would look like refused games.
    if (totals.verdicts.empty()) RETURN_IF_ERROR(totals.first_failure);
    Print(arguments_, measured_, payload_, totals, nullptr, context_);
    return Verdict(totals, nullptr);
  }

  worker::AddressSource Address() const {
    return [this]() -> absl::StatusOr<std::string> {
      if (own_ != nullptr) return own_->address();
      return arguments_.coordinator;
    };
  }

  // The worker's credentials; none: plaintext.
  certificates::TlsFiles TlsOf(int number) const {
    if (!certificates_) return {};
    absl::StatusOr<certificates::TlsFiles> made =
        certificates_->Worker(absl::StrCat("load-", number));
    return made.ok() ? *std::move(made) : certificates::TlsFiles();
  }

  // Measures the cost of workers without work.
  absl::Status RunIdle() {
    RETURN_IF_ERROR(own_->Start(signals_));
    ASSIGN_OR_RETURN(const ProcessUse empty, ProcessUseOf(own_->pid()));
    IdleWorkers workers(arguments_.idle, [this](int number) {
      return worker::MakeCoordinatorClient(Address(), TlsOf(number));
    });
    const absl::Time began = absl::Now();
    while (workers.joined() < arguments_.idle) {
      RETURN_IF_ERROR(Wait(kLook, signals_));
      if (!own_->Running()) return own_->Stop(signals_);
    }
    const absl::Duration joining = absl::Now() - began;
    RETURN_IF_ERROR(Wait(absl::Seconds(arguments_.warm_up), signals_));
    ASSIGN_OR_RETURN(const ProcessUse before, ProcessUseOf(own_->pid()));
    const uint64_t beats = workers.beats();
    RETURN_IF_ERROR(Wait(absl::Seconds(arguments_.seconds), signals_));
    ASSIGN_OR_RETURN(const ProcessUse after, ProcessUseOf(own_->pid()));
    Json json;
    json["idle_workers"] = workers.joined();
    json["seconds"] = arguments_.seconds;
    json["joining_seconds"] = absl::ToDoubleSeconds(joining);
    json["rss_mb"] = MbOf(after.resident_bytes);
    json["most_rss_mb"] = MbOf(after.most_resident_bytes);
    json["rss_mb_without"] = MbOf(empty.resident_bytes);
    json["cpu_share"] = (after.cpu_seconds - before.cpu_seconds) / arguments_.seconds;
    json["beats_per_second"] = static_cast<double>(workers.beats() - beats) / arguments_.seconds;
    json["failed_calls"] = workers.failed_calls();
    json["fsync_p50_ms"] = measured_.sync.p50_ms;
    json["tls"] = !arguments_.clear;
    Show(json, context_);
    return absl::OkStatus();
  }

  absl::Status Load() {
    workers_ = std::make_unique<LoadWorkers>(arguments_.load, payload_, [this](int number) {
      return worker::MakeAsyncCoordinatorClient(Address(), TlsOf(number));
    });
    workers_->Start();
    const auto stop = absl::MakeCleanup([this] { workers_->Stop(); });
    std::optional<HalfOpenConnections> half_open;
    if (arguments_.half_open > 0) {
      ASSIGN_OR_RETURN(const std::string address,
                       own_ != nullptr ? own_->address() : arguments_.coordinator);
      ASSIGN_OR_RETURN(HalfOpenConnections opened,
                       HalfOpenConnections::Open(address, arguments_.half_open));
      half_open.emplace(std::move(opened));
    }
    RETURN_IF_ERROR(Wait(absl::Seconds(arguments_.warm_up), signals_));
    RETURN_IF_ERROR(Measure());
    return arguments_.herd ? KillAndMeasure() : absl::OkStatus();
  }

  absl::Status Measure() {
    const absl::Duration time = absl::Seconds(arguments_.seconds);
    const absl::Duration step = std::min(absl::Minutes(1), time);
    const absl::Time began = absl::Now();
    const double loader = OwnCpuSeconds();
    RETURN_IF_ERROR(TakeSample(began));
    workers_->Measure(true);
    for (absl::Duration at; at < time;) {
      at = std::min(at + step, time);
      RETURN_IF_ERROR(Wait(began + at - absl::Now(), signals_));
      RETURN_IF_ERROR(TakeSample(began));
      if (time >= absl::Minutes(3)) PrintSample();
    }
    workers_->Measure(false);
    measured_.time = absl::Now() - began;
    measured_.loader_cpu_seconds = OwnCpuSeconds() - loader;
    if (own_ == nullptr) return absl::OkStatus();
    measured_.use = measured_.samples.back().use;
    measured_.cpu_seconds = measured_.use.cpu_seconds - measured_.samples.front().use.cpu_seconds;
    return absl::OkStatus();
  }

  absl::Status TakeSample(absl::Time began) {
    if (own_ == nullptr) return absl::OkStatus();
    ASSIGN_OR_RETURN(const ProcessUse use, ProcessUseOf(own_->pid()));
    measured_.samples.push_back({absl::Now() - began, use});
    return absl::OkStatus();
  }

  void PrintSample() {
    if (measured_.samples.size() < 2) return;
    const Sample& now = measured_.samples.back();
    const Sample& last = measured_.samples[measured_.samples.size() - 2];
    context_.err() << absl::StreamFormat("%4d s: %d games, %.1f %% of a core, %.1f MB\n",
                                         absl::ToInt64Seconds(now.at), workers_->accepted(),
                                         100 * (now.use.cpu_seconds - last.use.cpu_seconds) /
                                             absl::ToDoubleSeconds(now.at - last.at),
                                         MbOf(now.use.resident_bytes));
  }

  // Kills the coordinator: all workers lose their connection at once, and reconnect together.
  absl::Status KillAndMeasure() {
    Herd herd;
    const absl::Duration time = absl::Seconds(arguments_.seconds);
    const auto rate = [&]() -> absl::StatusOr<double> {
      const uint64_t before = workers_->accepted();
      const absl::Time began = absl::Now();
      RETURN_IF_ERROR(Wait(time, signals_));
      return static_cast<double>(workers_->accepted() - before) /
             absl::ToDoubleSeconds(absl::Now() - began);
    };
    ASSIGN_OR_RETURN(herd.before, rate());
    own_->Kill(signals_);
    const absl::Time began = absl::Now();
    RETURN_IF_ERROR(own_->Start(signals_));
    herd.start = absl::Now() - began;
    RETURN_IF_ERROR(Wait(kAfterHerd, signals_));
    ASSIGN_OR_RETURN(herd.after, rate());
    measured_.herd = herd;
    return absl::OkStatus();
  }

  absl::Status Verdict(const LoadWorkers::Totals& totals,
                       const coordinator::InvariantReport* invariants) {
    const bool sound = invariants == nullptr || invariants->violations == 0;
    if (!sound || !totals.first_refusal.empty()) context_.set_exit_status(kFailed);
    if (!totals.first_failure.ok()) {
      context_.err() << "joseki: a worker could not join: " << totals.first_failure.message()
                     << "\n";
    }
    if (!totals.first_refusal.empty()) {
      context_.err() << "joseki: a game was not taken: " << totals.first_refusal << "\n";
    }
    return absl::OkStatus();
  }

  const LoadgenArguments arguments_;
  Context& context_;
  SignalWait signals_;
  LoadPayload payload_;
  std::optional<LoadCertificates> certificates_;
  std::unique_ptr<LoadCoordinator> own_;
  std::unique_ptr<LoadWorkers> workers_;
  Measured measured_;
};

}  // namespace

void AddLoadgen(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<LoadgenArguments>();
  CLI::App* const command = app.add_subcommand(
      "loadgen", "Measures a coordinator with workers that play nothing and hand in ready games");
  LoadWorkers::Options& load = arguments->load;
  command->add_option("--workers", load.workers, "simulated workers, each with a connection")
      ->check(Within(1, 20'000))
      ->capture_default_str();
  command->add_option("--games-per-call", load.games_per_call, "games in one Submit")
      ->check(Within(size_t{1}, kMaxGamesPerSubmit))
      ->capture_default_str();
  command->add_option("--seconds", arguments->seconds, "how long to measure")
      ->check(Within(0.1, 86'400.0))
      ->capture_default_str();
  command->add_option("--warm-up", arguments->warm_up, "seconds before that")
      ->check(Within(0.0, 3'600.0))
      ->capture_default_str();
  command
      ->add_option("--coordinator", arguments->coordinator,
                   "a coordinator with a running run; without it one of our own is started on a "
                   "database that is thrown away")
      ->type_name("HOST:PORT");
  command->add_option("--folder", arguments->folder, "keep the database and the log here")
      ->type_name("DIR");
  command
      ->add_option("--rate", load.rate,
                   "games a second of all workers at fixed times, answers measured from when "
                   "each call was due; without it, as fast as answers come")
      ->check(Within(0.0, 1e7));
  command->add_option("--slots", arguments->slots,
                      "games that all workers together hold and have not handed in");
  command->add_flag("--acquire-apart", load.acquire_apart,
                    "ask for slots by calls of their own, not with the games that are handed in");
  command->add_option("--lost-replies", load.lost_replies, "share of calls whose answer is lost")
      ->check(Within(0.0, 1.0));
  command->add_option("--duplicates", load.duplicates, "share of calls that are sent twice at once")
      ->check(Within(0.0, 1.0));
  command->add_option("--reorder", load.reorder, "share of calls that are sent after the next one")
      ->check(Within(0.0, 1.0));
  command->add_option("--lines", arguments->payload.lines, "lines of the book")
      ->check(Within(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--variants", arguments->payload.variants, "different games through a line")
      ->check(Within(1, 1'000))
      ->capture_default_str();
  command->add_option("--max-plies", arguments->max_plies, "ply cap of the games")
      ->check(Within(1, 2'000))
      ->capture_default_str();
  command->add_option("--seed", arguments->payload.seed, "of book and games")
      ->check(AnyWhole())
      ->capture_default_str();
  command
      ->add_option("--idle", arguments->idle,
                   "instead, so many workers that join, hold an Acquire and beat")
      ->check(Within(1, 20'000));
  command->add_option("--half-open", arguments->half_open, "connections that say nothing, beside")
      ->check(Within(1, 10'000));
  command->add_flag("--herd", arguments->herd,
                    "then kill the coordinator, start it again, and measure ten seconds later");
  command->add_flag("--clear", arguments->clear, "without TLS");
  command
      ->add_option("--program", arguments->program,
                   "our own coordinator's program, such as one with faults for tests")
      ->type_name("FILE");
  command->add_option("--program-argument", arguments->program_arguments,
                      "what it is started with besides; as often as needed");
  command->add_flag("!--no-check", arguments->check, "do not check the database afterwards");
  command->callback([arguments, &context] {
    LoadgenArguments ready = *arguments;
    if (!ready.coordinator.empty()) {
      if (ready.idle > 0 || ready.herd) {
        throw CLI::ValidationError("--idle and --herd", "need a coordinator of our own");
      }
      ready.clear = true;
    }
    ready.payload.match.max_plies = ready.max_plies;
    const uint32_t each = ready.slots / static_cast<uint32_t>(ready.load.workers);
    ready.load.seats_per_worker =
        ready.slots > 0 ? std::max<int>(static_cast<int>(each), ready.load.games_per_call)
                        : std::clamp(8 * ready.load.games_per_call, 64, 1024);
    ready.load.seed = ready.payload.seed;
    context.Finish(LoadTest(ready, context).Run());
  });
}

}  // namespace joseki::cli
