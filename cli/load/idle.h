#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/coordinator_port.h"

namespace joseki::cli {

// Workers without work: each has joined, keeps an Acquire pending and sends heartbeats.
class IdleWorkers {
 public:
  using MakePort = std::function<std::unique_ptr<worker::CoordinatorPort>(int worker)>;

  // Starts `count` workers; a few at a time join.
  IdleWorkers(int count, MakePort make_port);
  ~IdleWorkers();
  IdleWorkers(const IdleWorkers&) = delete;
  IdleWorkers& operator=(const IdleWorkers&) = delete;

  int joined() const { return joined_; }
  uint64_t beats() const { return beats_; }
  uint64_t failed_calls() const { return failed_; }

 private:
  struct Worker {
    std::unique_ptr<worker::CoordinatorPort> port;
    std::mutex mutex;
    std::optional<worker::Session> session;
    std::thread thread;
  };

  void Hold(Worker& worker, int number);
  bool Join(Worker& worker, int number);
  void Beat(size_t first, size_t step);
  bool Pause(absl::Duration wait);

  const MakePort make_port_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  std::condition_variable turn_;
  int joining_ = 0;  // guarded by mutex_
  std::atomic<int> joined_ = 0;
  std::atomic<uint64_t> beats_ = 0;
  std::atomic<uint64_t> failed_ = 0;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> beaters_;
};

// Connections that stay silent after they were opened, as those of a vanished peer.
class HalfOpenConnections {
 public:
  // Opens `count` connections to "HOST:PORT", the host in digits.
  static absl::StatusOr<HalfOpenConnections> Open(const std::string& address, int count);
  ~HalfOpenConnections();
  HalfOpenConnections(HalfOpenConnections&& other) noexcept = default;
  HalfOpenConnections& operator=(HalfOpenConnections&&) = delete;

 private:
  HalfOpenConnections() = default;
  std::vector<int> sockets_;
};

}  // namespace joseki::cli
