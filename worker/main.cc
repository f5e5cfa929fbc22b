// joseki-worker: plays games for a coordinator until a signal or the coordinator ends it.

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "base/address.h"
#include "base/backoff.h"
#include "base/certificates/certificate.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/settings.h"
#include "base/standard_output.h"
#include "base/status_macros.h"
#include "book/play_spec.h"
#include "engine/core/isa.h"
#include "engine/games.h"
#include "nlohmann/json.hpp"
#include "proto/grpc_log.h"
#include "proto/limits.h"
#include "proto/mutexes.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"
#include "worker/artefact_cache.h"
#include "worker/artefact_client.h"
#include "worker/coordinator_client.h"
#include "worker/enrolment.h"
#include "worker/instance.h"
#include "worker/node.h"
#include "worker/play/cores.h"
#include "worker/play/cost.h"
#include "worker/play/embedded_engine.h"
#include "worker/play/usi/engine_set.h"
#include "worker/run_books.h"
#include "worker/spool.h"
#include "worker/work_loop.h"

namespace joseki::worker {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

struct Flags {
  std::string coordinator;
  std::string address_file;
  uint32_t seats = 0;  // 0: the usable cores
  std::string name;
  std::string spool;
  std::string cache = "./joseki-cache";
  uint64_t cache_mb = 4096;
  double drain_seconds = 30;
  double exit_when_idle = 0;  // 0: never
  std::string engines;        // path of the engines file; empty: the embedded engine alone
  bool check_engines = false;
  std::string log_level = "info";
  certificates::TlsFiles tls;
  std::string tls_folder;
  std::string token_file;
  bool enrol_only = false;
  bool http_proxy = false;
  std::vector<std::string> labels;
  uint64_t memory_mb = 0;  // 0: what is usable
};

// "g++ 12.2.0" and the like: recorded, never compared.
std::string Build() {
#if defined(__clang__)
  return absl::StrCat(JOSEKI_VERSION, " clang ", __clang_version__);
#else
  return absl::StrCat(JOSEKI_VERSION, " g++ ", __VERSION__);
#endif
}

// A name that is unique on this machine and stays the same after a restart.
std::string DefaultName(const std::string& spool_folder) {
  char host[256] = "worker";
  gethostname(host, sizeof host - 1);
  std::string name;
  for (const char c : std::string_view(host).substr(0, kMaxNameBytes - 9)) {
    const bool good = absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_';
    name += good ? c : '-';
  }
  const std::string folder = std::filesystem::absolute(spool_folder).lexically_normal().string();
  return absl::StrCat(name, "-", Hex(Sha256Of(folder)).substr(0, 8));
}

AddressSource AddressFrom(const Flags& flags) {
  if (flags.address_file.empty()) {
    return [address = flags.coordinator]() -> absl::StatusOr<std::string> { return address; };
  }
  return [path = flags.address_file]() -> absl::StatusOr<std::string> {
    absl::StatusOr<std::string> text = ReadFile(path);
    // The file is missing before the coordinator listens and after it has ended.
    if (!text.ok()) return absl::UnavailableError(text.status().message());
    std::string address(absl::StripAsciiWhitespace(*text));
    if (const absl::Status bad = CheckDialled(address); !bad.ok()) {
      return absl::UnavailableError(absl::StrCat(path, ": ", std::string(bad.message())));
    }
    return address;
  };
}

void Log(LogLevel level, const std::string& line) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::debug("event={}", line);
    case LogLevel::kInfo:
      return spdlog::info("event={}", line);
    case LogLevel::kWarning:
      return spdlog::warn("event={}", line);
    case LogLevel::kError:
      return spdlog::error("event={}", line);
  }
}

void LogNote(const std::string& note) { Log(LogLevel::kWarning, note); }

int Fail(const absl::Status& status) {
  std::cerr << "joseki-worker: " << status.message() << std::endl;
  return kFailed;
}

// Starts an engine of the file to identify it, at positions of its game.
absl::StatusOr<EngineIdentity> IdentityOf(const EngineEntry& entry) {
  ASSIGN_OR_RETURN(const Rules* const rules, RulesOf(entry.dialect.game));
  return Identify(entry, *rules, EmbeddedEngineOf(entry.dialect.game).bench(), LogNote);
}

