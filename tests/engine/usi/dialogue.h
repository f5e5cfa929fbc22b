#pragma once

#include <condition_variable>
#include <istream>
#include <memory>
#include <mutex>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/usi/engine_loop.h"
#include "engine/usi/shogi/shogi_engine.h"
#include "engine/usi/xiangqi/xiangqi_engine.h"

namespace joseki::usi {

// Makes engines with a small table, which is quick to set up.
inline EngineLoop::EngineMaker ShogiMaker(ShogiBooks books = {}) {
  const auto held = std::make_shared<ShogiBooks>(std::move(books));
  return [held](const Protocol& protocol) {
    return MakeShogiEngine(protocol, {.hash_mb = 1}, std::move(*held));
  };
}
inline EngineLoop::EngineMaker XiangqiMaker(std::unique_ptr<OwnBook> book = nullptr) {
  const auto held = std::make_shared<std::unique_ptr<OwnBook>>(std::move(book));
  return [held](const Protocol& protocol) {
    return MakeXiangqiEngine(protocol, {.hash_mb = 1}, std::move(*held));
  };
}
// Chooses the game by the protocol, as the program does.
inline EngineLoop::EngineMaker AnyMaker() {
  return [](const Protocol& protocol) {
    return protocol.game == "xiangqi" ? XiangqiMaker()(protocol) : ShogiMaker()(protocol);
  };
}

// The loop's answer to all of `input` at once. Searches must have limits: the end of the input lets
// them finish.
inline std::string AnswerOf(EngineLoop::EngineMaker make, const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  EngineLoop(in, out, std::move(make)).Run();
  return out.str();
}

inline bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A byte queue between threads: reading blocks until data arrives or it is closed.
class Pipe : public std::streambuf {
 public:
  void Close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 protected:
  int_type overflow(int_type c) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    bytes_ += traits_type::to_char_type(c);
    changed_.notify_all();
    return c;
  }
  int_type underflow() override {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !bytes_.empty(); });
    if (bytes_.empty()) return traits_type::eof();
    current_ = bytes_.front();
    bytes_.erase(0, 1);
    setg(&current_, &current_, &current_ + 1);
    return traits_type::to_int_type(current_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string bytes_;
  bool closed_ = false;
  char current_ = 0;
};

// A user interface that writes a line and waits for a line. It has no timeout: a missing answer
// hangs the test.
class Dialogue {
 public:
  explicit Dialogue(EngineLoop::EngineMaker make)
      : thread_([this, make = std::move(make)] {
          std::istream in(&to_engine_);
          std::ostream out(&from_engine_);
          EngineLoop(in, out, make).Run();
          from_engine_.Close();
        }) {}
  ~Dialogue() {
    to_engine_.Close();
    thread_.join();
  }

  void Say(const std::string& line) { std::ostream(&to_engine_) << line << "\n"; }
  // The next line that begins with `prefix`; `passed` receives the lines before it.
  std::string Await(const std::string& prefix) {
    passed.clear();
    std::istream in(&from_engine_);
    for (std::string line; std::getline(in, line);) {
      if (line.rfind(prefix, 0) == 0) return line;
      passed.push_back(line);
    }
    return "";
  }

  std::vector<std::string> passed;

 private:
  Pipe to_engine_;
  Pipe from_engine_;
  std::thread thread_;
};

}  // namespace joseki::usi
