#include "coordinator/page/page_server.h"

#include <httplib.h>

#include <atomic>
#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/address.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/page/json.h"
#include "coordinator/page/line_games.h"
#include "coordinator/page/packed_answer.h"
#include "coordinator/page/page_file.h"
#include "coordinator/page/page_password.h"
#include "coordinator/page/shared_status.h"
#include "coordinator/page/worker_list.h"
#include "coordinator/store/run_store.h"
#include "coordinator/store/store.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kThreads = 4;
constexpr time_t kReadSeconds = 10;
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
absl::StatusOr<uint64_t> NumberOf(const httplib::Request& request, const char* name,
                                  const char* what) {
  const std::string text = request.get_param_value(name);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number > 0) return number;
  return MakeProblem(
      {.code = "bad_field", .file = name, .found = Quote(text.substr(0, 40)), .expected = what});
}

absl::StatusOr<RunId> RunOf(const httplib::Request& request) {
  return NumberOf(request, "run", "the number of a run");
}

class HttpPage : public PageServer {
 public:
  HttpPage(PageOptions options, Coordinator& coordinator, const Rules& rules, const Clock& clock)
      : options_(std::move(options)),
        coordinator_(coordinator),
        rules_(rules),
        status_([this] { return coordinator_.GetStatus(/*run=*/0); }, kFresh, clock),
        gzipped_page_(Gzip(PageFile(), kPageLevel)) {}
  ~HttpPage() override {
    if (server_ != nullptr) server_->stop();
    if (thread_.joinable()) thread_.join();
  }

  absl::Status Listen() {
    const std::optional<HostPort> listen = ParseHostPort(options_.listen);
    if (!listen) {
      return MakeProblem({.code = "bad_address",
                          .file = "--page",
                          .found = Quote(options_.listen),
                          .expected = "HOST:PORT, such as 127.0.0.1:7461"});
    }
    loopback_ = IsLoopback(listen->host);
    const bool secured = !options_.password_file.empty() && !options_.certificate.empty();
    if (!loopback_ && !options_.insecure_network && !secured) {
      return MakeProblem({.code = "insecure_network",
                          .file = "--page",
                          .found = options_.listen,
                          .expected = "--tls and --page-password; or a loopback address, to which "
                                      "`ssh -L` leads from elsewhere; or --insecure-network where "
                                      "everybody may read"},
                         absl::StatusCode::kFailedPrecondition);
    }
    if (!options_.password_file.empty()) {
      ASSIGN_OR_RETURN(password_, PagePassword(options_.password_file));
    }
    if (options_.certificate.empty() || loopback_) {
      server_ = std::make_unique<httplib::Server>();
    } else {
      server_ =
          std::make_unique<httplib::SSLServer>(options_.certificate.c_str(), options_.key.c_str());
      scheme_ = "https";
      if (!server_->is_valid()) {
        return MakeProblem({.code = "tls_files",
                            .file = options_.certificate,
                            .found = "no certificate and key that fit each other",
                            .expected = "those of `joseki certs init`"},
                           absl::StatusCode::kFailedPrecondition);
      }
    }
    Prepare();
    int port = listen->port;
    if (port == 0) {
      port = server_->bind_to_any_port(listen->host);
    } else if (!server_->bind_to_port(listen->host, port)) {
      port = -1;
    }
    if (port < 0) {
      return MakeProblem({.code = "cannot_listen",
                          .file = "--page",
                          .found = options_.listen,
                          .expected = "an address of this machine and a free port"},
                         absl::StatusCode::kUnavailable);
    }
    address_ = absl::StrCat(options_.listen.substr(0, options_.listen.rfind(':')), ":", port);
    thread_ = std::thread([this] {
      server_->listen_after_bind();
      ended_ = true;
    });
    // Before it listens it cannot be stopped.
    while (!server_->is_running() && !ended_) std::this_thread::yield();
    return absl::OkStatus();
  }

  const std::string& address() const override { return address_; }
  const char* scheme() const override { return scheme_; }

 private:
  using Answer = absl::StatusOr<Json> (HttpPage::*)(const httplib::Request& request);

