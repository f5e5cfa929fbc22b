#include "book/graph.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::book {
namespace {

constexpr std::string_view kGraphMagic = "JSKGRAPH";
constexpr uint32_t kGraphVersion = 1;
constexpr size_t kGraphHeaderBytes = 8 + 4 + 4 + 4;
constexpr size_t kNodeBytes = 32 + 2 + 2;
constexpr size_t kEdgeBytes = 2 + 8;
constexpr size_t kForbiddenBytes = 32 + 2;

// Layout of links: magic, version, SHA-256 of the rest, SHA-256 of the snapshot. Then follow for
// each node its key and what the rules say of it, and for each edge its target.
constexpr std::string_view kLinksMagic = "JSKLINKS";
constexpr uint32_t kLinksVersion = 1;
constexpr size_t kLinksHeaderBytes = 8 + 4 + 32 + 32;
constexpr size_t kNodeLinkBytes = 8 + 8 + 1;
constexpr size_t kEdgeLinkBytes = 4;
constexpr uint8_t kSecondToMove = 1;
constexpr uint8_t kClosed = 2;
// Number of positions checked by the rules before all keys are trusted.
constexpr size_t kSampledKeys = 64;
// Positions between two calls of `progress`, which take some milliseconds.
constexpr size_t kProgressPositions = 4096;

// The position that an edge leads to, before all nodes are known. The hash of its packed form tells
// it from another position with the same key.
struct Landing {
  Key key;
  uint64_t packed = 0;  // hash of the packed form, by Mixed
};

uint64_t Mixed(const PackedPosition& position) {
  uint64_t mixed = 0;
  for (size_t i = 0; i < position.bytes.size(); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, position.bytes.data() + i, sizeof word);
    mixed = (mixed ^ word) * 0x9e3779b97f4a7c15u;
    mixed ^= mixed >> 29;
  }
  return mixed;
}

// `name` makes the position's text; it is called only on an error.
template <typename NameFunction>
absl::Status CheckNumbers(const GraphInput& input, NameFunction name) {
  if (input.ply < 1 || input.ply > std::numeric_limits<uint16_t>::max()) {
    return MakeProblem({"bad_ply", "", 0, absl::StrCat(input.ply, " at ", name()), "1 to 65535"});
  }
  if (input.moves.size() > std::numeric_limits<uint16_t>::max()) {
    return MakeProblem({"too_many_moves", "", 0, absl::StrCat(input.moves.size(), " at ", name()),
                        "at most 65535"});
  }
  for (const GraphInput::Move& move : input.moves) {
    if (move.base_weight < -kMaxBaseWeight || move.base_weight > kMaxBaseWeight) {
      return MakeProblem({"bad_weight", "", 0, absl::StrCat(move.base_weight, " at ", name()),
                          absl::StrCat("at most ", kMaxBaseWeight, " either way")});
    }
  }
  return absl::OkStatus();
}

template <typename T>
void Put(std::string& out, T value) {
  auto bits = static_cast<std::make_unsigned_t<T>>(value);
  for (size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(bits >> (8 * i)));
}

// Reads little-endian numbers from the front of untrusted bytes.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  size_t left() const { return bytes_.size(); }

  // REQUIRES: left() >= size.
  std::string_view Take(size_t size) {
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  template <typename T>
  T Get() {
    std::make_unsigned_t<T> bits = 0;
    const std::string_view taken = Take(sizeof(T));
    for (size_t i = 0; i < sizeof(T); ++i) {
      bits |= static_cast<std::make_unsigned_t<T>>(
          static_cast<std::make_unsigned_t<T>>(static_cast<uint8_t>(taken[i])) << (8 * i));
    }
    return static_cast<T>(bits);
  }

 private:
  std::string_view bytes_;
};

