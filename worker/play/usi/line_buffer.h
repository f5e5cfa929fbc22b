#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace joseki::worker {

// Splits foreign bytes into lines. The part of a line beyond `most_bytes` is dropped, so that an
// endless line cannot fill memory. Nor should lines without end: the owner adds no more while the
// buffer is full.
class LineBuffer {
 public:
  explicit LineBuffer(size_t most_bytes) : most_bytes_(most_bytes) {}

  void Add(std::string_view bytes) {
    while (!bytes.empty()) {
      const size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      begun_.append(part.substr(0, most_bytes_ - std::min(most_bytes_, begun_.size())));
      if (end == std::string_view::npos) return;
      if (!begun_.empty() && begun_.back() == '\r') begun_.pop_back();
      waiting_ += begun_.size() + 1;
      lines_.push_back(std::exchange(begun_, {}));
      bytes.remove_prefix(end + 1);
    }
  }

  // The next whole line, without its line feed.
  std::optional<std::string> Next() {
    if (lines_.empty()) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    waiting_ -= line.size() + 1;
    return line;
  }

  // Whether the whole lines that wait are as large as this many of the longest.
  static constexpr size_t kMostLongLines = 16;
  bool full() const { return waiting_ >= kMostLongLines * most_bytes_; }

  // Drops the whole lines that wait.
  void Clear() {
    lines_.clear();
    waiting_ = 0;
  }

 private:
  const size_t most_bytes_;
  std::deque<std::string> lines_;
  size_t waiting_ = 0;  // bytes of lines_, line feeds included
  std::string begun_;
};

// The last bytes of a stream.
class ByteTail {
 public:
  explicit ByteTail(size_t most_bytes) : most_bytes_(most_bytes) {}

  void Add(std::string_view bytes) {
    bytes_.append(bytes.substr(bytes.size() - std::min(bytes.size(), most_bytes_)));
    if (bytes_.size() > most_bytes_) bytes_.erase(0, bytes_.size() - most_bytes_);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  const size_t most_bytes_;
  std::string bytes_;
};

}  // namespace joseki::worker
