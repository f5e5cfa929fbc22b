#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "book/formats/probe_file.h"

// Damaged files may be asked for anything; one that is sound is written again as the same bytes,
// but for moves that the rules refuse.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::book;  // NOLINT(google-build-using-namespace)
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto view = ProbeView::Of(bytes, "f");
  if (!view.ok()) return 0;
  for (uint64_t i = 0; i < view->positions() && i < 1000; ++i) {
    const auto entry = view->At(i);
    if (entry.has_value()) (void)view->Ask(entry->packed);
  }
  std::vector<DbPosition> positions;
  bool rejected = false;
  DbSink sink;
  sink.accept = [&](DbPosition position) { positions.push_back(std::move(position)); };
  sink.reject = [&](const absl::Status&) { rejected = true; };
  if (!ReadProbeFile(bytes, "f", sink).ok() || rejected) return 0;
  const std::string once = WriteProbeFile(positions);
  if (!ProbeView::Of(once, "f")->Check("f").ok()) std::abort();
  std::vector<DbPosition> again;
  sink.accept = [&](DbPosition position) { again.push_back(std::move(position)); };
  sink.reject = [](const absl::Status&) { std::abort(); };
  if (!ReadProbeFile(once, "f", sink).ok()) std::abort();
  if (WriteProbeFile(again) != once) std::abort();
  return 0;
}