std::string_view AsBytes(const Sha256& hash) {
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

absl::Status BadSnapshot(std::string found, std::string expected) {
  return MakeProblem({"bad_snapshot", "", 0, std::move(found), std::move(expected)});
}

PackedPosition TakePacked(ByteReader& reader) {
  PackedPosition packed;
  const std::string_view taken = reader.Take(packed.bytes.size());
  std::copy(taken.begin(), taken.end(), packed.bytes.begin());
  return packed;
}

// Reads the positions of a snapshot; checks form, bounds and order. Build checks everything else.
// `reader` is left at the forbidden moves.
absl::StatusOr<std::vector<GraphInput>> ReadPositions(ByteReader& reader) {
  if (reader.left() < kGraphHeaderBytes) {
    return BadSnapshot(absl::StrCat(reader.left(), " bytes"), "a header of 20 bytes");
  }
  if (const std::string_view magic = reader.Take(kGraphMagic.size()); magic != kGraphMagic) {
    return BadSnapshot(Quote(magic), std::string(kGraphMagic));
  }
  if (const auto version = reader.Get<uint32_t>(); version != kGraphVersion) {
    return BadSnapshot(absl::StrCat("version ", version), absl::StrCat("version ", kGraphVersion));
  }
  const uint64_t node_count = reader.Get<uint32_t>();
  const uint64_t edge_count = reader.Get<uint32_t>();
  // Checks the counts before anything is allocated by them.
  if (const uint64_t expected = node_count * kNodeBytes + edge_count * kEdgeBytes;
      expected != reader.left() && expected + sizeof(uint32_t) > reader.left()) {
    return BadSnapshot(
        absl::StrCat(reader.left(), " bytes after the header"),
        absl::StrCat(expected, " for ", node_count, " positions and ", edge_count, " moves"));
  }

  std::vector<GraphInput> positions(node_count);
  uint64_t edges_left = edge_count;
  for (size_t i = 0; i < positions.size(); ++i) {
    GraphInput& position = positions[i];
    if (reader.left() < kNodeBytes) return BadSnapshot("the end of the bytes", "a position");
    position.packed = TakePacked(reader);
    position.ply = reader.Get<uint16_t>();
    const uint16_t count = reader.Get<uint16_t>();
    if (i > 0 && positions[i - 1].packed >= position.packed) {
      return BadSnapshot(absl::StrCat("position ", i, " out of order"), "ascending packed forms");
    }
    if (count > edges_left) {
      return BadSnapshot(absl::StrCat(count, " moves at position ", i),
                         absl::StrCat("at most the ", edges_left, " that are left"));
    }
    edges_left -= count;
    position.moves.resize(count);
    for (size_t k = 0; k < count; ++k) {
      if (reader.left() < kEdgeBytes) return BadSnapshot("the end of the bytes", "a move");
      position.moves[k].move = Move(reader.Get<uint16_t>());
      position.moves[k].base_weight = reader.Get<int64_t>();
      if (k > 0 && position.moves[k - 1].move >= position.moves[k].move) {
        return BadSnapshot(absl::StrCat("move ", k, " of position ", i, " out of order"),
                           "ascending moves");
      }
    }
  }
  if (edges_left > 0) {
    return BadSnapshot(absl::StrCat(edges_left, " moves that belong to no position"), "none");
  }
  return positions;
}

// Reads the forbidden moves of a snapshot, in which they come last; checks form and order.
absl::StatusOr<ForbiddenMoves> ReadForbidden(ByteReader& reader) {
  ForbiddenMoves forbidden;
  if (reader.left() == 0) return forbidden;
  const uint64_t count = reader.Get<uint32_t>();
  if (count == 0 || count * kForbiddenBytes != reader.left()) {
    return BadSnapshot(absl::StrCat(reader.left(), " bytes after the positions"),
                       absl::StrCat(count * kForbiddenBytes, " for ", count, " forbidden moves"));
  }
  for (uint64_t i = 0; i < count; ++i) {
    const PackedPosition packed = TakePacked(reader);
    const std::pair next(packed, Move(reader.Get<uint16_t>()));
    if (!forbidden.empty() && next <= *forbidden.rbegin()) {
      return BadSnapshot(absl::StrCat("forbidden move ", i, " out of order"),
                         "ascending positions and moves");
    }
    forbidden.insert(forbidden.end(), next);
  }
  return forbidden;
}

// Refuses forbidden moves that are illegal, or that `graph` has.
absl::Status CheckForbidden(const Rules& rules, const Graph& graph,
                            const ForbiddenMoves& forbidden) {
  Expansion expansion;
  for (const auto& [packed, move] : forbidden) {
    RETURN_IF_ERROR(rules.Expand(packed, {&move, 1}, expansion));
    const NodeId node = graph.FindPacked(packed);
    const bool known = node != kNoNode && graph.FindMove(node, move) != kNoEdge;
    if (expansion.packed == packed && expansion.children.front() && !known) continue;
    return MakeProblem({"bad_forbidden_move", "", 0,
                        absl::StrCat(rules.Text(move), " at ", rules.Text(packed, 1)),
                        "a legal move that is no book move"});
  }
  return absl::OkStatus();
}

}  // namespace

