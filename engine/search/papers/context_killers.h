#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// J. Hashimoto's killers (2007): best moves, or moves that cut, of finished nodes, found again by
// what the nodes have in common. Moves on the path are codes below kCodes, with 0 for a pass;
// nothing here depends on a game.
class ContextKillers {
 public:
  static constexpr int kCodes = 8192;
  static constexpr int kMaxBrothers = 3;

  enum Kind : uint8_t {
    kBrother,  // best move of the latest nodes at the same distance from the root
    kPass,     // best move of the latest node at that distance that a pass led to
    kPremove,  // best move of the latest node after the same move
    kContext,  // best move of the latest node after the same two moves, or as the form
               // says
    kKindCount,
  };
  // Forms of the context.
  enum Form : uint8_t {
    kHashed = 1,      // the codes of two moves joined by XOR, the latest entry overwrites
    kBuckets = 2,     // four entries for each last move, the move before it compared
    kThree = 3,       // three moves, the older the less of its code
    kBeforeOnly = 4,  // the last move but one alone (the thesis's cross-check)
    kFour = 5,        // four moves, as kThree
  };

  static constexpr int kMostMoves = 4;

  // The last moves of a path, the latest first.
  struct Path {
    uint32_t code[kMostMoves] = {};
    bool passed = false;  // the latest was a pass
  };

  void Clear() {
    for (auto& killers : brother_) killers.fill({});
    pass_.fill({});
    premove_.fill({});
    context_.fill({});
    for (auto& bucket : buckets_) bucket = Bucket();
    if (contexts_ != nullptr) contexts_->fill({});
  }
  // Starts or stops keeping the moves behind each hashed context, which IsFalseHit needs. Forgets
  // those kept so far.
  void KeepContexts(bool keep) {
    contexts_ = keep ? std::make_unique<std::array<Context, kCodes>>() : nullptr;
  }

  // Sets whether a move keeps its place while it was found more often than others since; else the
  // latest move replaces it. Of the brothers only the first place is affected.
  void UseStrength(bool by_strength) { by_strength_ = by_strength; }

  // Learns from a finished node at `ply`: `best` was its best move or cut it. Returns how many
  // moves have kept their places.
  int OnNodeDone(int ply, const Path& path, Form form, Move best) {
    auto& brothers = brother_[static_cast<size_t>(ply)];
    int kept = 0;
    if (brothers[0].move != best.raw()) {
      if (by_strength_ && brothers[0].strength > 1) {
        --brothers[0].strength;
        ++kept;
      } else {
        for (size_t i = kMaxBrothers - 1; i > 0; --i) brothers[i] = brothers[i - 1];
        brothers[0] = {best.raw(), 1};
      }
    } else {
      kept += Put(best, brothers[0]);
    }
    if (path.passed) return kept + Put(best, pass_[static_cast<size_t>(ply)]);
    kept += Put(best, premove_[path.code[0] % kCodes]);
    if (form != kBuckets) {
      const size_t place = PlaceOf(path, form);
      const int stays = Put(best, context_[place]);
      if (contexts_ != nullptr && stays == 0) (*contexts_)[place] = ContextOf(path, form);
      return kept + stays;
    }
    Bucket& bucket = buckets_[path.code[0] % kCodes];
    for (Entry& entry : bucket.entries) {
      if (entry.before == path.code[1] && entry.killer.move != 0)
        return kept + Put(best, entry.killer);
    }
    bucket.entries[bucket.next] = {static_cast<uint16_t>(path.code[1]), {best.raw(), 1}};
    bucket.next = static_cast<uint8_t>((bucket.next + 1) % bucket.entries.size());
    return kept;
  }

  // Whether Find's move for a hashed context comes from a node after other moves: two contexts
  // share a place. REQUIRES: KeepContexts(true).
  bool IsFalseHit(const Path& path, Form form) const {
    return form != kBuckets && !path.passed && context_[PlaceOf(path, form)].move != 0 &&
           (*contexts_)[PlaceOf(path, form)] != ContextOf(path, form);
  }