// Adds the file's engines that can be started; others are logged and skipped.
absl::Status AddEngines(const std::string& path, EngineSet& engines) {
  ASSIGN_OR_RETURN(const EngineEntries entries, ReadEnginesFile(path));
  for (const auto& [id, entry] : entries) {
    absl::StatusOr<EngineIdentity> identity = IdentityOf(entry);
    if (!identity.ok()) {
      Log(LogLevel::kError, absl::StrCat("engine_left_out engine=", id, " reason=",
                                         Quote(std::string(identity.status().message()), 500)));
      continue;
    }
    Log(LogLevel::kInfo,
        absl::StrCat("engine_found engine=", id, " name=", Quote(identity->name),
                     " signature=", identity->signature, " weights=", identity->weights_sha256));
    engines.Add(entry, *std::move(identity));
  }
  return absl::OkStatus();
}

// Checks an engines file: prints each engine's identity, as one JSON object; fails if one cannot be
// started.
int CheckEngines(const std::string& path) {
  const absl::StatusOr<EngineEntries> entries = ReadEnginesFile(path);
  if (!entries.ok()) return Fail(entries.status());
  bool good = true;
  nlohmann::json engines = nlohmann::json::array();
  for (const auto& [id, entry] : *entries) {
    const auto identity = IdentityOf(entry);
    nlohmann::json engine;
    engine["id"] = id;
    if (identity.ok()) {
      engine["name"] = identity->name;
      engine["signature"] = identity->signature;
      engine["weights_sha256"] = identity->weights_sha256;
    } else {
      // Quote makes the engine's bytes printable.
      engine["error"] = std::string(identity.status().message());
      good = false;
    }
    engines.push_back(std::move(engine));
  }
  const nlohmann::json object = {{"schema", 1}, {"engines", std::move(engines)}};
  std::cout << object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  return good ? EXIT_SUCCESS : kFailed;
}

// The worker's total cost, and the part inside searches.
std::string CostWords(const WorkerCost& cost) {
  const double share =
      cost.processor > absl::ZeroDuration() ? absl::FDivDuration(cost.search, cost.processor) : 0.0;
  return absl::StrFormat("cpu_ms=%d search_cpu_ms=%d search_percent=%.2f engines_cpu_ms=%d",
                         absl::ToInt64Milliseconds(cost.processor),
                         absl::ToInt64Milliseconds(cost.search), 100 * share,
                         absl::ToInt64Milliseconds(ProcessorTimeOfChildren()));
}

// Sets up logging: key=value lines on stderr, in UTC.
void SetUpLog(const std::string& level) {
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
  spdlog::set_pattern("ts=%Y-%m-%dT%H:%M:%S.%eZ level=%l %v", spdlog::pattern_time_type::utc);
  spdlog::set_level(spdlog::level::from_str(level));
}

// Turns signals into requests during its lifetime. The first one drains; a second SIGTERM or SIGINT
// aborts the games. SIGUSR1 never aborts. Batch systems signal a program and the script around it,
// which then signals the program once more.
class SignalWatch {
 public:
  // REQUIRES: Block was called before any thread was started.
  static void Block() {
    const sigset_t set = Set();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
  }

  // Whether a signal came within `most`; consumes it. REQUIRES: there is no SignalWatch.
  static bool Waited(absl::Duration most) {
    const sigset_t set = Set();
    const timespec timeout = absl::ToTimespec(most);
    return sigtimedwait(&set, nullptr, &timeout) > 0;
  }

  explicit SignalWatch(WorkLoop& loop) : thread_([this, &loop] { Watch(loop); }) {}
  ~SignalWatch() {
    over_ = true;
    pthread_kill(thread_.native_handle(), SIGUSR1);
    thread_.join();
  }

 private:
  static sigset_t Set() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&set, signal);
    return set;
  }
  void Watch(WorkLoop& loop) {
    const sigset_t set = Set();
    bool told = false;
    for (int signal = 0; sigwait(&set, &signal) == 0 && !over_;) {
      if (told && signal != SIGUSR1) {
        Log(LogLevel::kInfo, "interrupted reason=signal");
        loop.Interrupt();
      } else {
        Log(LogLevel::kInfo, "draining reason=signal");
        loop.Drain();
      }
      told = told || signal != SIGUSR1;
    }
  }

  std::atomic<bool> over_ = false;
  std::thread thread_;
};