// Step 1: sort positions and moves. Step 2: make nodes and edges by expanding each position under
// the rules; refuse malformed positions and moves, and duplicates. Step 3: link each edge to its
// target.
absl::StatusOr<Graph> Graph::Build(const Rules& rules, std::vector<GraphInput> positions,
                                   const std::function<void()>& progress,
                                   ForbiddenMoves forbidden) {
  std::sort(positions.begin(), positions.end(),
            [](const GraphInput& a, const GraphInput& b) { return a.packed < b.packed; });
  Graph graph;
  size_t edge_count = 0;
  for (const GraphInput& input : positions) edge_count += input.moves.size();
  if (positions.size() >= kNoNode || edge_count >= kNoEdge) {
    return MakeProblem({"book_too_large", "", 0,
                        absl::StrCat(positions.size(), " positions, ", edge_count, " moves"),
                        "fewer than 4294967295 of each"});
  }
  graph.nodes_.reserve(positions.size());
  graph.edges_.reserve(edge_count);
  graph.by_key_.reserve(positions.size());
  Expansion expansion;
  std::vector<Move> moves;
  std::vector<Landing> landings;  // by edge
  landings.reserve(edge_count);

  for (GraphInput& input : positions) {
    std::sort(input.moves.begin(), input.moves.end(),
              [](const GraphInput::Move& a, const GraphInput::Move& b) { return a.move < b.move; });
    moves.clear();
    for (const GraphInput::Move& move : input.moves) moves.push_back(move.move);
    RETURN_IF_ERROR(rules.Expand(input.packed, moves, expansion));
    const auto text = [&] { return rules.Text(input.packed, input.ply); };
    RETURN_IF_ERROR(CheckNumbers(input, text));
    if (expansion.packed != input.packed) {
      return MakeProblem(
          {"bad_position", "", 0, text(), "the canonical packed form of a position"});
    }
    const auto id = static_cast<NodeId>(graph.nodes_.size());
    if (!graph.by_key_.emplace(expansion.key, id).second) {
      return MakeProblem({"duplicate_position", "", 0, text(), "each position once"});
    }
    Node node;
    node.key = expansion.key;
    node.packed = input.packed;
    node.first = static_cast<EdgeId>(graph.edges_.size());
    node.count = static_cast<uint16_t>(input.moves.size());
    node.ply = static_cast<uint16_t>(input.ply);
    node.to_move = expansion.to_move;
    // The moves are legal and distinct (checked here), so counting them is enough.
    node.closed = input.moves.size() == expansion.legal_moves;
    graph.nodes_.push_back(node);
    for (size_t i = 0; i < moves.size(); ++i) {
      const auto move_text = [&] { return absl::StrCat(rules.Text(moves[i]), " at ", text()); };
      if (i > 0 && moves[i - 1] == moves[i]) {
        return MakeProblem({"duplicate_move", "", 0, move_text(), "each move of a position once"});
      }
      const std::optional<Expansion::Child>& child = expansion.children[i];
      if (!child) return MakeProblem({"illegal_move", "", 0, move_text(), "a legal move"});
      graph.edges_.push_back({moves[i], node.to_move, id, kNoNode, input.moves[i].base_weight});
      landings.push_back({child->key, Mixed(child->packed)});
    }
    if (progress && graph.nodes_.size() % kProgressPositions == 1) progress();
  }

  for (EdgeId id = 0; id < graph.edges_.size(); ++id) {
    Edge& edge = graph.edges_[id];
    edge.to = graph.Find(landings[id].key);
    if (edge.to != kNoNode && Mixed(graph.nodes_[edge.to].packed) != landings[id].packed) {
      const Node& from = graph.nodes_[edge.from];
      return MakeProblem(
          {"key_collision", "", 0,
           absl::StrCat(rules.Text(edge.move), " at ", rules.Text(from.packed, from.ply)),
           absl::StrCat("another key than that of ", rules.Text(graph.nodes_[edge.to].packed, 1))});
    }
  }
  RETURN_IF_ERROR(CheckForbidden(rules, graph, forbidden));
  graph.forbidden_ = std::move(forbidden);
  graph.MakeWalkable();
  return graph;
}

