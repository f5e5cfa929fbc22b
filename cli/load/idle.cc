#include "cli/load/idle.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/problem.h"

namespace joseki::cli {
namespace {

constexpr int kJoiningAtOnce = 32;
constexpr size_t kBeaters = 8;
constexpr absl::Duration kRetry = absl::Seconds(1);

}  // namespace

IdleWorkers::IdleWorkers(int count, MakePort make_port) : make_port_(std::move(make_port)) {
  for (int i = 0; i < count; ++i) workers_.push_back(std::make_unique<Worker>());
  for (int i = 0; i < count; ++i) {
    Worker& worker = *workers_[static_cast<size_t>(i)];
    worker.thread = std::thread([this, &worker, i] { Hold(worker, i); });
  }
  for (size_t i = 0; i < kBeaters; ++i) {
    beaters_.emplace_back([this, i] { Beat(i, kBeaters); });
  }
}

IdleWorkers::~IdleWorkers() {
  {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
  }
  stopped_.notify_all();
  turn_.notify_all();
  for (const auto& worker : workers_) worker->thread.join();
  for (std::thread& beater : beaters_) beater.join();
}

bool IdleWorkers::Pause(absl::Duration wait) {
  std::unique_lock lock(mutex_);
  stopped_.wait_for(lock, absl::ToChronoNanoseconds(wait),
                    [this] { return stop_.stop_requested(); });
  return !stop_.stop_requested();
}

bool IdleWorkers::Join(Worker& worker, int number) {
  {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [this] { return stop_.stop_requested() || joining_ < kJoiningAtOnce; });
    if (stop_.stop_requested()) return false;
    ++joining_;
  }
  worker::JoinInput input;
  input.worker = absl::StrCat("load-", number);
  input.seats = 1;
  input.engines = {{.id = "load", .name = "load generator"}};
  input.build = "joseki loadgen";
  if (worker.port == nullptr) worker.port = make_port_(number);
  absl::StatusOr<worker::Session> session = worker.port->Join(input, stop_.get_token());
  {
    const std::lock_guard lock(mutex_);
    --joining_;
  }
  turn_.notify_one();
  if (!session.ok()) {
    ++failed_;
    return false;
  }
  const std::lock_guard lock(worker.mutex);
  worker.session = *std::move(session);
  ++joined_;
  return true;
}

void IdleWorkers::Hold(Worker& worker, int number) {
  while (!stop_.stop_requested()) {
    if (!worker.session) {
      if (!Join(worker, number) && !Pause(kRetry)) return;
      continue;
    }
    const worker::Session session = *worker.session;
    const auto reply = worker.port->Acquire(session, {.want_slots = 1}, stop_.get_token());
    if (reply.ok()) {
      if (!Pause(reply->retry)) return;
      continue;
    }
    if (stop_.stop_requested()) return;
    ++failed_;
    if (absl::IsFailedPrecondition(reply.status())) {
      const std::lock_guard lock(worker.mutex);
      worker.session.reset();
      --joined_;
    }
    if (!Pause(kRetry)) return;
  }
}

void IdleWorkers::Beat(size_t first, size_t step) {
  absl::Duration interval = absl::Seconds(1);
  while (!stop_.stop_requested()) {
    // One round over this thread's workers takes one interval.
    const absl::Duration each = interval * static_cast<double>(step) / workers_.size();
    bool any = false;
    for (size_t i = first; i < workers_.size(); i += step) {
      if (!Pause(each)) return;
      Worker& worker = *workers_[i];
      std::optional<worker::Session> session;
      {
        const std::lock_guard lock(worker.mutex);
        session = worker.session;
      }
      if (!session) continue;
      any = true;
      interval = session->beat;
      if (worker.port->Beat(session->session, {}, stop_.get_token()).ok()) {
        ++beats_;
      } else if (!stop_.stop_requested()) {
        ++failed_;
      }
    }
    if (!any && !Pause(absl::Milliseconds(100))) return;
  }
}

absl::StatusOr<HalfOpenConnections> HalfOpenConnections::Open(const std::string& address,
                                                              int count) {
  const size_t colon = address.rfind(':');
  sockaddr_in to{};
  to.sin_family = AF_INET;
  uint16_t port = 0;
  if (colon != std::string::npos) {
    std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  }
  to.sin_port = htons(port);
  if (port == 0 || inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr) != 1) {
    return MakeProblem({.code = "bad_address",
                        .file = "--half-open",
                        .found = Quote(address),
                        .expected = "a coordinator at an IPv4 address in digits"});
  }
  HalfOpenConnections open;
  for (int i = 0; i < count; ++i) {
    const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made >= 0) open.sockets_.push_back(made);
    if (made < 0 || connect(made, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
      return MakeProblem({.code = "cannot_connect",
                          .file = address,
                          .found = std::strerror(errno),
                          .expected = "a listening coordinator"},
                         absl::StatusCode::kUnavailable);
    }
  }
  return open;
}

HalfOpenConnections::~HalfOpenConnections() {
  for (const int socket : sockets_) close(socket);
}

}  // namespace joseki::cli