  void Prepare() {
    server_->new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_->set_read_timeout(kReadSeconds);
    server_->set_write_timeout(kReadSeconds);
    server_->set_payload_max_length(0);
    server_->set_default_headers({{"X-Content-Type-Options", "nosniff"},
                                  {"Referrer-Policy", "no-referrer"},
                                  {"Cross-Origin-Resource-Policy", "same-origin"},
                                  {"Cache-Control", "no-store"}});
    server_->set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          if (!loopback_ || NamesLoopback(request.get_header_value("Host"))) {
            if (MayRead(request)) return httplib::Server::HandlerResponse::Unhandled;
            response.status = 401;
            response.set_header("WWW-Authenticate", "Basic realm=\"Joseki\", charset=\"UTF-8\"");
            response.set_content("the password of this page, with any name\n", "text/plain");
            return httplib::Server::HandlerResponse::Handled;
          }
          response.status = 421;  // misdirected: a name of somebody else's that leads here
          response.set_content("this is not the host that you named\n", "text/plain");
          return httplib::Server::HandlerResponse::Handled;
        });
    server_->Get("/", [this](const httplib::Request& request, httplib::Response& response) {
      response.set_header("Content-Security-Policy", kPolicy);
      SendPacked(request, PageFile(), gzipped_page_, "text/html; charset=utf-8", response);
    });
    Serve("/api/status", &HttpPage::Status);
    Serve("/api/workers", &HttpPage::Workers);
    Serve("/api/position", &HttpPage::Position);
    Serve("/api/line", &HttpPage::Line);
  }

  void Serve(const char* path, Answer answer) {
    server_->Get(path,
                 [this, answer](const httplib::Request& request, httplib::Response& response) {
                   const absl::Status busy = coordinator_.AdmitReader();
                   absl::StatusOr<Json> json = busy.ok() ? (this->*answer)(request) : busy;
                   if (!json.ok()) {
                     response.status = HttpStatusOf(json.status());
                     if (response.status == 503) response.set_header("Retry-After", "2");
                     json = ErrorJson(json.status());
                   }
                   SendPacked(request, json->dump(-1, ' ', false, Json::error_handler_t::replace),
                              "application/json", response);
                 });
  }

  // Hashes are compared, so that the time it takes says nothing of the password.
  bool MayRead(const httplib::Request& request) const {
    if (password_.empty()) return true;
    const std::string header = request.get_header_value("Authorization");
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

  absl::StatusOr<Json> Status(const httplib::Request&) {
    const SharedStatus::Look status = status_.Get();
    Json json = StatusJson(*status);
    std::map<std::string, int> states;
    uint64_t slots = 0;
    for (const WorkerStatus& worker : status->workers) {
      ++states[worker.state];
      if (worker.state == "active") slots += worker.slots;
    }
    json["workers"] = states;
    json["slots"] = slots;
    return json;
  }

  absl::StatusOr<Json> Workers(const httplib::Request& request) {
    size_t most = std::numeric_limits<size_t>::max();
    if (request.has_param("most")) {
      ASSIGN_OR_RETURN(most, NumberOf(request, "most", "how many workers to list, 1 or more"));
    }
    return WorkerListJson(status_.Get()->workers, request.get_param_value("match"), most);
  }

  absl::StatusOr<Json> Position(const httplib::Request& request) {
    ASSIGN_OR_RETURN(const RunId run, RunOf(request));
    ASSIGN_OR_RETURN(const PositionEvidence position,
                     coordinator_.GetPosition(run, request.get_param_value("position")));
    return PositionJson(position, rules_);
  }

  absl::StatusOr<Json> Line(const httplib::Request& request) {
    ASSIGN_OR_RETURN(const RunId run, RunOf(request));
    ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                     Store::Open(options_.db_path, OpenMode::kReadOnly));
    RunStore rows(*store);
    ASSIGN_OR_RETURN(const RunRow row, rows.ReadRun(run));
    ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state,
                     rules_.Start(row.spec.start, row.spec.play.match));
    std::vector<Move> line;
    const std::string moves = request.get_param_value("moves");
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
  std::unique_ptr<httplib::Server> server_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PageServer>> PageServer::Start(PageOptions options,
                                                              Coordinator& coordinator,
                                                              const Rules& rules,
                                                              const Clock& clock) {
  auto page = std::make_unique<HttpPage>(std::move(options), coordinator, rules, clock);
  RETURN_IF_ERROR(page->Listen());
  return page;
}

}  // namespace joseki::coordinator