std::string Graph::Serialize() const {
  std::string out;
  out.reserve(kGraphHeaderBytes + nodes_.size() * kNodeBytes + edges_.size() * kEdgeBytes);
  out.append(kGraphMagic);
  Put(out, kGraphVersion);
  Put(out, static_cast<uint32_t>(nodes_.size()));
  Put(out, static_cast<uint32_t>(edges_.size()));
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    out.append(node.packed.bytes.begin(), node.packed.bytes.end());
    Put(out, node.ply);
    Put(out, node.count);
    for (const Edge& edge : moves(id)) {
      Put(out, edge.move.raw());
      Put(out, edge.base_weight);
    }
  }
  if (forbidden_.empty()) return out;
  Put(out, static_cast<uint32_t>(forbidden_.size()));
  for (const auto& [packed, move] : forbidden_) {
    out.append(packed.bytes.begin(), packed.bytes.end());
    Put(out, move.raw());
  }
  return out;
}

absl::StatusOr<Graph> Graph::Parse(const Rules& rules, std::string_view bytes,
                                   const std::function<void()>& progress) {
  ByteReader reader(bytes);
  ASSIGN_OR_RETURN(std::vector<GraphInput> positions, ReadPositions(reader));
  ASSIGN_OR_RETURN(ForbiddenMoves forbidden, ReadForbidden(reader));
  absl::StatusOr<Graph> graph = Build(rules, std::move(positions), progress, std::move(forbidden));
  if (graph.ok()) return graph;
  const Problem cause = ProblemOf(graph.status());
  return BadSnapshot(absl::StrCat(cause.code, ": ", cause.found), cause.expected);
}

std::string Graph::SerializeLinks() const {
  std::string body = std::string(AsBytes(Sha256Of(Serialize())));
  body.reserve(body.size() + nodes_.size() * kNodeLinkBytes + edges_.size() * kEdgeLinkBytes);
  for (const Node& node : nodes_) {
    Put(body, node.key.hi);
    Put(body, node.key.lo);
    Put(body, static_cast<uint8_t>((node.to_move == Color::kSecond ? kSecondToMove : 0) |
                                   (node.closed ? kClosed : 0)));
  }
  for (const Edge& edge : edges_) Put(body, edge.to);
  std::string out(kLinksMagic);
  Put(out, kLinksVersion);
  out += AsBytes(Sha256Of(body));
  return out + body;
}

