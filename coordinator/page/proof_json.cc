#include "coordinator/page/proof_json.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"

namespace joseki::coordinator {
namespace {

struct ProofFile {
  std::filesystem::path path;
  std::string opponent;
  uint64_t limit = 0;
  int64_t written_ms = 0;
  uint64_t bytes = 0;
};

// Parses a name "proof-RUN-HASH-OPPONENT-LIMIT.jsonl".
std::optional<ProofFile> ProofFileOf(const std::filesystem::path& path, RunId run) {
  static const std::regex kName(R"(proof-(\d+)-[0-9a-f]{8}-([a-z-]+)-(\d{1,18})\.jsonl)");
  std::smatch found;
  const std::string name = path.filename().string();
  if (!std::regex_match(name, found, kName) || found[1] != absl::StrCat(run)) return std::nullopt;
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  if (error) return std::nullopt;
  const uint64_t bytes = std::filesystem::file_size(path, error);
  if (error) return std::nullopt;
  const auto since = std::chrono::file_clock::to_sys(written).time_since_epoch();
  return ProofFile{path, found[2], std::stoull(found[3]),
                   std::chrono::duration_cast<std::chrono::milliseconds>(since).count(), bytes};
}

// The proof files of the run, newest first.
std::vector<ProofFile> ProofFiles(const std::string& db_path, RunId run) {
  std::vector<ProofFile> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(db_path + ".logs", error)) {
    if (auto file = ProofFileOf(entry.path(), run)) files.push_back(*std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const ProofFile& a, const ProofFile& b) {
    return std::tuple(-a.written_ms, a.limit, a.opponent, a.path) <
           std::tuple(-b.written_ms, b.limit, b.opponent, b.path);
  });
  return files;
}

// The state of the file's match: its last summary.
std::optional<Json> SummaryOf(const std::filesystem::path& path) {
  constexpr std::string_view kBegins = R"({"summary":)";
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kBegins)) last = std::move(line);
  }
  const Json json = ParseJson<Json>(last);
  if (!json.is_object() || !json.contains("summary") || !json["summary"].is_object()) {
    return std::nullopt;
  }
  return json["summary"];
}

}  // namespace

Json ProofJson(const std::string& db_path, RunId run) {
  Json matches = Json::array();
  for (const ProofFile& file : ProofFiles(db_path, run)) {
    const std::optional<Json> summary = SummaryOf(file.path);
    if (!summary) continue;
    Json& match = matches.emplace_back(
        Json{{"opponent", file.opponent}, {"limit", file.limit}, {"played_ms", file.written_ms}});
    for (const char* const key :
         {"pairs", "games", "wins", "draws", "losses", "elo", "elo_low", "elo_high", "llr"}) {
      match[key] = summary->value(key, Json(nullptr));
    }
    const Json test = summary->value("sprt", Json::object());
    for (const char* const key : {"lower", "upper"}) match[key] = test.value(key, Json(nullptr));
  }
  return matches;
}

std::string ProofVersion(const std::string& db_path, RunId run) {
  std::string version;
  for (const ProofFile& file : ProofFiles(db_path, run)) {
    absl::StrAppend(&version, file.path.filename().string(), " ", file.bytes, " ", file.written_ms,
                    ";");
  }
  return version;
}

}  // namespace joseki::coordinator
