#include "coordinator/scheduling/verification.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "base/rng.h"

namespace joseki::coordinator {
namespace {

// Added to the place of undisputed games, so that disputes go first.
constexpr uint64_t kUndisputed = uint64_t{1} << 40;

}  // namespace

std::string_view WhyUnverified(const RunSpec& spec) {
  if (spec.verify_percent <= 0) return "not wanted";
  if (spec.play.engine_signature == 0) return "the engine has no signature";
  if (spec.play.nodes == 0) return "moves are not limited by nodes";
  if (spec.play.opponent) {
    if (spec.play.opponent->engine_signature == 0) return "the opponent's engine has no signature";
    if (spec.play.opponent->nodes == 0) return "the opponent's moves are not limited by nodes";
  }
  return "";
}

Judgement Judge(std::span<const Testimony> testimonies, const std::set<std::string>& blocked) {
  struct Party {
    GameOutcome outcome;
    std::set<std::string> workers;
  };
  std::vector<Party> parties;
  bool somebody_is_blocked = false;
  for (const Testimony& testimony : testimonies) {
    if (blocked.count(testimony.worker) != 0) {
      somebody_is_blocked = true;
      continue;
    }
    auto party = std::find_if(parties.begin(), parties.end(),
                              [&](const Party& p) { return p.outcome == testimony.outcome; });
    if (party == parties.end()) party = parties.insert(party, {testimony.outcome, {}});
    party->workers.insert(testimony.worker);
  }
  if (parties.size() < 2) return {testimonies.size() > 1 || somebody_is_blocked, {}};
  std::stable_sort(parties.begin(), parties.end(), [](const Party& a, const Party& b) {
    return a.workers.size() > b.workers.size();
  });
  if (parties[0].workers.size() < 2 || parties[0].workers.size() == parties[1].workers.size()) {
    return {};
  }
  std::set<std::string> wrong;
  for (size_t i = 1; i < parties.size(); ++i) {
    wrong.insert(parties[i].workers.begin(), parties[i].workers.end());
  }
  return {true, {wrong.begin(), wrong.end()}};
}

Verification::Verification(double percent, uint64_t seed) : percent_(percent), seed_(seed) {}

uint64_t Verification::WindowSize() const {
  return static_cast<uint64_t>(std::max(1.0, std::round(100 / percent_)));
}

uint64_t Verification::PlaceIn(const std::string& worker, uint64_t window) const {
  return Rng(seed_).Split(Hash64(worker)).Split(window).Below(WindowSize());
}

void Verification::Played(const SlotRef& game, const Slot& slot, const Testimony& testimony) {
  if (percent_ <= 0) return;
  Count& count = counts_[testimony.worker];
  if (testimony.session > count.session) count = {testimony.session, 0, 0, std::nullopt};
  const uint64_t number = count.games++;
  if (!count.place || count.window != number / WindowSize()) {
    count.window = number / WindowSize();
    count.place = PlaceIn(testimony.worker, count.window);
  }
  if (number >= kFirstGames && number % WindowSize() != *count.place) return;
  if (disputed_.size() >= kMostDisputes) return;
  const auto added = items_.try_emplace(game);
  if (!added.second) return;
  added.first->second.slot = slot;
  added.first->second.testimonies = {testimony};
  Wait(added.first);
}

void Verification::RestoreDispute(const SlotRef& game, const Slot& slot,
                                  std::vector<Testimony> testimonies) {
  const auto added = items_.try_emplace(game);
  Item& item = added.first->second;
  item.slot = slot;
  StopWaiting(item);
  item.testimonies = std::move(testimonies);
  if (item.disputed()) disputed_.insert(game);
  if (item.taken == 0) Wait(added.first);
}

void Verification::RestoreTaken(const SlotRef& game, const Slot& slot, const Testimony& testimony) {
  const auto added = items_.try_emplace(game);
  Item& item = added.first->second;
  StopWaiting(item);
  if (added.second) {
    item.slot = slot;
    item.testimonies = {testimony};
  }
  ++item.taken;
  ++taken_;
}

bool Verification::MayPlay(const Item& item, const std::string& worker, SessionId session,
                           bool alone, SlotKinds kinds) {
  if (!kinds.Has(item.slot.kind)) return false;
  return std::none_of(
      item.testimonies.begin(), item.testimonies.end(), [&](const Testimony& testimony) {
        return testimony.worker == worker && (!alone || testimony.session == session);
      });
}

std::vector<Verification::Copy> Verification::Take(const std::string& worker, SessionId session,
                                                   bool alone, size_t most, SlotKinds kinds) {
  std::vector<Copy> copies;
  for (auto at = waiting_.begin(); at != waiting_.end() && copies.size() < most;) {
    Item& item = items_.at(at->second);
    const SlotRef game = at->second;
    ++at;  // StopWaiting removes the entry
    if (!MayPlay(item, worker, session, alone, kinds)) continue;
    StopWaiting(item);
    ++item.taken;
    ++taken_;
    copies.push_back({game, item.slot});
  }
  return copies;
}

bool Verification::HasWork(const std::string& worker, SessionId session, bool alone,
                           SlotKinds kinds) const {
  return std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& entry) {
    return MayPlay(items_.at(entry.second), worker, session, alone, kinds);
  });
}

