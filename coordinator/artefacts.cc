#include "coordinator/artefacts.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostNamedWeights = 10'000;

absl::Status Unknown(const Sha256& sha256) {
  return MakeProblem({.code = "unknown_artefact",
                      .found = Hex(sha256),
                      .expected = "the hash of an artefact of this coordinator"},
                     absl::StatusCode::kNotFound);
}

absl::Status BeyondEnd(uint64_t offset, uint64_t size) {
  return MakeProblem({.code = "bad_field",
                      .file = "offset",
                      .found = absl::StrCat(offset),
                      .expected = absl::StrCat("at most ", size)},
                     absl::StatusCode::kOutOfRange);
}

}  // namespace

absl::StatusOr<ArtefactInfo> Artefacts::Find(const Sha256& sha256) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const std::string> bytes, Bytes(sha256));
  if (bytes == nullptr) return Unknown(sha256);
  return ArtefactInfo{sha256, bytes->size()};
}

absl::StatusOr<ArtefactInfo> Artefacts::FindWeights(RunId run, uint32_t have, uint32_t version) {
  const auto name = std::tuple(run, have, version);
  const auto known = [&]() -> std::optional<ArtefactInfo> {
    const ScopedLock lock(mutex_);
    const auto named = deltas_.find(name);
    if (named == deltas_.end()) return std::nullopt;
    for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
      if (kept->sha256 != named->second) continue;
      kept_.splice(kept_.begin(), kept_, kept);
      return ArtefactInfo{kept->sha256, kept->bytes->size()};
    }
    return std::nullopt;
  };
  if (const auto info = known()) return *info;
  const ScopedLock making(making_);
  if (const auto info = known()) return *info;  // another caller has made it meanwhile
  ASSIGN_OR_RETURN(std::string delta, weights_.Delta(run, have, version));
  const Sha256 sha256 = Sha256Of(delta);
  const ArtefactInfo info{sha256, delta.size()};
  Keep(sha256, std::move(delta));
  const ScopedLock lock(mutex_);
  if (deltas_.size() >= kMostNamedWeights) deltas_.clear();
  deltas_[name] = sha256;
  return info;
}

absl::StatusOr<std::string> Artefacts::Read(const Sha256& sha256, uint64_t offset, uint64_t most) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const std::string> bytes, Bytes(sha256));
  if (bytes == nullptr) return Unknown(sha256);
  if (offset > bytes->size()) return BeyondEnd(offset, bytes->size());
  return bytes->substr(offset, most);
}

absl::StatusOr<std::shared_ptr<const std::string>> Artefacts::Bytes(const Sha256& sha256) {
  const auto kept = [&]() -> std::shared_ptr<const std::string> {
    const ScopedLock lock(mutex_);
    const auto found = std::find_if(kept_.begin(), kept_.end(),
                                    [&](const Kept& item) { return item.sha256 == sha256; });
    if (found == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front().bytes;
  };
  if (auto bytes = kept()) return bytes;
  const ScopedLock making(making_);
  if (auto bytes = kept()) return bytes;
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(options_.db_path, book::OpenMode::kReadOnly));
  absl::StatusOr<std::string> bytes = RunStore(*store).runs().ReadSnapshot(sha256);
  if (absl::IsNotFound(bytes.status())) return std::shared_ptr<const std::string>();
  RETURN_IF_ERROR(bytes.status());
  return Keep(sha256, *std::move(bytes));
}

std::shared_ptr<const std::string> Artefacts::Keep(const Sha256& sha256, std::string bytes) {
  auto shared = std::make_shared<const std::string>(std::move(bytes));
  const ScopedLock lock(mutex_);
  for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
    if (kept->sha256 != sha256) continue;
    kept_.splice(kept_.begin(), kept_, kept);
    return kept->bytes;
  }
  kept_.push_front({sha256, shared});
  kept_bytes_ += shared->size();
  while (kept_bytes_ > options_.kept_bytes && kept_.size() > 1) {
    kept_bytes_ -= kept_.back().bytes->size();
    kept_.pop_back();
  }
  return shared;
}

}  // namespace joseki::coordinator
