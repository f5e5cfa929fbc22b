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
#include "coordinator/page/http_server.h"
#include "coordinator/page/json.h"
#include "coordinator/page/line_games.h"
#include "coordinator/page/packed_reply.h"
#include "coordinator/page/page_file.h"
#include "coordinator/page/page_password.h"
#include "coordinator/page/shared_status.h"
#include "coordinator/page/worker_list.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostPlies = 512;
// What /api/line looks at: a tenth of a second's work at most.
constexpr uint64_t kLateGames = 20'000;
constexpr size_t kSamples = 20;
// Less than the page's own interval of two seconds, so that no page shows the same look twice.
constexpr absl::Duration kFresh = absl::Seconds(1);
constexpr int kPageLevel = 9;
// Scripts and styles are in the page itself.
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

// What the request calls `name`, a number above 0; `what` says of what.
absl::StatusOr<uint64_t> NumberOf(const HttpRequest& request, const char* name, const char* what) {
  const std::string text = request.Parameter(name);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number > 0) return number;
  return MakeProblem(
      {.code = "bad_field", .file = name, .found = Quote(text.substr(0, 40)), .expected = what});
}

absl::StatusOr<RunId> RunOf(const HttpRequest& request) {
  return NumberOf(request, "run", "the number of a run");
}

absl::StatusOr<HostPort> ListenOf(const PageOptions& options) {
  const bool secured = !options.password_file.empty() && !options.certificate.empty();
  return ListenAt({.option = "--page",
                   .text = options.listen,
                   .example = "127.0.0.1:7461",
                   .guarded = options.insecure_network || secured,
                   .guards = "--tls and --page-password; or a loopback address, to which "
                             "`ssh -L` leads from elsewhere; or --insecure-network where "
                             "everybody may read"});
}

class HttpPage : public PageServer {
 public:
  HttpPage(PageOptions options, Coordinator& coordinator, const Rules& rules, const Clock& clock)
      : options_(std::move(options)),
        coordinator_(coordinator),
        rules_(rules),
        status_(
            [this] {
              ClusterStatus status = coordinator_.GetStatus(/*run=*/0);
              status.certificate_end = options_.certificate_end();
              return status;
            },
            kFresh, clock),
        gzipped_page_(Gzip(PageFile(), kPageLevel)) {}

  absl::Status Listen() {
    ASSIGN_OR_RETURN(const HostPort listen, ListenOf(options_));
    loopback_ = IsLoopback(listen.host);
    if (!options_.password_file.empty()) {
      ASSIGN_OR_RETURN(password_, PagePassword(options_.password_file));
    }
    HttpServer::Options http{.listen = listen};
    if (!options_.certificate.empty() && !loopback_) {
      http.certificate = options_.certificate;
      http.key = options_.key;
      scheme_ = "https";
    }
    absl::StatusOr<std::unique_ptr<HttpServer>> server = HttpServer::Start(
        std::move(http), [this](const HttpRequest& request) { return ReplyTo(request); });
    if (!server.ok()) {
      Problem problem = ProblemOf(server.status());
      if (problem.file.empty()) problem.file = "--page";
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
      // Misdirected: a name of somebody else's that leads here.
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
    const absl::Status busy = coordinator_.AdmitReader();
    absl::StatusOr<Json> json = busy.ok() ? (this->*reply)(request) : busy;
    const absl::Status status = json.status();
    if (!status.ok()) json = ErrorJson(status);
    HttpReply told = Packed(request, json->dump(-1, ' ', false, Json::error_handler_t::replace),
                            "application/json");
    if (!status.ok()) told.status = HttpStatusOf(status);
    if (told.status == 503) told.headers.emplace_back("Retry-After", "2");
    return told;
  }

  // Hashes are compared, so that the time it takes says nothing of the password.
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
    const SharedStatus::Look status = status_.Get();
    Json json = StatusJson(*status);
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
    return WorkerListJson(status_.Get()->workers, request.Parameter("match"), most);
  }

  absl::StatusOr<Json> Position(const HttpRequest& request) {
    ASSIGN_OR_RETURN(const RunId run, RunOf(request));
    ASSIGN_OR_RETURN(const PositionEvidence position,
                     coordinator_.GetPosition(run, request.Parameter("position")));
    return PositionJson(position, rules_);
  }

  absl::StatusOr<Json> Line(const HttpRequest& request) {
    ASSIGN_OR_RETURN(const RunId run, RunOf(request));
    ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                     book::Store::Open(options_.db_path, book::OpenMode::kReadOnly));
    RunStore rows(*store);
    ASSIGN_OR_RETURN(const RunRow row, rows.ReadRun(run));
    ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state,
                     rules_.Start(row.spec.start, row.spec.play.match));
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
    }
    ASSIGN_OR_RETURN(const RunStore::Marks marks, rows.ReadMarks());
    const uint64_t after = marks.commit_seq > kLateGames ? marks.commit_seq - kLateGames : 0;
    ASSIGN_OR_RETURN(const LineGames found,
                     ReadLineGames(*store, run, line, state->side_to_move(), after, kSamples));
    Json exits = Json::array();
    for (const Exit& exit : found.exits) {
      exits.push_back({{"move", rules_.Text(exit.move)},
                       {"wins", exit.wins},
                       {"draws", exit.draws},
                       {"losses", exit.losses}});
    }
    Json games = Json::array();
    for (const GameRow& game : found.sample) games.push_back(GameJson(game, rules_));
    return Json{{"start", row.spec.start},
                {"looked_at", found.looked_at},
                {"passed", found.passed},
                {"exits", std::move(exits)},
                {"games", std::move(games)}};
  }

  const PageOptions options_;
  Coordinator& coordinator_;
  const Rules& rules_;
  SharedStatus status_;
  const std::optional<std::string> gzipped_page_;
  bool loopback_ = true;
  std::string address_;
  std::string password_;  // empty: none is asked for
  const char* scheme_ = "http";
  const std::map<std::string, Reply> replies_ = {{"/api/status", &HttpPage::Status},
                                                 {"/api/workers", &HttpPage::Workers},
                                                 {"/api/position", &HttpPage::Position},
                                                 {"/api/line", &HttpPage::Line}};
  std::unique_ptr<HttpServer> server_;  // ends first, for it calls the others
};

}  // namespace

absl::Status PageServer::Check(const PageOptions& options) {
  RETURN_IF_ERROR(ListenOf(options).status());
  std::error_code error;
  if (!std::filesystem::exists(options.password_file, error)) return absl::OkStatus();
  return PagePassword(options.password_file).status();
}

absl::StatusOr<std::unique_ptr<PageServer>> PageServer::Start(PageOptions options,
                                                              Coordinator& coordinator,
                                                              const Rules& rules,
                                                              const Clock& clock) {
  auto page = std::make_unique<HttpPage>(std::move(options), coordinator, rules, clock);
  RETURN_IF_ERROR(page->Listen());
  return page;
}

}  // namespace joseki::coordinator
