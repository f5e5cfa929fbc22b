#include "coordinator/page/page_server.h"

#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/address.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/page/book_file.h"
#include "coordinator/page/book_json.h"
#include "coordinator/page/diff_json.h"
#include "coordinator/page/http_server.h"
#include "coordinator/page/json.h"
#include "coordinator/page/kept_replies.h"
#include "coordinator/page/line_games.h"
#include "coordinator/page/packed_reply.h"
#include "coordinator/page/page_file.h"
#include "coordinator/page/page_password.h"
#include "coordinator/page/proof_json.h"
#include "coordinator/page/run_json.h"
#include "coordinator/page/shared_status.h"
#include "coordinator/page/worker_list.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostPlies = 512;
// Bounds of /api/line, for at most a tenth of a second's work.
constexpr uint64_t kLateGames = 20'000;
constexpr size_t kSamples = 20;
constexpr size_t kChanges = 60;  // positions of a difference
// Less than the page's own interval of two seconds, so that no page shows one status twice.
constexpr absl::Duration kFresh = absl::Seconds(1);
constexpr int kPageLevel = 9;
// Scripts and styles are inside the page.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

int HttpStatusOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return 400;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kUnavailable:
      return 503;
    default:
      return 500;
  }
}

Json ErrorJson(const absl::Status& status) {
  const Problem problem = ProblemOf(status);
  return {{"error",
           {{"code", problem.code},
            {"found", problem.found},
            {"expected", problem.expected},
            {"message", std::string(status.message())}}}};
}

// The request's number `name`, at least `least`; `what` describes it in errors.
absl::StatusOr<uint64_t> NumberOf(const HttpRequest& request, const char* name, const char* what,
                                  uint64_t least = 1) {
  const std::string text = request.Parameter(name);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least) {
    return number;
  }
  return MakeProblem(
      {.code = "bad_field", .file = name, .found = Quote(text.substr(0, 40)), .expected = what});
}

absl::StatusOr<RunId> RunOf(const HttpRequest& request) {
  return NumberOf(request, "run", "the number of a run");
}

// The run of the request; 0 is the book itself.
absl::StatusOr<RunId> RunOrBookOf(const HttpRequest& request) {
  return NumberOf(request, "run", "the number of a run, or 0 for the book itself", /*least=*/0);
}

absl::StatusOr<HostPort> ListenOf(const PageOptions& options) {
  const bool secured = !options.password_file.empty() && !options.certificate.empty();
  const std::string loopback = "a loopback address, to which `ssh -L` leads from elsewhere";
  return ListenAt({.option = options.option,
                   .text = options.listen,
                   .example = "127.0.0.1:7462",
                   .guarded = !options.only_loopback && (options.insecure_network || secured),
                   .guards = options.only_loopback
                                 ? loopback
                                 : "--tls and --page-password; or " + loopback +
                                       "; or --insecure-network where everybody may read"});
}

// Sizes and last modifications of a database, which other programs may write to: while they are
// equal, so is its content. A log without bytes counts as none, as readers make and remove it.
std::string VersionOfFile(const std::string& db_path) {
  std::string version;
  for (const char* const part : {"", "-wal"}) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(db_path + part, error);
    if (error || bytes == 0) continue;
    const auto written = std::filesystem::last_write_time(db_path + part, error);
    absl::StrAppend(&version, part, bytes, " ", error ? 0 : written.time_since_epoch().count(),
                    ";");
  }
  return version;
}

// Plaintext on loopback, and without a certificate.
bool IsEncrypted(const PageOptions& options, const HostPort& listen) {
  return !options.certificate.empty() && !IsLoopback(listen.host);
}

class HttpPage : public PageServer {
 public:
  HttpPage(PageOptions options, ReaderCalls& calls, const Rules& rules, const Clock& clock)
      : options_(std::move(options)),
        calls_(calls),
        rules_(rules),
        look_(
            [this] {
              ClusterStatus status = calls_.GetStatus(/*run=*/0);
              status.certificate_end = options_.certificate_end();
              return status;
            },
            kFresh, clock),
        kept_(clock),
        gzipped_page_(Gzip(PageFile(), kPageLevel)) {}

