#include "cli/load/payload.h"

#include <thread>
#include <utility>

#include "base/rng.h"

namespace joseki::cli {
namespace {

uint64_t HashOf(const std::string& start, std::span<const Move> line, uint64_t variant) {
  uint64_t hash = Rng(variant).Next();
  for (const char c : start) hash = (hash ^ static_cast<uint8_t>(c)) * 0x9e3779b97f4a7c15u;
  for (const Move move : line) {
    hash = (hash ^ move.raw()) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

Move AnyOf(const std::vector<Move>& moves, Rng& rng) { return moves[rng.Below(moves.size())]; }

}  // namespace

LoadPayload::LoadPayload(const Rules& rules, Options options) : rules_(rules), options_(options) {}

void LoadPayload::DrawBook() {
  const Rng seeds(options_.seed);
  for (size_t i = 0; i < options_.lines; ++i) {
    Rng rng = seeds.Split(i);
    const auto state = rules_.Start("startpos", options_.match);
    if (!state.ok()) return;
    std::vector<Move>& line = book_.emplace_back();
    while (line.size() < static_cast<size_t>(options_.line_plies) && !(*state)->ending()) {
      const Move move = AnyOf((*state)->LegalMoves(), rng);
      (*state)->Play(move);
      line.push_back(move);
    }
  }
}

std::string LoadPayload::BookText() const {
  std::string text;
  for (const std::vector<Move>& line : book_) {
    text += "startpos moves";
    for (const Move move : line) text += " " + rules_.Text(move);
    text += "\n";
  }
  return text;
}

void LoadPayload::Prepare(int threads) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < book_.size(); i = next++) {
      for (uint64_t v = 0; v < options_.variants; ++v) Find("startpos", book_[i], v);
    }
  };
  std::vector<std::thread> pool;
  for (int i = 0; i < threads; ++i) pool.emplace_back(work);
  for (std::thread& thread : pool) thread.join();
}

const LoadPayload::Game* LoadPayload::Take(const std::string& start, std::span<const Move> line,
                                           uint64_t seed) {
  const Game* game = Find(start, line, seed % options_.variants);
  // Load before storing: most games were taken before, and a store would move the cache line here.
  if (game != nullptr && !game->used.load(std::memory_order_relaxed)) game->used = true;
  return game;
}

const LoadPayload::Game* LoadPayload::Find(const std::string& start, std::span<const Move> line,
                                           uint64_t variant) {
  const uint64_t hash = HashOf(start, line, variant);
  Shard& shard = shards_[hash % kShards];
  {
    const std::lock_guard lock(shard.mutex);
    const auto known = shard.games.find(hash);
    if (known != shard.games.end()) return known->second.get();
  }
  std::unique_ptr<Game> game = Play(start, line, hash ^ options_.seed);
  const std::lock_guard lock(shard.mutex);
  return shard.games.emplace(hash, std::move(game)).first->second.get();
}

std::unique_ptr<LoadPayload::Game> LoadPayload::Play(const std::string& start,
                                                     std::span<const Move> line,
                                                     uint64_t seed) const {
  const auto state = rules_.Start(start, options_.match);
  if (!state.ok()) return nullptr;
  auto game = std::make_unique<Game>();
  for (const Move move : line) {
    if (!(*state)->Play(move)) return nullptr;
    game->moves.push_back(move);
  }
  Rng rng(seed);
  std::optional<Ending> ending = (*state)->ending();
  while (!ending) {
    const Move move = AnyOf((*state)->LegalMoves(), rng);
    (*state)->Play(move);
    game->moves.push_back(move);
    ending = (*state)->ending();
  }
  game->ending = *ending;
  return game;
}

uint64_t LoadPayload::taken() const {
  uint64_t count = 0;
  for (const Shard& shard : shards_) {
    for (const auto& [hash, game] : shard.games) count += game != nullptr && game->used ? 1 : 0;
  }
  return count;
}

}  // namespace joseki::cli