// The name in our certificate, the only one under which it allows a Join; empty without a
// certificate.
absl::StatusOr<std::string> CertifiedName(const Flags& flags) {
  std::string name;
  if (flags.tls.certificate.empty()) return name;
  if (!flags.token_file.empty() && !std::filesystem::exists(flags.tls.certificate)) return name;
  ASSIGN_OR_RETURN(const std::string text, ReadFile(flags.tls.certificate));
  ASSIGN_OR_RETURN(const certificates::Certificate certificate,
                   certificates::ReadCertificate(text, flags.tls.certificate));
  if (certificate.identity) name = certificate.identity->name;
  if (certificate.identity && certificate.identity->role == certificates::Role::kWorker &&
      (flags.name.empty() || flags.name == name)) {
    return name;
  }
  return MakeProblem(
      {.code = "wrong_certificate",
       .file = flags.tls.certificate,
       .found = certificate.identity ? certificates::UriOf(*certificate.identity)
                                     : "nobody's certificate",
       .expected = flags.name.empty() ? "a worker's" : "that of the worker " + flags.name},
      absl::StatusCode::kFailedPrecondition);
}

// Presents the token until a coordinator has replied, or the program is to end.
absl::Status ShowToken(const Flags& flags) {
  const AddressSource address = AddressFrom(flags);
  const Enroller enroll = [&](const Enrolment& input) -> absl::StatusOr<std::string> {
    ASSIGN_OR_RETURN(const std::string where, address());
    return Enroll(where, input);
  };
  return EnrolAtLast(
      [&] { return EnsureEnrolled(flags.tls_folder, flags.token_file, flags.name, enroll); },
      Backoff({}, Rng(Hash64(absl::StrCat(flags.name, getpid())))),
      [](const absl::Status& status, absl::Duration wait) {
        Log(LogLevel::kWarning,
            absl::StrCat("enrol_failed wait_ms=", absl::ToInt64Milliseconds(wait), " ",
                         std::string(status.message())));
        return !SignalWatch::Waited(wait);
      });
}

