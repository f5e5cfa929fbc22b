#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace joseki::book {

// The workers behind a repertoire's sources. A worker has many sources; both have the owner's
// numbers, which begin at 0. Not thread-safe.
class Witnesses {
 public:
  // Notes a report of the worker as `source`.
  void Add(uint32_t source, uint32_t worker);
  // Notes that another source, which has reported something, found a report of `source` again.
  void Confirm(uint32_t source, uint32_t again);
  // Ignores these sources; replaces the set of the previous call.
  void Distrust(const std::function<bool(uint32_t source)>& distrusted);

  // The worker of the source; nullopt: the source is not trusted, or has reported nothing.
  std::optional<uint32_t> WorkerOf(uint32_t source) const;
  // Whether the worker's reports stand by themselves: other trusted workers have found kVouching of
  // them again. It is also true while those workers have made fewer than one report in kAlone, too
  // few to do so.
  bool vouched_for(uint32_t worker) const;
  static constexpr uint32_t kVouching = 8;
  static constexpr uint64_t kAlone = 16;
  // Whether at least two workers have trusted sources.
  bool several() const { return trusted_ > 1; }

 private:
  struct Source {
    std::optional<uint32_t> worker;
    uint64_t reports = 0;
    bool distrusted = false;
  };
  struct Worker {
    uint64_t reports = 0;        // of its trusted sources
    uint32_t confirmations = 0;  // of these, by others
  };
  struct Confirmation {
    uint32_t source = 0;
    uint32_t again = 0;
  };

  void Count(uint32_t worker, uint64_t reports);
  void Count(const Confirmation& confirmation);

  std::vector<Source> sources_;
  std::vector<Worker> workers_;
  size_t trusted_ = 0;    // number of workers with a trusted source
  uint64_t reports_ = 0;  // of trusted sources
  std::vector<Confirmation> confirmations_;
};

}  // namespace joseki::book
