#include "coordinator/store/run_counters.h"

#include <array>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/problem.h"
#include "nlohmann/json.hpp"

namespace joseki::coordinator {
namespace {

using Json = nlohmann::json;

// The plain numbers, with their names.
std::array<std::pair<const char*, uint64_t RunCounters::*>, 8> CounterFields() {
  return {{{"games", &RunCounters::games},
           {"faults", &RunCounters::faults},
           {"draws", &RunCounters::draws},
           {"stale", &RunCounters::stale},
           {"excluded", &RunCounters::excluded},
           {"resign_checked", &RunCounters::resign_checked},
           {"resign_wrong", &RunCounters::resign_wrong},
           {"think_ms", &RunCounters::think_ms}}};
}

template <typename Key>
Json ToObject(const std::map<Key, uint64_t>& map) {
  Json object = Json::object();
  for (const auto& [key, count] : map) object[absl::StrCat(static_cast<int>(key))] = count;
  return object;
}

// Reads a map of whole numbers in [0, highest] to counts; false if the object is none.
template <typename Key>
bool FromObject(const Json& object, int highest, std::map<Key, uint64_t>& map) {
  if (!object.is_object()) return false;
  for (const auto& [name, count] : object.items()) {
    int key = 0;
    if (!absl::SimpleAtoi(name, &key) || key < 0 || key > highest) return false;
    if (!count.is_number_unsigned()) return false;
    map[static_cast<Key>(key)] = count.template get<uint64_t>();
  }
  return true;
}

}  // namespace

std::string CountersToJson(const RunCounters& counters) {
  Json json = {{"terminations", ToObject(counters.terminations)},
               {"counted", ToObject(counters.counted)}};
  for (const auto& [name, field] : CounterFields()) json[name] = counters.*field;
  return json.dump();
}

absl::StatusOr<RunCounters> CountersFromJson(std::string_view text) {
  const auto bad = [&] {
    return MakeProblem({.code = "bad_row",
                        .found = absl::StrCat("counters ", Quote(text)),
                        .expected = "the counters of a run"},
                       absl::StatusCode::kDataLoss);
  };
  const Json json = ParseJson<Json>(text);
  if (!json.is_object() || json.size() != CounterFields().size() + 2) return bad();
  RunCounters counters;
  for (const auto& [name, field] : CounterFields()) {
    const auto at = json.find(name);
    if (at == json.end() || !at->is_number_unsigned()) return bad();
    counters.*field = at->get<uint64_t>();
  }
  const auto terminations = json.find("terminations");
  const auto counted = json.find("counted");
  if (terminations == json.end() || counted == json.end()) return bad();
  if (!FromObject(*terminations, static_cast<int>(Termination::kInterrupted),
                  counters.terminations) ||
      !FromObject(*counted, 1'000'000, counters.counted)) {
    return bad();
  }
  return counters;
}

}  // namespace joseki::coordinator