  absl::Status Listen() {
    ASSIGN_OR_RETURN(const HostPort listen, ListenOf(options_));
    loopback_ = IsLoopback(listen.host);
    if (!options_.password_file.empty()) {
      ASSIGN_OR_RETURN(password_, PagePassword(options_.password_file));
    }
    HttpServer::Options http{.listen = listen};
    if (IsEncrypted(options_, listen)) {
      http.certificate = options_.certificate;
      http.key = options_.key;
      scheme_ = "https";
    }
    absl::StatusOr<std::unique_ptr<HttpServer>> server = HttpServer::Start(
        std::move(http), [this](const HttpRequest& request) { return ReplyTo(request); });
    if (!server.ok()) {
      Problem problem = ProblemOf(server.status());
      if (problem.file.empty()) problem.file = options_.option;
      return MakeProblem(std::move(problem), server.status().code());
    }
    server_ = *std::move(server);
    address_ =
        absl::StrCat(options_.listen.substr(0, options_.listen.rfind(':')), ":", server_->port());
    return absl::OkStatus();
  }

  const std::string& address() const override { return address_; }
  const char* scheme() const override { return scheme_; }

 private:
  using Reply = absl::StatusOr<Json> (HttpPage::*)(const HttpRequest& request);

  HttpReply ReplyTo(const HttpRequest& request) {
    HttpReply reply = Admitted(request);
    reply.headers.insert(reply.headers.end(), {{"X-Content-Type-Options", "nosniff"},
                                               {"Referrer-Policy", "no-referrer"},
                                               {"Cross-Origin-Resource-Policy", "same-origin"},
                                               {"Cache-Control", "no-store"}});
    return reply;
  }

  HttpReply Admitted(const HttpRequest& request) {
    if (loopback_ && !NamesLoopback(request.host)) {
      // A misdirected request: another site's host name that resolves to this address.
      return {.status = 421,
              .content_type = "text/plain",
              .body = "this is not the host that you named\n"};
    }
    if (!MayRead(request)) {
      return {.status = 401,
              .content_type = "text/plain",
              .headers = {{"WWW-Authenticate", "Basic realm=\"Joseki\", charset=\"UTF-8\""}},
              .body = "the password of this page, with any name\n"};
    }
    if (request.method != "GET" && request.method != "HEAD") return {.status = 404};
    if (request.path == "/") {
      HttpReply page = Packed(request, PageFile(), gzipped_page_, "text/html; charset=utf-8");
      page.headers.emplace_back("Content-Security-Policy", kPolicy);
      return page;
    }
    const auto found = replies_.find(request.path);
    return found == replies_.end() ? HttpReply{.status = 404} : Told(request, found->second);
  }

  HttpReply Told(const HttpRequest& request, Reply reply) {
    const absl::Status busy = calls_.Admit();
    absl::StatusOr<Json> json = busy.ok() ? (this->*reply)(request) : busy;
    const absl::Status status = json.status();
    if (!status.ok()) json = ErrorJson(status);
    HttpReply told = Packed(request, json->dump(-1, ' ', false, Json::error_handler_t::replace),
                            "application/json");
    if (!status.ok()) told.status = HttpStatusOf(status);
    if (told.status == 503) told.headers.emplace_back("Retry-After", "2");
    return told;
  }

  // Compares hashes, so that the time reveals nothing of the password.
  bool MayRead(const HttpRequest& request) const {
    if (password_.empty()) return true;
    const std::string& header = request.authorization;
    const std::string_view scheme = "Basic ";
    std::string decoded;
    if (!std::string_view(header).starts_with(scheme) ||
        !absl::Base64Unescape(header.substr(scheme.size()), &decoded)) {
      return false;
    }
    const size_t colon = decoded.find(':');
    return colon != std::string::npos &&
           Sha256Of(std::string_view(decoded).substr(colon + 1)) == Sha256Of(password_);
  }

  static bool NamesLoopback(const std::string& host) {
    const std::optional<HostPort> named = ParseHostPort(host);
    return IsLoopback(named ? named->host : host);
  }