absl::StatusOr<Graph> Graph::ParseWithLinks(const Rules& rules, std::string_view bytes,
                                            std::string_view links) {
  const absl::Status useless = absl::NotFoundError("no links for this snapshot");
  ByteReader link(links);
  if (link.left() < kLinksHeaderBytes || link.Take(kLinksMagic.size()) != kLinksMagic ||
      link.Get<uint32_t>() != kLinksVersion) {
    return useless;
  }
  const std::string_view hash = link.Take(32);
  if (AsBytes(Sha256Of(links.substr(kLinksHeaderBytes - 32))) != hash ||
      AsBytes(Sha256Of(bytes)) != link.Take(32)) {
    return useless;
  }
  // The hashes match: Parse or Build has accepted these bytes before, when the links were made.
  ByteReader reader(bytes);
  reader.Take(kGraphMagic.size() + sizeof kGraphVersion);
  Graph graph;
  graph.nodes_.resize(reader.Get<uint32_t>());
  graph.edges_.reserve(reader.Get<uint32_t>());
  graph.by_key_.reserve(graph.nodes_.size());
  for (NodeId id = 0; id < graph.nodes_.size(); ++id) {
    Node& node = graph.nodes_[id];
    node.packed = TakePacked(reader);
    node.ply = reader.Get<uint16_t>();
    node.count = reader.Get<uint16_t>();
    node.first = static_cast<EdgeId>(graph.edges_.size());
    node.key.hi = link.Get<uint64_t>();
    node.key.lo = link.Get<uint64_t>();
    const uint8_t flags = link.Get<uint8_t>();
    node.to_move = (flags & kSecondToMove) != 0 ? Color::kSecond : Color::kFirst;
    node.closed = (flags & kClosed) != 0;
    graph.by_key_.emplace(node.key, id);
    for (size_t i = 0; i < node.count; ++i) {
      const Move move(reader.Get<uint16_t>());
      graph.edges_.push_back({move, node.to_move, id, kNoNode, reader.Get<int64_t>()});
    }
  }
  ASSIGN_OR_RETURN(graph.forbidden_, ReadForbidden(reader));
  for (Edge& edge : graph.edges_) edge.to = link.Get<uint32_t>();
  Expansion expansion;
  for (size_t i = 0; i < std::min(kSampledKeys, graph.nodes_.size()); ++i) {
    const Node& node = graph.nodes_[i * graph.nodes_.size() / kSampledKeys];
    if (!rules.Expand(node.packed, {}, expansion).ok() || expansion.key != node.key) return useless;
  }
  graph.MakeWalkable();
  return graph;
}

void Graph::MakeWalkable() {
  stops_.reserve(nodes_.size());
  for (const Node& node : nodes_)
    stops_.push_back({node.first, node.count, node.closed, node.to_move});
  targets_.reserve(edges_.size());
  for (const Edge& edge : edges_) targets_.push_back(edge.to);
}

Graph Graph::OfParts(std::vector<Node> nodes, std::vector<Edge> edges) {
  Graph graph;
  graph.nodes_ = std::move(nodes);
  graph.edges_ = std::move(edges);
  graph.by_key_.reserve(graph.nodes_.size());
  for (NodeId id = 0; id < graph.nodes_.size(); ++id)
    graph.by_key_.emplace(graph.nodes_[id].key, id);
  graph.MakeWalkable();
  return graph;
}

NodeId Graph::Find(const Key& key) const {
  const auto it = by_key_.find(key);
  return it == by_key_.end() ? kNoNode : it->second;
}

NodeId Graph::FindPacked(const PackedPosition& packed) const {
  const auto it =
      std::lower_bound(nodes_.begin(), nodes_.end(), packed,
                       [](const Node& node, const PackedPosition& p) { return node.packed < p; });
  if (it == nodes_.end() || it->packed != packed) return kNoNode;
  return static_cast<NodeId>(it - nodes_.begin());
}

EdgeId Graph::FindMove(NodeId node, Move move) const {
  const std::span<const Edge> edges = moves(node);
  const auto it = std::lower_bound(edges.begin(), edges.end(), move,
                                   [](const Edge& edge, Move m) { return edge.move < m; });
  return it == edges.end() || it->move != move ? kNoEdge : IdOf(*it);
}

std::vector<Move> Graph::ForbiddenAt(const PackedPosition& packed) const {
  std::vector<Move> found;
  for (auto at = forbidden_.lower_bound({packed, Move()});
       at != forbidden_.end() && at->first == packed; ++at) {
    found.push_back(at->second);
  }
  return found;
}

}  // namespace joseki::book