int Work(Flags flags, const std::map<std::string, std::string>& labels) {
  if (flags.spool.empty()) {
    flags.spool = flags.name.empty() ? "./joseki-spool" : "./joseki-spool-" + flags.name;
  }
  if (!flags.tls_folder.empty()) flags.tls = certificates::TlsFiles::In(flags.tls_folder);
  flags.tls.http_proxy = flags.http_proxy;
  const absl::StatusOr<std::string> certified = CertifiedName(flags);
  if (!certified.ok()) return Fail(certified.status());
  if (flags.name.empty()) flags.name = certified->empty() ? DefaultName(flags.spool) : *certified;
  if (flags.seats == 0) flags.seats = static_cast<uint32_t>(UsableCores());
  if (flags.memory_mb == 0) flags.memory_mb = UsableMemoryMb();

  // Engines may take minutes to start. Until the worker has anything to lose a signal ends it at
  // once, and its engines with it.
  EngineSet engines(flags.spool, LogNote);
  if (!flags.engines.empty() && !flags.enrol_only) {
    if (const absl::Status added = AddEngines(flags.engines, engines); !added.ok()) {
      return Fail(added);
    }
  }
  SignalWatch::Block();
  if (!flags.token_file.empty()) {
    if (const absl::Status status = ShowToken(flags); !status.ok()) return Fail(status);
    if (flags.enrol_only) return EXIT_SUCCESS;
  }
  absl::StatusOr<std::unique_ptr<Spool>> spool = Spool::Open(flags.spool, {});
  if (!spool.ok()) return Fail(spool.status());
  if ((*spool)->damaged_bytes() > 0) {
    Log(LogLevel::kWarning, absl::StrCat("spool_damaged bytes_cut=", (*spool)->damaged_bytes()));
  }

  WorkLoop::Options options;
  options.join = {.worker = flags.name,
                  .seats = flags.seats,
                  .build = Build(),
                  .labels = labels,
                  .memory_mb = PerSeat(flags.memory_mb, flags.seats),
                  .cores = PerSeat(static_cast<uint64_t>(UsableCores()), flags.seats)};
  for (const EmbeddedEngine& engine : EmbeddedEngines()) {
    options.join.engines.push_back({.id = book::kEmbeddedEngine,
                                    .name = "Joseki embedded",
                                    .signature = engine.signature(),
                                    .weights_sha256 = engine.weights_sha256(),
                                    .build = Build(),
                                    .game = std::string(engine.game)});
  }
  for (EngineIdentity& identity : engines.identities()) {
    options.join.engines.push_back(std::move(identity));
  }
  options.drain_grace = absl::Seconds(flags.drain_seconds);
  if (flags.exit_when_idle > 0) options.exit_when_idle = absl::Seconds(flags.exit_when_idle);
  // The seed of the jitter, which must differ between workers and restarts; games do not depend on
  // it.
  options.seed = Hash64(absl::StrCat(flags.name, getpid(), absl::ToUnixNanos(absl::Now())));
  const absl::StatusOr<uint64_t> instance = InstanceIn(flags.spool, Rng(options.seed).Split(8));
  if (!instance.ok()) return Fail(instance.status());
  options.join.instance = *instance;
  // Distinguishes this process from earlier and later ones of the worker.
  options.join.process = Rng(options.seed).Split(7).Next();
  Log(LogLevel::kInfo, absl::StrCat("started worker=", flags.name, " slots=", flags.seats,
                                    " spooled=", (*spool)->pending(),
                                    " signature=", options.join.engines[0].signature));

  std::mutex making;  // serialises embedded players: each is promised the memory that is free
  const PlayerFactory make_player = [&](const PlaySpec& play,
                                        size_t seat) -> absl::StatusOr<std::unique_ptr<Player>> {
    if (play.engine_id != book::kEmbeddedEngine) return engines.MakePlayer(play, seat);
    RETURN_IF_ERROR(RulesOf(play.game).status());
    const std::lock_guard lock(making);
    return MakeEmbedded(play);
  };
  const std::unique_ptr<CoordinatorPort> port =
      MakeCoordinatorClient(AddressFrom(flags), flags.tls);
  ArtefactCache cache({.folder = flags.cache, .most_bytes = flags.cache_mb << 20});
  const std::unique_ptr<ArtefactPort> artefacts =
      MakeArtefactClient(AddressFrom(flags), flags.name, flags.tls);
  RunBooks books(RulesOf, cache, *artefacts);
  const BookProvider book_of = [&books](const Assignment& assignment,
                                        const std::function<void()>& progress,
                                        std::stop_token stop) {
    return books.Get(assignment.epoch, assignment.run, *assignment.play,
                     assignment.slot.weights_version, progress, std::move(stop));
  };
  WorkLoop loop(options, RulesOf, make_player, *port, **spool, Log, book_of);
  absl::Status status;
  {
    const SignalWatch signals(loop);
    status = loop.Run();
  }
  if (!status.ok()) return Fail(status);
  Log(LogLevel::kInfo, absl::StrCat("stopped ", CostWords(loop.cost())));
  return EXIT_SUCCESS;
}

