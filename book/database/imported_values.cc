#include "book/database/imported_values.h"

#include <tuple>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/bytes.h"

namespace joseki::book {
namespace {

constexpr size_t kEntry = 8;

}  // namespace

std::string Encode(const ImportedValues& values) {
  std::string bytes;
  for (size_t edge = 0; edge < values.size(); ++edge) {
    if (!values[edge].known()) continue;
    book::AppendLittleEndian(bytes, static_cast<uint32_t>(edge));
    book::AppendLittleEndian(bytes, values[edge].score);
    book::AppendLittleEndian(bytes, values[edge].depth);
  }
  return bytes;
}

absl::StatusOr<ImportedValues> DecodeImportedValues(std::string_view bytes, size_t edges) {
  ImportedValues values;
  if (bytes.empty()) return values;
  values.resize(edges);
  size_t next = 0;  // smallest edge that may follow
  bool good = bytes.size() % kEntry == 0;
  for (size_t at = 0; good && at < bytes.size(); at += kEntry) {
    const auto edge = book::LittleEndian<uint32_t>(bytes, at);
    const ImportedValue value{book::LittleEndian<int16_t>(bytes, at + 4),
                              book::LittleEndian<uint16_t>(bytes, at + 6)};
    good = edge >= next && edge < edges && value.known();
    if (good) values[edge] = value;
    next = edge + size_t{1};
  }
  if (good) return values;
  return MakeProblem({.code = "bad_row",
                      .found = absl::StrCat(bytes.size(), " bytes of imported values"),
                      .expected = absl::StrCat("known values of ", edges, " moves, ascending")},
                     absl::StatusCode::kDataLoss);
}

void DropEmpty(const book::Graph& graph, ImportedValues& values) {
  bool any = false;
  for (book::NodeId node = 0; node < graph.node_count(); ++node) {
    const book::Graph::Node& at = graph.node(node);
    bool says = false;
    for (size_t edge = at.first; edge < at.first + at.count; ++edge) {
      says = says || (values[edge].known() && values[edge].score != 0);
    }
    for (size_t edge = at.first; !says && edge < at.first + at.count; ++edge) values[edge] = {};
    any = any || says;
  }
  if (!any) values.clear();
}

book::EdgeId BestImported(const book::Graph& graph, const ImportedValues& values,
                          book::NodeId node) {
  book::EdgeId best = book::kNoEdge;
  if (values.empty()) return best;
  const book::Graph::Node& at = graph.node(node);
  const auto rank = [&](book::EdgeId edge) {
    return std::tuple(values[edge].score, graph.edge(edge).base_weight);
  };
  for (book::EdgeId edge = at.first; edge < at.first + at.count; ++edge) {
    if (!values[edge].known()) continue;
    if (best == book::kNoEdge || rank(edge) > rank(best)) best = edge;
  }
  return best;
}

}  // namespace joseki::book
