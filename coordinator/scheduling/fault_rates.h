#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace joseki::coordinator {

// Which workers break their games. A fault is charged to its worker before it is held against a
// line: whoever breaks most of what it is given is to blame, not the book.
//
// Looked at are the last kWindow slots of each worker that brought a game or a fault. A worker is
// faulty if it has had kLeast of them, more than half were faults, and either another worker that
// has had kCompared breaks a quarter as much at most (so the games can be played), or there is no
// such other and hardly anything came of this one's. Where all that are there break their games,
// the run may be to blame, and nobody is. Since construction; not thread-safe.
class FaultRates {
 public:
  static constexpr uint32_t kWindow = 64;
  static constexpr uint32_t kLeast = 24;
  static constexpr uint32_t kCompared = 8;

  // A slot of the worker brought a fault or not.
  void Add(const std::string& worker, bool fault);
  // It begins anew: it was let in again.
  void Forget(const std::string& worker) { windows_.erase(worker); }
  // For people, what the worker is blamed for; nullopt if it is not.
  std::optional<std::string> WhyFaulty(const std::string& worker) const;

 private:
  struct Window {
    uint64_t faults = 0;  // a bit for each of the last slots
    uint32_t slots = 0;
    double Share() const;
    uint32_t Faults() const;
  };

  std::map<std::string, Window> windows_;
};

}  // namespace joseki::coordinator
