#include <arpa/inet.h>
#include <netdb.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "base/address.h"
#include "base/certificates/certificate.h"
#include "base/database_file.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/cluster/child_process.h"
#include "cli/cluster/online.h"
#include "cli/cluster/process.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "coordinator/store/disk.h"
#include "engine/core/isa.h"
#include "worker/node.h"
#include "worker/play/cores.h"

namespace joseki::cli {
namespace {

enum class State { kGood, kWarning, kBad };

struct Finding {
  std::string check;
  State state = State::kGood;
  std::string found;
  std::string advice = {};  // the remedy; empty where there is no problem
};
using Findings = std::vector<Finding>;

struct DoctorArguments {
  Connection connection{.address = ""};
  std::string book;
  std::string listen;
  std::string engines;
};

constexpr uint64_t kComfortableDescriptors = 10'000;
constexpr absl::Duration kSoon = absl::Hours(24 * 30);

std::string_view Word(State state) {
  return state == State::kGood ? "good" : state == State::kWarning ? "warning" : "bad";
}

// The words of an error without its place, which has a column of its own.
std::string Why(const absl::Status& status) { return std::string(status.message()); }

void LookAtMachine(Findings& findings) {
  const auto isa = ChosenIsa();
  findings.push_back(isa.ok() ? Finding{"processor", State::kGood, std::string(Name(*isa))}
                              : Finding{"processor", State::kBad, Why(isa.status()),
                                        "unset JOSEKI_ISA, or set it to what this processor has"});
  findings.push_back({"cores", State::kGood, absl::StrCat(worker::UsableCores(), " usable")});
  findings.push_back(
      {"memory", State::kGood, absl::StrCat(worker::UsableMemoryMb(), " MB usable")});

  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const bool few = limit.rlim_max < kComfortableDescriptors;
  findings.push_back({"open files", few ? State::kWarning : State::kGood,
                      absl::StrCat("at most ", limit.rlim_max),
                      few ? "a coordinator needs one for each worker: ulimit -Hn, LimitNOFILE= of "
                            "systemd, --ulimit nofile= of a container"
                          : ""});

  timex clock{};
  const bool free_running = adjtimex(&clock) == TIME_ERROR || (clock.status & STA_UNSYNC) != 0;
  findings.push_back(
      {"clock", free_running ? State::kWarning : State::kGood,
       free_running ? "the kernel does not know it to be synchronised" : "synchronised",
       free_running ? "run an NTP client here, or on the host of this machine: certificates "
                      "tolerate a difference of ten minutes"
                    : ""});
}

void LookAtProxies(const DoctorArguments& arguments, Findings& findings) {
  std::string found;
  for (const char* const name : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"}) {
    if (std::getenv(name) != nullptr) absl::StrAppend(&found, found.empty() ? "" : ", ", name);
  }
  if (found.empty()) {
    findings.push_back({"proxy", State::kGood, "none in the environment"});
  } else {
    findings.push_back({"proxy", State::kGood,
                        absl::StrCat(found, arguments.connection.tls.http_proxy
                                                ? ": used, because --http-proxy is given"
                                                : ": not used without --http-proxy")});
  }
}

void LookAtBook(const std::string& book, Findings& findings) {
  std::error_code error;
  if (std::filesystem::exists(book, error)) {
    const bool ours = IsBookDatabaseAt(book);
    findings.push_back(
        {"book", ours ? State::kGood : State::kBad,
         absl::StrCat(book, ours ? " is one of joseki" : " is no book database of joseki"),
         ours ? "" : "name one that `joseki import` made, or a file that is not there yet"});
  }
  const std::string network = coordinator::NetworkFileSystemOf(book);
  findings.push_back({"file system", network.empty() ? State::kGood : State::kBad,
                      network.empty() ? "local" : network + ", which another machine serves",
                      network.empty() ? "" : "put the book on a local disk, and backups here"});
  const absl::StatusOr<coordinator::DiskSpace> space = coordinator::SpaceFor(book);
  if (space.ok()) {
    const coordinator::DiskLevel level = coordinator::LevelOf(*space, {});
    findings.push_back(
        {"room", level == coordinator::DiskLevel::kPlenty ? State::kGood : State::kBad,
         absl::StrFormat("%.1f of %.1f GB are free", static_cast<double>(space->free) / 1e9,
                         static_cast<double>(space->total) / 1e9),
         level == coordinator::DiskLevel::kPlenty
             ? ""
             : "free some space: a coordinator grants no games on a disk this full"});
  } else {
    findings.push_back(
        {"room", State::kBad, Why(space.status()), "name a book in a folder that exists"});
  }
  std::string folder = std::filesystem::path(book).parent_path().string();
  if (folder.empty()) folder = ".";
  const absl::StatusOr<SyncLatency> sync = MeasureSync(folder);
  if (sync.ok()) {
    const bool slow = sync->p50_ms > 20;
    findings.push_back(
        {"sync", slow ? State::kWarning : State::kGood,
         absl::StrFormat("4 KiB take %.2f ms, at worst %.1f", sync->p50_ms, sync->p99_ms),
         slow ? "use a faster disk: every reply to a worker waits for a sync" : ""});
  } else {
    findings.push_back({"sync", State::kBad, Why(sync.status()), "name a folder that is writable"});
  }
}

// Checks whether a program could listen there.
void LookAtPort(const std::string& listen, Findings& findings) {
  const auto say = [&](State state, std::string found, std::string advice) {
    findings.push_back({"port", state, std::move(found), std::move(advice)});
  };
  const std::optional<HostPort> address = ParseHostPort(listen);
  if (!address) return say(State::kBad, Quote(listen), "HOST:PORT, such as 127.0.0.1:7460");
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(address->host.c_str(), absl::StrCat(address->port).c_str(), &hints, &found);
  if (error != 0) {
    return say(State::kBad, absl::StrCat(listen, ": ", gai_strerror(error)),
               "a name or address of this machine");
  }
  const auto release = absl::MakeCleanup([&] { freeaddrinfo(found); });
  const int probe = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto close_probe = absl::MakeCleanup([&] { close(probe); });
  const int on = 1;
  setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(probe, found->ai_addr, found->ai_addrlen) != 0) {
    const int why = errno;
    return say(State::kBad, absl::StrCat(listen, ": ", std::string(strerror(why))),
               why == EADDRINUSE
                   ? "stop the program that has it, or take another port"
                   : "an address of this machine, and a port that this user may open");
  }
  say(State::kGood, listen + " is free", "");
}

void LookAtCertificate(const certificates::TlsFiles& files, Findings& findings) {
  const auto bad = [&](const absl::Status& status) {
    findings.push_back({"certificate", State::kBad, Why(status),
                        "renew it: joseki certs server, worker or operator"});
  };
  std::array<std::string, 3> texts;
  const std::array<const std::string*, 3> paths = {&files.authority, &files.certificate,
                                                   &files.key};
  for (size_t i = 0; i < texts.size(); ++i) {
    absl::StatusOr<std::string> text = ReadFile(*paths[i]);
    if (!text.ok()) return bad(text.status());
    texts[i] = *std::move(text);
  }
  const absl::StatusOr<certificates::Certificate> certificate =
      certificates::ReadCertificate(texts[1], files.certificate);
  if (!certificate.ok()) return bad(certificate.status());
  const absl::Time now = absl::Now();
  const absl::Status checked = certificates::CheckCertificate(
      texts[0], texts[1], texts[2],
      certificate->identity ? certificates::End::kClient : certificates::End::kServer, now,
      files.certificate);
  if (!checked.ok()) return bad(checked);
  const std::string holder = certificate->identity
                                 ? absl::StrCat(std::string(NameOf(certificate->identity->role)),
                                                " ", certificate->identity->name)
                                 : "the coordinator";
  const int64_t days = absl::ToInt64Hours(certificate->not_after - now) / 24;
  const bool soon = certificate->not_after - now < kSoon;
  findings.push_back({"certificate", soon ? State::kWarning : State::kGood,
                      absl::StrCat("of ", holder, ", good for ", days, " days"),
                      soon ? "renew it in time (joseki certs)" : ""});
}

void LookAtCoordinator(const DoctorArguments& arguments, Context& context, Findings& findings) {
  const absl::Time asked = absl::Now();
  const auto cluster = Reach(context, arguments.connection);
  const absl::StatusOr<coordinator::ClusterStatus> status =
      cluster.ok() ? (*cluster)->GetStatus(/*run=*/0) : cluster.status();
  const std::string answers =
      absl::StrFormat("answers in %.0f ms", absl::ToDoubleMilliseconds(absl::Now() - asked));
  // A worker may not ask for the status. A coordinator that refuses it by its role has accepted its
  // certificate. Of a refusal at the door only the line arrives, without the problem's parts.
  if (absl::StrContains(status.status().message(), "wrong_role: found the worker ")) {
    findings.push_back(
        {"coordinator", State::kGood, answers + " and accepts the worker's certificate"});
    return;
  }
  if (!status.ok()) {
    findings.push_back({"coordinator", State::kBad, Why(status.status()),
                        "see docs/reference/operations.md, Trust"});
    return;
  }
  findings.push_back(
      {"coordinator", State::kGood,
       absl::StrFormat("%s; its last commit took %.1f ms", answers, status->commit_ms)});
  std::map<std::string, int> builds;
  std::string troubled;
  for (const coordinator::WorkerStatus& worker : status->workers) {
    if (!worker.build.empty()) ++builds[worker.build];
    if (worker.state == "quarantined" || worker.state == "faulty" || worker.state == "refused") {
      absl::StrAppend(&troubled, troubled.empty() ? "" : ", ", worker.worker, " (", worker.state,
                      ")");
    }
  }
  std::string found;
  for (const auto& [build, count] : builds) {
    absl::StrAppend(&found, found.empty() ? "" : ", ", count, " of ", build);
  }
  // Warn about different versions, not compilers: a worker's play is judged by its games.
  std::set<std::string> versions;
  for (const auto& [build, count] : builds) versions.insert(build.substr(0, build.find(' ')));
  const bool mixed = versions.size() > 1;
  findings.push_back({"builds", mixed ? State::kWarning : State::kGood,
                      found.empty() ? "no workers" : "workers: " + found,
                      mixed ? "install one version everywhere" : ""});
  if (!troubled.empty()) {
    findings.push_back({"workers", State::kBad, troubled, "see joseki workers"});
  }
}

// Checks engines by the worker's own command, which starts each of them.
void LookAtEngines(const std::string& engines, Findings& findings) {
  const auto say = [&](State state, std::string found, std::string advice) {
    findings.push_back({"engines", state, std::move(found), std::move(advice)});
  };
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "joseki-worker").string();
  std::string log = (std::filesystem::temp_directory_path() / "joseki-doctor-XXXXXX").string();
  const int made = mkstemp(log.data());
  if (made < 0) return say(State::kBad, "no temporary file", "set TMPDIR to a writable folder");
  close(made);
  const auto remove = absl::MakeCleanup([&] { unlink(log.c_str()); });
  absl::StatusOr<ChildProcess> child =
      ChildProcess::Start({program, "--engines", engines, "--check-engines"}, log);
  if (!child.ok()) {
    return say(State::kBad, Why(child.status()), "joseki-worker beside this program");
  }
  while (child->Running()) absl::SleepFor(absl::Milliseconds(50));
  if (child->EndedWell()) {
    say(State::kGood, absl::StrCat("all of ", engines, " start"), "");
  } else {
    say(State::kBad, child->LastWords() == "}" ? "not all of them start" : child->LastWords(),
        absl::StrCat("joseki-worker --engines ", engines, " --check-engines says which and why"));
  }
}