  // The killer of this kind, not checked for legality; Move() if there is none. `brother` is its
  // number.
  Move Find(Kind kind, int ply, const Path& path, Form form, int brother = 0) const {
    switch (kind) {
      case kBrother:
        return Move(brother_[static_cast<size_t>(ply)][static_cast<size_t>(brother)].move);
      case kPass:
        return Move(pass_[static_cast<size_t>(ply)].move);
      case kPremove:
        return path.passed ? Move() : Move(premove_[path.code[0] % kCodes].move);
      case kContext:
        if (path.passed) return Move();
        if (form != kBuckets) return Move(context_[PlaceOf(path, form)].move);
        for (const Entry& entry : buckets_[path.code[0] % kCodes].entries) {
          if (entry.before == path.code[1]) return Move(entry.killer.move);
        }
        return Move();
      default:
        return Move();
    }
  }

 private:
  struct Killer {
    uint16_t move = 0;
    uint16_t strength = 0;  // excess of its finds over other moves' since it came
  };
  struct Entry {
    uint16_t before = 0;
    Killer killer;
  };
  struct Bucket {
    std::array<Entry, 4> entries{};
    uint8_t next = 0;
  };

  // The codes that a form hashes, 0 for those that it leaves out.
  using Context = std::array<uint32_t, kMostMoves>;
  static Context ContextOf(const Path& path, Form form) {
    return {form == kBeforeOnly ? 0 : path.code[0], path.code[1],
            form == kThree || form == kFour ? path.code[2] : 0, form == kFour ? path.code[3] : 0};
  }

  // 1 if another move keeps the place, else 0.
  int Put(Move best, Killer& killer) const {
    constexpr uint16_t kMostStrength = 255;
    if (killer.move == best.raw()) {
      killer.strength = static_cast<uint16_t>(killer.strength + (killer.strength < kMostStrength));
      return 0;
    }
    if (by_strength_ && killer.strength > 1) {
      --killer.strength;
      return 1;
    }
    killer = {best.raw(), 1};
    return 0;
  }

  static size_t PlaceOf(const Path& path, Form form) {
    const uint32_t three = path.code[0] ^ path.code[1] << 1 ^ (path.code[2] & 0x3ff) << 3;
    switch (form) {
      case kThree:
        return three % kCodes;
      case kFour:
        return (three ^ (path.code[3] & 0xff) << 5) % kCodes;
      case kBeforeOnly:
        return path.code[1] % kCodes;
      default:
        return (path.code[0] ^ path.code[1]) % kCodes;
    }
  }

  bool by_strength_ = false;
  std::array<std::array<Killer, kMaxBrothers>, kMaxPly + 1> brother_{};
  std::array<Killer, kMaxPly + 1> pass_{};
  std::array<Killer, kCodes> premove_{};
  std::array<Killer, kCodes> context_{};
  std::array<Bucket, kCodes> buckets_{};
  std::unique_ptr<std::array<Context, kCodes>> contexts_;  // null: they are not kept
};

// Rates of each kind: how often it was legal at a node, and then its best move or the one that cut.
// The thesis calls that the effective rate. They are counted by plies left and by stage of the
// game. Effective ones are also counted by category of the realisation probability and by that of
// the thesis (PurposeOf).
struct KillerRates {
  static constexpr int kDepths = 12;  // the last one and beyond
  static constexpr int kStages = 4;
  static constexpr int kCategories = 128;
  static constexpr int kPurposes = 32;

  struct Rate {
    uint64_t legal = 0;
    uint64_t best = 0;
    uint64_t cut = 0;

    Rate Less(const Rate& earlier) const {
      return {legal - earlier.legal, best - earlier.best, cut - earlier.cut};
    }
    double effective() const {
      return legal == 0 ? 0 : static_cast<double>(best + cut) / static_cast<double>(legal);
    }
  };
  // Legal ones by context where the table's place held another context's move.
  uint64_t false_contexts = 0;
  // Rates of each kind by position, where positions were searched one after the other (Bench).
  std::array<std::vector<Rate>, ContextKillers::kKindCount> by_position;
  std::array<std::array<Rate, kDepths>, ContextKillers::kKindCount> by_depth{};
  std::array<std::array<Rate, kStages>, ContextKillers::kKindCount> by_stage{};
  std::array<std::array<uint64_t, kCategories>, ContextKillers::kKindCount> by_category{};
  std::array<std::array<uint64_t, kPurposes>, ContextKillers::kKindCount> by_purpose{};

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
