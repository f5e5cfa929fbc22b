#pragma once

#include <array>
#include <cstdint>

#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// J. Hashimoto's killers (2007): best moves, or moves that cut, of nodes that
// were finished before, found again by what the nodes have in common. Moves on
// the path are known by codes, numbers below kCodes with 0 for a pass; nothing
// here knows a game.
class ContextKillers {
 public:
  static constexpr int kCodes = 8192;
  static constexpr int kMaxSlots = 3;

  enum Kind : uint8_t {
    kBrother,  // of the latest nodes at the same distance from the root
    kPass,     // of the latest node at that distance that a pass led to
    kPremove,  // of the latest node after the same move
    kContext,  // of the latest node after the same two moves, or as the form
               // says
    kKindCount,
  };
  // How the context is found.
  enum Form : uint8_t {
    kHashed = 1,      // the codes of two moves joined by XOR, the latest entry overwrites
    kBuckets = 2,     // four entries for each last move, the move before it compared
    kThree = 3,       // three moves, the older the less of its code
    kBeforeOnly = 4,  // the last move but one alone (the thesis's cross-check)
  };

  // The last three moves of a path, the latest first.
  struct Path {
    uint32_t code[3] = {0, 0, 0};
    bool passed = false;  // the latest was a pass
  };

  void Clear() {
    for (auto& slots : brother_) slots.fill(0);
    pass_.fill(0);
    premove_.fill(0);
    context_.fill(0);
    for (auto& bucket : buckets_) bucket = Bucket();
  }

  // A node at `ply` is finished: `best` was its best move or cut it.
  void OnNodeDone(int ply, const Path& path, Form form, Move best) {
    auto& brothers = brother_[static_cast<size_t>(ply)];
    if (brothers[0] != best.raw()) {
      for (size_t i = kMaxSlots - 1; i > 0; --i) brothers[i] = brothers[i - 1];
      brothers[0] = best.raw();
    }
    if (path.passed) {
      pass_[static_cast<size_t>(ply)] = best.raw();
      return;
    }
    premove_[path.code[0] % kCodes] = best.raw();
    if (form != kBuckets) {
      context_[Slot(path, form)] = best.raw();
      return;
    }
    Bucket& bucket = buckets_[path.code[0] % kCodes];
    for (Entry& entry : bucket.entries) {
      if (entry.before != path.code[1] || entry.move == 0) continue;
      entry.move = best.raw();
      return;
    }
    bucket.entries[bucket.next] = {static_cast<uint16_t>(path.code[1]), best.raw()};
    bucket.next = static_cast<uint8_t>((bucket.next + 1) % bucket.entries.size());
  }

  // Move() if there is none. Not checked for legality. `slot` is for brothers.
  Move Find(Kind kind, int ply, const Path& path, Form form, int slot = 0) const {
    switch (kind) {
      case kBrother:
        return Move(brother_[static_cast<size_t>(ply)][static_cast<size_t>(slot)]);
      case kPass:
        return Move(pass_[static_cast<size_t>(ply)]);
      case kPremove:
        return path.passed ? Move() : Move(premove_[path.code[0] % kCodes]);
      case kContext:
        if (path.passed) return Move();
        if (form != kBuckets) return Move(context_[Slot(path, form)]);
        for (const Entry& entry : buckets_[path.code[0] % kCodes].entries) {
          if (entry.before == path.code[1]) return Move(entry.move);
        }
        return Move();
      default:
        return Move();
    }
  }

 private:
  struct Entry {
    uint16_t before = 0;
    uint16_t move = 0;
  };
  struct Bucket {
    std::array<Entry, 4> entries{};
    uint8_t next = 0;
  };

  static size_t Slot(const Path& path, Form form) {
    switch (form) {
      case kThree:
        return (path.code[0] ^ path.code[1] << 1 ^ (path.code[2] & 0x3ff) << 3) % kCodes;
      case kBeforeOnly:
        return path.code[1] % kCodes;
      default:
        return (path.code[0] ^ path.code[1]) % kCodes;
    }
  }

  std::array<std::array<uint16_t, kMaxSlots>, kMaxPly + 1> brother_{};
  std::array<uint16_t, kMaxPly + 1> pass_{};
  std::array<uint16_t, kCodes> premove_{};
  std::array<uint16_t, kCodes> context_{};
  std::array<Bucket, kCodes> buckets_{};
};

// How often each kind was legal at a node, and then its best move or the one
// that cut (the effective rate of the thesis), by plies left, by stage of the
// game, and of the effective ones by category.
struct KillerRates {
  static constexpr int kDepths = 12;  // the last one and beyond
  static constexpr int kStages = 4;
  static constexpr int kCategories = 128;

  struct Rate {
    uint64_t legal = 0;
    uint64_t best = 0;
    uint64_t cut = 0;

    double effective() const {
      return legal == 0 ? 0 : static_cast<double>(best + cut) / static_cast<double>(legal);
    }
  };
  std::array<std::array<Rate, kDepths>, ContextKillers::kKindCount> by_depth{};
  std::array<std::array<Rate, kStages>, ContextKillers::kKindCount> by_stage{};
  std::array<std::array<uint64_t, kCategories>, ContextKillers::kKindCount> by_category{};

  Rate Total(ContextKillers::Kind kind) const {
    Rate total;
    for (const Rate& rate : by_depth[kind]) {
      total.legal += rate.legal;
      total.best += rate.best;
      total.cut += rate.cut;
    }
    return total;
  }
};

}  // namespace joseki