absl::Status RunDoctor(const DoctorArguments& arguments, Context& context) {
  Findings findings;
  findings.push_back({"version", State::kGood, JOSEKI_VERSION});
  LookAtMachine(findings);
  LookAtProxies(arguments, findings);
  if (!arguments.book.empty()) LookAtBook(arguments.book, findings);
  if (!arguments.listen.empty()) LookAtPort(arguments.listen, findings);
  if (!arguments.connection.tls.empty()) LookAtCertificate(arguments.connection.tls, findings);
  if (!arguments.connection.address.empty()) {
    LookAtCoordinator(arguments, context, findings);
  }
  if (!arguments.engines.empty()) LookAtEngines(arguments.engines, findings);

  std::map<State, int> counts;
  Json checks = Json::array();
  for (const Finding& finding : findings) {
    ++counts[finding.state];
    checks.push_back({{"check", finding.check},
                      {"state", Word(finding.state)},
                      {"found", finding.found},
                      {"advice", finding.advice}});
    if (context.json()) continue;
    context.out() << absl::StreamFormat("%-8s %-12s %s\n", Word(finding.state), finding.check,
                                        finding.found);
    if (!finding.advice.empty()) {
      context.out() << absl::StreamFormat("%22s-> %s\n", "", finding.advice);
    }
  }
  if (context.json()) {
    Json object;
    object["good"] = counts[State::kGood];
    object["warnings"] = counts[State::kWarning];
    object["bad"] = counts[State::kBad];
    object["checks"] = std::move(checks);
    context.PrintJson(object);
  } else {
    context.out() << absl::StreamFormat("%d good, %d warnings, %d bad\n", counts[State::kGood],
                                        counts[State::kWarning], counts[State::kBad]);
  }
  if (counts[State::kBad] > 0) context.set_exit_status(kFailed);
  return absl::OkStatus();
}

}  // namespace

void AddDoctor(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<DoctorArguments>();
  CLI::App* const command = app.add_subcommand(
      "doctor", "Checks whether a machine is fit for its task; fails if anything is bad");
  command
      ->add_option("--coordinator", arguments->connection.address,
                   "coordinator that this machine should reach")
      ->type_name("HOST:PORT");
  AddTlsOptions(*command, arguments->connection.tls);
  command
      ->add_option("--book", arguments->book, "planned place of a book: file system, space, syncs")
      ->type_name("FILE");
  command->add_option("--listen", arguments->listen, "planned address of a coordinator")
      ->type_name("HOST:PORT");
  command
      ->add_option("--engines", arguments->engines, "a worker's engines file; starts each of them")
      ->type_name("FILE");
  command->callback([arguments, &context] {
    const absl::Status status = RunDoctor(*arguments, context);
    if (!status.ok()) context.Finish(status);
  });
}

}  // namespace joseki::cli
