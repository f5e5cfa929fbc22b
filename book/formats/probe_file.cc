#include "book/formats/probe_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/bytes.h"
#include "book/formats/game_form.h"

namespace joseki::book {
namespace {

constexpr std::string_view kProbeMagic("JSKPROBE", 8);
constexpr size_t kGameBytes = 16;  // the game's name, zero-padded
constexpr uint32_t kVersion = 1;
constexpr size_t kProbeHeader = 64;
constexpr size_t kDirectoryEntry = 4;
constexpr size_t kProbeEntry = 40;
constexpr size_t kProbeMove = 16;
constexpr uint32_t kMostBits = 30;

// Offsets of the header's numbers.
constexpr size_t kVersionAt = 8;
constexpr size_t kBitsAt = 12;
constexpr size_t kPositionsAt = 16;
constexpr size_t kProbeMovesAt = 24;
constexpr size_t kGameAt = 32;
constexpr size_t kReservedAt = 48;

// Offsets of an entry's numbers; its packed position comes first.
constexpr size_t kFirstAt = 32;
constexpr size_t kProbeCountAt = 36;
constexpr size_t kProbePlyAt = 38;

constexpr uint8_t kHasValue = 1;
constexpr uint8_t kProbeHasDepth = 2;
constexpr int kMostProbeValue = 32000;
constexpr uint32_t kMost16 = 0xffff;

// Hash that orders positions; its top bits select the bucket.
uint64_t HashOf(std::string_view packed) {
  uint64_t hash = 0;
  for (size_t at = 0; at < sizeof(PackedPosition); at += sizeof(uint64_t)) {
    hash = (hash ^ LittleEndian<uint64_t>(packed, at)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash * 0x9e3779b97f4a7c15u;
}

std::string_view BytesOf(const PackedPosition& packed) {
  return {reinterpret_cast<const char*>(packed.bytes.data()), packed.bytes.size()};
}

uint64_t Bucket(uint64_t hash, uint32_t bits) { return bits == 0 ? 0 : hash >> (64 - bits); }

// Bits for about four positions in each bucket.
uint32_t BitsFor(uint64_t positions) {
  const auto bits = static_cast<uint32_t>(std::bit_width(positions / 4));
  return std::min(bits, kMostBits);
}

std::string GameField(std::string_view game) {
  std::string field(game);
  field.resize(kGameBytes, '\0');
  return field;
}

absl::Status BrokenProbe(const char* code, std::string_view file, std::string found,
                         std::string expected) {
  return MakeProblem({.code = code,
                      .file = std::string(file),
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

void AppendMove(std::string& out, const DbMove& move) {
  AppendLittleEndian<uint16_t>(out, move.move.raw());
  AppendLittleEndian<uint16_t>(out, move.ponder.raw());
  AppendLittleEndian<int16_t>(
      out, static_cast<int16_t>(
               move.has_value ? std::clamp(move.value, -kMostProbeValue, kMostProbeValue) : 0));
  AppendLittleEndian<uint16_t>(
      out, static_cast<uint16_t>(
               move.has_depth ? std::clamp(move.depth, 0, static_cast<int>(kMost16)) : 0));
  AppendLittleEndian<uint32_t>(out,
                               static_cast<uint32_t>(std::min<uint64_t>(move.count, UINT32_MAX)));
  out +=
      static_cast<char>((move.has_value ? kHasValue : 0) | (move.has_depth ? kProbeHasDepth : 0));
  out.append(3, '\0');
}

}  // namespace

bool IsProbeFile(std::string_view bytes) {
  return bytes.substr(0, kProbeMagic.size()) == kProbeMagic;
}

std::string ProbeFileKey(const PackedPosition& packed) {
  const uint64_t hash = HashOf(BytesOf(packed));
  std::string key;
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(hash >> shift & 0xff);
  key += BytesOf(packed);
  return key;
}

void ProbeFileWriter::Prepare(DbPosition& position) {
  SortMoves(position.moves);
  position.moves.resize(std::min<size_t>(position.moves.size(), kMost16));
}

ProbeFileWriter::ProbeFileWriter(uint64_t at_most) : bits_(BitsFor(at_most)) {
  begins_.reserve((size_t{1} << bits_) + 1);
}

void ProbeFileWriter::Add(const DbPosition& position, std::string& index, std::string& moves) {
  if (positions_ == 0) game_ = GameOf(position.packed);
  const uint64_t bucket = Bucket(HashOf(BytesOf(position.packed)), bits_);
  while (begins_.size() <= bucket) begins_.push_back(static_cast<uint32_t>(positions_));
  index += BytesOf(position.packed);
  AppendLittleEndian<uint32_t>(index, static_cast<uint32_t>(moves_));
  AppendLittleEndian<uint16_t>(index, static_cast<uint16_t>(position.moves.size()));
  AppendLittleEndian<uint16_t>(
      index, static_cast<uint16_t>(std::clamp(position.ply, 1, static_cast<int>(kMost16))));
  ++positions_;
  moves_ += position.moves.size();
  for (const DbMove& move : position.moves) AppendMove(moves, move);
}

std::string ProbeFileWriter::Head() const {
  const uint32_t bits = BitsFor(positions_);
  std::string head(kProbeMagic);
  AppendLittleEndian<uint32_t>(head, kVersion);
  AppendLittleEndian<uint32_t>(head, bits);
  AppendLittleEndian<uint64_t>(head, positions_);
  AppendLittleEndian<uint64_t>(head, moves_);
  head += GameField(game_);
  head.append(kProbeHeader - kReservedAt, '\0');
  for (size_t bucket = 0; bucket <= size_t{1} << bits; ++bucket) {
    const size_t finer = bucket << (bits_ - bits);
    AppendLittleEndian<uint32_t>(
        head, finer < begins_.size() ? begins_[finer] : static_cast<uint32_t>(positions_));
  }
  return head;
}

std::string WriteProbeFile(std::vector<DbPosition> positions) {
  Canonicalise(positions);
  std::vector<std::pair<uint64_t, uint32_t>> order;  // hash, index
  order.reserve(positions.size());
  size_t moves = 0;
  for (uint32_t i = 0; i < positions.size(); ++i) {
    order.emplace_back(HashOf(BytesOf(positions[i].packed)), i);
    ProbeFileWriter::Prepare(positions[i]);
    moves += positions[i].moves.size();
  }
  // Ties keep the order of packed forms.
  std::sort(order.begin(), order.end());
  ProbeFileWriter writer(positions.size());
  std::string index;
  std::string tail;
  index.reserve(positions.size() * kProbeEntry + moves * kProbeMove);
  tail.reserve(moves * kProbeMove);
  for (const auto& [hash, at] : order) writer.Add(positions[at], index, tail);
  return absl::StrCat(writer.Head(), index, tail);
}

std::string GameOfProbeFile(std::string_view bytes) {
  if (!IsProbeFile(bytes) || bytes.size() < kProbeHeader) return {};
  const std::string_view field = bytes.substr(kGameAt, kGameBytes);
  const std::string game(field.substr(0, field.find('\0')));
  return GameField(game) == field ? game : std::string();
}

absl::StatusOr<ProbeView> ProbeView::Of(std::string_view bytes, std::string_view file,
                                        std::string_view game) {
  if (!IsProbeFile(bytes)) {
    return BrokenProbe("unknown_version", file, Quote(bytes.substr(0, kProbeMagic.size())),
                       Quote(kProbeMagic));
  }
  if (bytes.size() < kProbeHeader) {
    return BrokenProbe("bad_size", file, absl::StrCat(bytes.size(), " bytes"),
                       "a header of 64 bytes");
  }
  const auto version = LittleEndian<uint32_t>(bytes, kVersionAt);
  if (version != kVersion || GameOfProbeFile(bytes) != game) {
    return BrokenProbe(
        "unknown_version", file,
        absl::StrCat("version ", version, " of ", Quote(bytes.substr(kGameAt, kGameBytes))),
        absl::StrCat("version 1 of ", std::string(game)));
  }
  ProbeView view;
  view.bytes_ = bytes;
  view.directory_bits_ = LittleEndian<uint32_t>(bytes, kBitsAt);
  view.positions_ = LittleEndian<uint64_t>(bytes, kPositionsAt);
  view.moves_ = LittleEndian<uint64_t>(bytes, kProbeMovesAt);
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  if (view.directory_bits_ <= kMostBits && view.positions_ <= kMost && view.moves_ <= kMost) {
    const uint64_t directory = ((uint64_t{1} << view.directory_bits_) + 1) * kDirectoryEntry;
    view.entries_at_ = kProbeHeader + directory;
    view.moves_at_ = view.entries_at_ + view.positions_ * kProbeEntry;
    if (view.moves_at_ + view.moves_ * kProbeMove == bytes.size()) return view;
  }
  return BrokenProbe("bad_size", file, absl::StrCat(bytes.size(), " bytes"),
                     absl::StrCat("those of a directory of ", view.directory_bits_, " bits, ",
                                  view.positions_, " positions and ", view.moves_, " moves"));
}

uint64_t ProbeView::BucketOf(const PackedPosition& position) const {
  return Bucket(HashOf(BytesOf(position)), directory_bits_);
}

std::optional<ProbeView::Hit> ProbeView::HitAt(uint64_t index) const {
  const size_t at = entries_at_ + index * kProbeEntry;
  const Hit hit{.first = LittleEndian<uint32_t>(bytes_, at + kFirstAt),
                .count = LittleEndian<uint16_t>(bytes_, at + kProbeCountAt),
                .ply = std::max<int>(1, LittleEndian<uint16_t>(bytes_, at + kProbePlyAt))};
  if (hit.first > moves_ || hit.count > moves_ - hit.first) return std::nullopt;
  return hit;
}

std::optional<ProbeView::Hit> ProbeView::Find(const PackedPosition& position) const {
  if (positions_ == 0) return std::nullopt;
  const size_t bucket = kProbeHeader + BucketOf(position) * kDirectoryEntry;
  const uint64_t end =
      std::min<uint64_t>(positions_, LittleEndian<uint32_t>(bytes_, bucket + kDirectoryEntry));
  for (uint64_t i = LittleEndian<uint32_t>(bytes_, bucket); i < end; ++i) {
    const char* const packed = bytes_.data() + entries_at_ + i * kProbeEntry;
    if (std::memcmp(packed, position.bytes.data(), position.bytes.size()) == 0) return HitAt(i);
  }
  return std::nullopt;
}

DbMove ProbeView::MoveAt(const Hit& hit, uint32_t index) const {
  const size_t at = moves_at_ + (hit.first + index) * kProbeMove;
  const auto flags = static_cast<uint8_t>(bytes_[at + 12]);
  DbMove move;
  move.move = Move(LittleEndian<uint16_t>(bytes_, at));
  move.ponder = Move(LittleEndian<uint16_t>(bytes_, at + 2));
  move.value = LittleEndian<int16_t>(bytes_, at + 4);
  move.depth = LittleEndian<uint16_t>(bytes_, at + 6);
  move.count = LittleEndian<uint32_t>(bytes_, at + 8);
  move.has_value = (flags & kHasValue) != 0;
  move.has_depth = (flags & kProbeHasDepth) != 0;
  return move;
}

std::optional<DbPosition> ProbeView::Ask(const PackedPosition& position) const {
  const std::optional<Hit> hit = Find(position);
  if (!hit.has_value()) return std::nullopt;
  DbPosition found;
  found.packed = position;
  found.ply = hit->ply;
  for (uint32_t i = 0; i < hit->count; ++i) found.moves.push_back(MoveAt(*hit, i));
  return found;
}

std::optional<DbPosition> ProbeView::At(uint64_t index) const {
  const std::optional<Hit> hit = HitAt(index);
  if (!hit.has_value()) return std::nullopt;
  DbPosition found;
  found.line = static_cast<int>(std::min<uint64_t>(index + 1, std::numeric_limits<int>::max()));
  std::memcpy(found.packed.bytes.data(), bytes_.data() + entries_at_ + index * kProbeEntry,
              found.packed.bytes.size());
  found.ply = hit->ply;
  for (uint32_t i = 0; i < hit->count; ++i) found.moves.push_back(MoveAt(*hit, i));
  return found;
}

absl::Status ProbeView::Check(std::string_view file) const {
  const auto wrong = [&](size_t byte, std::string expected) {
    return BrokenProbe("bad_index", file, absl::StrCat("what stands at byte ", byte),
                       std::move(expected));
  };
  if (bytes_.empty()) return absl::OkStatus();
  const uint64_t buckets = uint64_t{1} << directory_bits_;
  if (directory_bits_ != BitsFor(positions_)) return wrong(kBitsAt, "a directory of that size");
  if (bytes_.substr(kReservedAt, kProbeHeader - kReservedAt).find_first_not_of('\0') !=
      std::string_view::npos) {
    return wrong(kReservedAt, "zeros");
  }
  uint64_t moves = 0;
  uint64_t bucket = 0;  // the next bucket whose begin is to be checked
  uint64_t last_hash = 0;
  for (uint64_t i = 0; i <= positions_; ++i) {
    const size_t at = entries_at_ + i * kProbeEntry;
    const bool end = i == positions_;
    const uint64_t hash = end ? 0 : HashOf(bytes_.substr(at, kFirstAt));
    const uint64_t here = end ? buckets : Bucket(hash, directory_bits_);
    for (; bucket <= here; ++bucket) {
      const size_t byte = kProbeHeader + bucket * kDirectoryEntry;
      if (LittleEndian<uint32_t>(bytes_, byte) != i) return wrong(byte, "where its bucket begins");
    }
    if (end) break;
    if (i > 0 && std::tuple(hash, bytes_.substr(at, kFirstAt)) <=
                     std::tuple(last_hash, bytes_.substr(at - kProbeEntry, kFirstAt))) {
      return wrong(at, "positions that ascend strictly by hash");
    }
    last_hash = hash;
    const std::optional<Hit> hit = HitAt(i);
    if (!hit.has_value() || hit->first != moves || hit->count == 0) {
      return wrong(at + kFirstAt, "moves that follow those of the position before");
    }
    if (LittleEndian<uint16_t>(bytes_, at + kProbePlyAt) == 0)
      return wrong(at + kProbePlyAt, "a ply");
    moves += hit->count;
  }
  if (moves != moves_) return wrong(kProbeMovesAt, absl::StrCat(moves, " moves"));
  for (uint64_t i = 0; i < moves_; ++i) {
    const size_t at = moves_at_ + i * kProbeMove;
    const DbMove move = MoveAt({.first = i, .count = 1, .ply = 1}, 0);
    std::string written;
    AppendMove(written, move);
    if (bytes_.substr(at, kProbeMove) != written) return wrong(at, "a move as it is written");
  }
  return absl::OkStatus();
}

absl::StatusOr<ProbeFile> ProbeFile::Open(const std::string& path) {
  ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open(path));
  ASSIGN_OR_RETURN(const ProbeView view, ProbeView::Of(file.bytes(), path));
  return ProbeFile(std::move(file), view);
}

namespace {

template <typename Form>
absl::Status ReadProbe(const ProbeView& view, std::string_view file, const DbSink& sink) {
  for (uint64_t i = 0; i < view.positions(); ++i) {
    std::optional<DbPosition> entry = view.At(i);
    const absl::StatusOr<typename Form::Position> position = Form::Unpack(entry->packed);
    if (!position.ok() || !Form::HasKings(*position)) {
      sink.reject(At(BrokenProbe("bad_position", "", absl::StrCat("position ", i + 1),
                                 "a position of a game, packed"),
                     file, entry->line));
      continue;
    }
    std::vector<DbMove> moves;
    for (DbMove& move : entry->moves) {
      if (!position->IsLegal(move.move)) {
        sink.reject(At(BrokenProbe("illegal_move", "",
                                   absl::StrCat("0x", absl::Hex(move.move.raw(), absl::kZeroPad4)),
                                   "a legal move of its position"),
                       file, entry->line));
        continue;
      }
      if (move.ponder) {
        typename Form::Position next = *position;
        typename Form::Undo undo;
        next.Do(move.move, undo);
        if (!next.IsLegal(move.ponder)) move.ponder = Move();
      }
      AddMove(moves, move);
    }
    entry->moves = std::move(moves);
    if (!entry->moves.empty()) sink.accept(*std::move(entry));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadProbeFile(std::string_view bytes, std::string_view file, const DbSink& sink) {
  std::string game = GameOfProbeFile(bytes);
  if (!HasForm(game)) game = ShogiForm::kGame;
  ASSIGN_OR_RETURN(const ProbeView view, ProbeView::Of(bytes, file, game));
  RETURN_IF_ERROR(view.Check(file));
  return WithForm(game, [&](auto form) { return ReadProbe<decltype(form)>(view, file, sink); });
}

}  // namespace joseki::book