  absl::StatusOr<Json> Status(const HttpRequest&) {
    const SharedStatus::Look status = look_.Get();
    Json json = StatusJson(*status);
    for (size_t i = 0; i < status->runs.size(); ++i) {
      Json& run = json["runs"][i];
      run["match"] = status->runs[i].spec.match.has_value();
      if (options_.nobody_plays && run["state"] == "running") run["state"] = "unfinished";
    }
    json["with"] = options_.with ? Json(options_.with->name) : Json(nullptr);
    std::map<std::string, int> states;
    uint64_t seats = 0;
    for (const WorkerStatus& worker : status->workers) {
      ++states[worker.state];
      if (worker.state == "active") seats += worker.seats;
    }
    json["workers"] = states;
    json["slots"] = seats;
    return json;
  }

  absl::StatusOr<Json> Workers(const HttpRequest& request) {
    size_t most = std::numeric_limits<size_t>::max();
    if (request.parameters.contains("most")) {
      ASSIGN_OR_RETURN(most, NumberOf(request, "most", "how many workers to list, 1 or more"));
    }
    return WorkerListJson(look_.Get()->workers, request.Parameter("match"), most);
  }

  absl::StatusOr<std::unique_ptr<book::Store>> OpenStore() const {
    return book::Store::Open(options_.db_path, book::OpenMode::kReadOnly);
  }