void Verification::Lost(const SlotRef& game) {
  const auto at = items_.find(game);
  if (at == items_.end()) return;
  Item& item = at->second;
  if (item.taken > 0) {
    --item.taken;
    --taken_;
  }
  if (item.taken > 0) return;
  if (++item.lost >= kMostLost && !item.disputed()) {
    Forget(at);
  } else if (!item.waits) {
    Wait(at);
  }
}

Verification::Finding Verification::Returned(const SlotRef& game, const Testimony& testimony) {
  const auto at = items_.find(game);
  if (at == items_.end()) return {};
  Item& item = at->second;
  if (item.taken > 0) {
    --item.taken;
    --taken_;
  }
  Finding finding;
  finding.known = true;
  finding.same = testimony.outcome == item.testimonies.front().outcome;
  const bool was_disputed = item.disputed();
  StopWaiting(item);
  item.testimonies.push_back(testimony);
  finding.disputed = was_disputed || !finding.same;
  finding.judgement = Judge(item.testimonies);
  if (finding.judgement.decided) {
    const std::vector<std::string>& wrong = finding.judgement.wrong;
    std::set<std::string> agreed;
    for (const Testimony& given : item.testimonies) {
      if (!std::binary_search(wrong.begin(), wrong.end(), given.worker)) {
        agreed.insert(given.worker);
      }
    }
    finding.agreed.assign(agreed.begin(), agreed.end());
    Forget(at);
    return finding;
  }
  disputed_.insert(game);
  if (item.taken == 0) Wait(at);
  return finding;
}

std::vector<SlotRef> Verification::Block(const std::string& worker,
                                         const std::set<std::string>& blocked) {
  std::vector<SlotRef> decided;
  for (auto at = items_.begin(); at != items_.end();) {
    const auto item = at++;
    const std::vector<Testimony>& testimonies = item->second.testimonies;
    if (std::none_of(testimonies.begin(), testimonies.end(),
                     [&](const Testimony& testimony) { return testimony.worker == worker; })) {
      continue;
    }
    if (!Judge(testimonies, blocked).decided) continue;
    if (item->second.disputed()) decided.push_back(item->first);
    Forget(item);
  }
  return decided;
}

std::string Verification::DisputeOf(const std::string& worker) const {
  for (const SlotRef& game : disputed_) {
    std::string other;
    bool part = false;
    for (const Testimony& testimony : items_.at(game).testimonies) {
      if (testimony.worker == worker) {
        part = true;
      } else {
        other = testimony.worker;
      }
    }
    if (part) return other.empty() ? worker : other;
  }
  return "";
}

void Verification::Wait(Items::iterator at) {
  Item& item = at->second;
  assert(!item.waits);
  item.waits = next_++ + (item.disputed() ? 0 : kUndisputed);
  waiting_.emplace(*item.waits, at->first);
  if (item.disputed()) return;
  std::deque<SlotRef>& its = waiting_of_[item.testimonies.front().worker];
  its.push_back(at->first);
  if (its.size() > kWaitingGames) {
    const SlotRef oldest = its.front();
    Forget(items_.find(oldest));
  }
}

void Verification::StopWaiting(Item& item) {
  if (!item.waits) return;
  const auto at = waiting_.find(*item.waits);
  const SlotRef game = at->second;
  waiting_.erase(at);
  item.waits.reset();
  const auto its = waiting_of_.find(item.testimonies.front().worker);
  if (its == waiting_of_.end()) return;
  its->second.erase(std::remove(its->second.begin(), its->second.end(), game), its->second.end());
  if (its->second.empty()) waiting_of_.erase(its);
}

void Verification::Forget(Items::iterator at) {
  StopWaiting(at->second);
  taken_ -= at->second.taken;
  disputed_.erase(at->first);
  items_.erase(at);
}

Verification VerificationOf(const RunSpec& spec) {
  return {WhyUnverified(spec).empty() ? spec.verify_percent : 0, spec.seed};
}

}  // namespace joseki::coordinator