int Main(int argc, char** argv) {
  const SettingsOptions settings = {.section = "joseki-worker", .prefix = "JOSEKI_WORKER_"};
  SettingPlaces places;
  Flags flags;
  CLI::App app("Plays games for a Joseki coordinator until it is told to stop.", "joseki-worker");
  app.set_version_flag("--version", "joseki-worker " + Build());
  CLI::Option* coordinator = app.add_option("--coordinator", flags.coordinator,
                                            "Where the coordinator listens: HOST:PORT");
  CLI::Option* file = app.add_option("--address-file", flags.address_file,
                                     "A file that says where; read before every connection");
  coordinator->excludes(file);
  app.add_option("--slots", flags.seats, "Games played at once (default: the usable cores)")
      ->check(Within(uint32_t{1}, kMaxSlotsPerWorker));
  app.add_option("--name", flags.name,
                 "The worker's name, the same after a restart; letters, digits and ._- "
                 "(default: the name in the certificate; without one from host and spool folder)")
      ->check([](const std::string& name) {
        return IsName(name) ? "" : "at most 64 letters, digits and ._- expected";
      });
  app.add_option("--spool", flags.spool,
                 "Folder that keeps games until they are acknowledged "
                 "(default: ./joseki-spool-NAME; without --name ./joseki-spool)");
  app.add_option("--cache", flags.cache,
                 "Folder of books and weights, which all workers of a machine should share; made "
                 "when a run needs it")
      ->capture_default_str();
  app.add_option("--cache-mb", flags.cache_mb, "Beyond that, what was used longest ago is removed")
      ->capture_default_str()
      ->check(Within(uint64_t{1}, uint64_t{1} << 30));
  app.add_option("--drain-seconds", flags.drain_seconds,
                 "After SIGTERM, SIGINT or SIGUSR1: how long games may go on to their end")
      ->capture_default_str()
      ->check(Within(0.0, 86400.0));
  app.add_option("--exit-when-idle", flags.exit_when_idle,
                 "Leave after so many seconds without work (default: never)")
      ->check(Within(0.0, 1e6));
  CLI::Option* tls = app.add_option("--tls", flags.tls_folder,
                                    "Folder of `joseki certs worker`: ca.pem, cert.pem, key.pem");
  for (CLI::Option* option :
       {app.add_option("--tls-ca", flags.tls.authority, "The authority's certificate (PEM)"),
        app.add_option("--tls-cert", flags.tls.certificate, "The worker's certificate (PEM)"),
        app.add_option("--tls-key", flags.tls.key, "Its private key (PEM)")}) {
    option->excludes(tls);
  }
  app.add_flag("--http-proxy", flags.http_proxy,
               "Go through the HTTP proxy that the environment names");
  CLI::Option* const token =
      app.add_option("--token-file", flags.token_file,
                     "A join token (`joseki certs token`): gets the certificate that the folder of "
                     "--tls does not hold yet")
          ->needs(tls);
  app.add_flag("--enrol-only", flags.enrol_only, "Leave once the certificate is there")
      ->needs(token);
  CLI::Option* const engines =
      app.add_option("--engines", flags.engines,
                     "JSON file of engines that this worker has beside the embedded one");
  app.add_flag("--check-engines", flags.check_engines,
               "Start each engine of the file, print what it is, and leave")
      ->needs(engines);
  app.add_option("--label", flags.labels,
                 "What this node has, for runs that ask for it; may be given several times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--memory", flags.memory_mb,
                 "Memory for all slots together, in MB (default: what is usable)")
      ->check(Within(uint32_t{1}, kMaxMemoryMb));
  app.add_option("--log-level", flags.log_level, "What goes to stderr")
      ->capture_default_str()
      ->check(OneOf({"debug", "info", "warning", "error", "off"}));
  AddSettingsOption(app, settings);
  try {
    absl::StatusOr<std::vector<std::string>> line = CommandLine(app, settings, argc, argv, places);
    if (!line.ok()) {
      std::cerr << "joseki-worker: " << line.status().message() << std::endl;
      return kBadUsage;
    }
    app.parse(*std::move(line));
    if (!flags.check_engines && flags.coordinator.empty() && flags.address_file.empty()) {
      throw CLI::RequiredError("--coordinator or --address-file");
    }
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::cerr << "joseki-worker: " << UsageError(error.what(), "joseki-worker", places).message()
              << "\n";
    return kBadUsage;
  }
  if (const absl::Status bad = CheckDialled(flags.coordinator);
      !flags.coordinator.empty() && !bad.ok()) {
    std::cerr << "joseki-worker: " << bad.message() << std::endl;
    return kBadUsage;
  }
  const absl::StatusOr<std::map<std::string, std::string>> labels = LabelsOf(flags.labels);
  if (!labels.ok()) {
    std::cerr << "joseki-worker: " << labels.status().message() << std::endl;
    return kBadUsage;
  }
  if (const auto isa = ChosenIsa(); !isa.ok()) {
    std::cerr << "joseki-worker: " << isa.status().message() << std::endl;
    return kBadUsage;
  }
  SetUpLog(flags.log_level);
  if (flags.check_engines) return AfterOutput("joseki-worker", CheckEngines(flags.engines));
  return Work(std::move(flags), *labels);
}

}  // namespace
}  // namespace joseki::worker

int main(int argc, char** argv) {
  joseki::SpareDeadlockDetection();
  joseki::SilenceGrpcLog();
  return joseki::worker::Main(argc, argv);
}
