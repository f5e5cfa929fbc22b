#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/problem.h"
#include "book/graph.h"
#include "engine/shogi/shogi_rules.h"

// A snapshot of shogi: what is accepted is written again as it was read, with links or without.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const joseki::Rules& rules = joseki::shogi::ShogiRules();
  const auto graph = joseki::book::Graph::Parse(rules, bytes);
  if (!graph.ok()) {
    if (joseki::ProblemOf(graph.status()).code != "bad_snapshot") std::abort();
    return 0;
  }
  if (graph->Serialize() != bytes) std::abort();
  const auto again = joseki::book::Graph::ParseWithLinks(rules, bytes, graph->SerializeLinks());
  if (!again.ok() || again->Serialize() != bytes) std::abort();
  return 0;
}
