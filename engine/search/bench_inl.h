#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "engine/search/bench.h"
#include "engine/search/limits.h"
#include "engine/search/options.h"
#include "engine/search/papers/context_killers.h"
#include "engine/search/search.h"
#include "engine/search/tt.h"

namespace joseki {

// The benchmark of a game. Kit supplies the game's playing and parsing (engine/search/shogi/kit.h).
// Included only by the bench.cc of each game.
template <typename Kit>
class Bench {
 public:
  using Game = typename Kit::Game;
  using Position = typename Game::Position;

  // `mates` are positions near a mate. They are searched with at least 10,000 nodes, so that the
  // root's mate searches take part; most callers' limits would skip those. Invalid texts are
  // skipped; a test parses all of them.
  constexpr Bench(std::span<const char* const> positions, std::span<const char* const> mates)
      : positions_(positions), mates_(mates) {}

  // Searches every position with `nodes` nodes, each with an empty table.
  BenchResult Run(uint64_t nodes, const typename Kit::Options& options) const {
    Search<Game> search(kTableBytes);
    options.ApplyTo(search);
    BenchResult bench;
    const auto add = [&](std::span<const char* const> texts, uint64_t most) {
      EachOf(texts, [&](const Position& position) {
        search.NewGame();
        SearchLimits limits;
        limits.nodes = most;
        const SearchResult result = search.Run(position, limits);
        bench.nodes += result.nodes;
        bench.signature = Fold(bench.signature, result.nodes);
        bench.signature = Fold(bench.signature, static_cast<uint64_t>(result.depth));
        bench.signature = Fold(bench.signature, result.best.raw());
        bench.signature = Fold(bench.signature, static_cast<uint64_t>(int64_t{result.value}));
      });
    };
    add(positions_, nodes);
    add(mates_, std::max(nodes, kLeastMateNodes));
    bench.signature = (bench.signature & ((uint64_t{1} << 48) - 1)) | 1;
    return bench;
  }

  // The effective rates of each kind of J. Hashimoto's killers, each searched alone and tried
  // before all other moves. Uses the benchmark's positions if `positions` is empty.
  KillerRates RunKillers(uint64_t nodes, std::span<const Position> positions) const {
    std::vector<Position> own;
    if (positions.empty()) {
      EachOf(positions_, [&](const Position& position) { own.push_back(position); });
      positions = own;
    }
    Search<Game> search(kTableBytes);
    search.CountKillers(true);
    constexpr int SearchOptions::*kKinds[ContextKillers::kKindCount] = {
        &SearchOptions::killer_brother, &SearchOptions::killer_pass, &SearchOptions::killer_premove,
        &SearchOptions::killer_context};
    std::array<std::vector<KillerRates::Rate>, ContextKillers::kKindCount> by_position;
    for (size_t i = 0; i < std::size(kKinds); ++i) {
      const auto kind = static_cast<ContextKillers::Kind>(i);
      typename Kit::Options options;
      options.search.*kKinds[i] = 1;
      options.search.killer_first = 2;
      options.ApplyTo(search);
      for (const Position& position : positions) {
        search.NewGame();
        SearchLimits limits;
        limits.nodes = nodes;
        const KillerRates::Rate before = search.killer_rates().Total(kind);
        search.Run(position, limits);
        by_position[i].push_back(search.killer_rates().Total(kind).Less(before));
      }
    }
    KillerRates rates = search.killer_rates();
    rates.by_position = std::move(by_position);
    return rates;
  }

  // Searches every position to `depth`, each with an empty table of `bytes` and the replacement
  // `scheme` (TableReplacement).
  TableBench RunTable(int depth, size_t bytes, int scheme) const {
    TableBench bench;
    Search<Game> search(bytes);
    typename Kit::Options options;
    options.search.table_replacement = scheme;
    options.ApplyTo(search);
    const uint64_t places = TranspositionTable(bytes).places();
    EachOf(positions_, [&](const Position& position) {
      TableStatistics statistics;
      search.CountTableIn(&statistics);
      search.NewGame();
      SearchLimits limits;
      limits.depth = depth;
      bench.nodes += search.Run(position, limits).nodes;
      search.CountTableIn(nullptr);
      bench.statistics.Add(statistics);
      bench.expected_overwrites += statistics.ExpectedOverwrites(places);
    });
    return bench;
  }

 private:
  static constexpr uint64_t kLeastMateNodes = 10'000;
  static constexpr size_t kTableBytes = size_t{4} << 20;

  static uint64_t Fold(uint64_t hash, uint64_t value) { return Rng(hash ^ value).Next(); }

  template <typename Use>
  static void EachOf(std::span<const char* const> texts, Use&& use) {
    for (const char* text : texts) {
      if (const auto start = Kit::Parse(text); start.ok()) use(start->position);
    }
  }

  std::span<const char* const> positions_;
  std::span<const char* const> mates_;
};

}  // namespace joseki
