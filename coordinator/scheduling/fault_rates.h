#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace joseki::coordinator {

// Finds workers that break their games. A fault is charged to its worker before it is charged to a
// line. A worker most of whose slots fail is to blame, not the book.
//
// Each worker's last kWindow slots that brought a result or a fault count. A worker is faulty if it
// has had kLeast of them, more than half were faults, and one of two conditions holds:
// - another worker with kCompared slots has at most a quarter of its fault rate, so the games can
//   be played;
// - there is no such other worker, and this one finished hardly any game.
// If all workers break their games the run may be to blame, and no worker is. Counts since
// construction; not thread-safe.
class FaultRates {
 public:
  static constexpr uint32_t kWindow = 64;
  static constexpr uint32_t kLeast = 24;
  static constexpr uint32_t kCompared = 8;

  // Records a slot of the worker that brought a game or a search, or a fault with this text.
  void Add(const std::string& worker, bool fault, const std::string& text = "");
  // Starts the worker's record again.
  void Forget(const std::string& worker) { windows_.erase(worker); }
  // The evidence against the worker, for people; nullopt if it is not faulty.
  std::optional<std::string> WhyFaulty(const std::string& worker) const;

 private:
  struct Window {
    uint64_t faults = 0;  // a bit for each of the last slots
    uint32_t slots = 0;
    std::string last;  // fault's text
    double Share() const;
    uint32_t Faults() const;
  };

  std::map<std::string, Window> windows_;
};

}  // namespace joseki::coordinator