  absl::StatusOr<Json> Book(const HttpRequest&) {
    return kept_.Get("book", VersionOfFile(options_.db_path), [this]() -> absl::StatusOr<Json> {
      ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store, OpenStore());
      return BookJson(*store);
    });
  }

  absl::StatusOr<Json> Run(const HttpRequest& request) {
    ASSIGN_OR_RETURN(const RunId run, RunOf(request));
    // Proofs are played after the run is over, when nothing else of it changes.
    const std::string version = VersionOf(run) + ProofVersion(options_.db_path, run);
    return kept_.Get(absl::StrCat("run ", run), version, [&]() -> absl::StatusOr<Json> {
      ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store, OpenStore());
      return RunReportJson(*store, rules_, run);
    });
  }

  absl::StatusOr<Json> Difference(const HttpRequest& request) {
    const std::string before = request.Parameter("before");
    const std::string after = request.Parameter("after");
    std::string version;
    for (const BookFile& file : Files()) version += VersionOfFile(file.db_path);
    return kept_.Get(absl::StrCat("diff ", before, " ", after), version,
                     [&] { return DiffJson(Files(), rules_, before, after, kChanges); });
  }

  absl::StatusOr<Json> FilesToCompare(const HttpRequest&) { return BookFilesJson(Files()); }

  // The coordinator's file, and the one to compare with.
  std::vector<BookFile> Files() const {
    std::string name = options_.name;
    if (name.empty()) name = std::filesystem::path(options_.db_path).filename().string();
    std::vector<BookFile> files = {{options_.db_path, std::move(name)}};
    if (options_.with) files.push_back(*options_.with);
    return files;
  }

  // The progress of a run: while it is equal, so is what the run's rows say.
  std::string VersionOf(RunId of) {
    std::string version;
    for (const RunStatus& run : look_.Get()->runs) {
      if (of != run.run) continue;
      absl::StrAppend(&version, run.state, " ", run.games_done, " ",
                      run.line_searches ? run.line_searches->games : 0, " ",
                      run.line_searches ? run.line_searches->trials : 0, ";");
    }
    return version;
  }

  absl::StatusOr<Json> Position(const HttpRequest& request) {
    ASSIGN_OR_RETURN(const RunId run, RunOrBookOf(request));
    const std::string asked = request.Parameter("position");
    ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store, OpenStore());
    Json json;
    if (run == 0) {
      ASSIGN_OR_RETURN(json, BookPositionJson(*store, rules_, asked));
    } else {
      ASSIGN_OR_RETURN(const PositionEvidence position, calls_.GetPosition(run, asked));
      json = PositionJson(position, rules_);
      RETURN_IF_ERROR(AddImported(*store, rules_, json));
    }
    ASSIGN_OR_RETURN(const auto state,
                     rules_.Start(json["position"].get<std::string>(), MatchRules()));
    json["opening"] = OpeningJson(rules_, state->packed());
    return json;
  }

  absl::StatusOr<Json> Line(const HttpRequest& request) {
    ASSIGN_OR_RETURN(const RunId run, RunOrBookOf(request));
    ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store, OpenStore());
    RunStore rows(*store);
    RunRow row;
    if (run != 0) {
      ASSIGN_OR_RETURN(row, rows.runs().Read(run));
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state,
                     rules_.Start(row.spec.start, row.spec.play.match));
    Json opening = OpeningJson(rules_, state->packed());
    std::vector<Move> line;
    const std::string moves = request.Parameter("moves");
    for (const absl::string_view piece : absl::StrSplit(moves, ' ', absl::SkipEmpty())) {
      const std::string_view text(piece.data(), piece.size());
      ASSIGN_OR_RETURN(const Move move, state->ParseMove(text));
      line.push_back(move);
      if (line.size() > kMostPlies || !state->Play(move)) {
        return MakeProblem({.code = "bad_field",
                            .file = "moves",
                            .found = Quote(std::string(text.substr(0, 40))),
                            .expected = "legal moves from the run's start"});
      }
      if (Json name = OpeningJson(rules_, state->packed()); !name.is_null()) {
        opening = std::move(name);
      }
    }
    if (run == 0) {
      return Json{{"start", row.spec.start}, {"opening", std::move(opening)},
                  {"looked_at", 0},          {"passed", 0},
                  {"exits", Json::array()},  {"games", Json::array()}};
    }
    ASSIGN_OR_RETURN(const Marks marks, rows.ReadMarks());
    // A run that is not played ends with its checkpoint, however many games of others follow.
    const bool ended = !row.running() && row.evidence_seq > 0;
    const uint64_t last = ended ? row.evidence_seq : marks.commit_seq;
    const uint64_t after = last > kLateGames ? last - kLateGames : 0;
    ASSIGN_OR_RETURN(const LineGames found, ReadLineGames(*store, run, line, state->side_to_move(),
                                                          after, last, kSamples));
    Json exits = Json::array();
    for (const Exit& exit : found.exits) {
      exits.push_back({{"move", rules_.Text(exit.move)},
                       {"wins", exit.wins},
                       {"draws", exit.draws},
                       {"losses", exit.losses}});
    }
    Json games = Json::array();
    for (const GameRow& game : found.sample) games.push_back(GameJson(game, rules_));
    return Json{{"start", row.spec.start},      {"opening", std::move(opening)},
                {"looked_at", found.looked_at}, {"passed", found.passed},
                {"exits", std::move(exits)},    {"games", std::move(games)}};
  }

  const PageOptions options_;
  ReaderCalls& calls_;
  const Rules& rules_;
  SharedStatus look_;
  KeptReplies kept_;
  const std::optional<std::string> gzipped_page_;
  bool loopback_ = true;
  std::string address_;
  std::string password_;  // empty: no password
  const char* scheme_ = "http";
  const std::map<std::string, Reply> replies_ = {{"/api/book", &HttpPage::Book},
                                                 {"/api/diff", &HttpPage::Difference},
                                                 {"/api/files", &HttpPage::FilesToCompare},
                                                 {"/api/run", &HttpPage::Run},
                                                 {"/api/status", &HttpPage::Status},
                                                 {"/api/workers", &HttpPage::Workers},
                                                 {"/api/position", &HttpPage::Position},
                                                 {"/api/line", &HttpPage::Line}};
  std::unique_ptr<HttpServer> server_;  // ends first: it calls the members above
};

}  // namespace

absl::Status PageServer::Check(const PageOptions& options) {
  RETURN_IF_ERROR(ListenOf(options).status());
  std::error_code error;
  if (!std::filesystem::exists(options.password_file, error)) return absl::OkStatus();
  return PagePassword(options.password_file).status();
}

std::string PageServer::UrlOf(const PageOptions& options) {
  const std::optional<HostPort> listen = ParseHostPort(options.listen);
  if (!listen || listen->port == 0) return "";
  return absl::StrCat(IsEncrypted(options, *listen) ? "https://" : "http://", options.listen, "/");
}

absl::StatusOr<std::unique_ptr<PageServer>> PageServer::Start(PageOptions options,
                                                              ReaderCalls& calls,
                                                              const Rules& rules,
                                                              const Clock& clock) {
  auto page = std::make_unique<HttpPage>(std::move(options), calls, rules, clock);
  RETURN_IF_ERROR(page->Listen());
  return page;
}

}  // namespace joseki::coordinator
