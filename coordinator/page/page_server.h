#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "coordinator/coordinator.h"
#include "coordinator/page/book_file.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

struct PageOptions {
  std::string listen;             // HOST:PORT; port 0 takes a free one
  std::string option = "--page";  // that says so, for errors
  bool only_loopback = false;     // nothing opens it to a network
  std::string db_path;            // of the coordinator, for what its tables hold
  std::string name = {};          // what the page calls that; empty: as the file is called
  // Another one to compare with, which is only read; of the same game.
  std::optional<BookFile> with = {};
  bool nobody_plays = false;  // the coordinator only looks: no run is running
  // Readers: empty, whoever reaches the port. Otherwise a file with the password, which is
  // made with one by chance where there is none; any user name goes with it.
  std::string password_file = {};
  // PEM files by which the page is served over HTTPS; empty: in clear.
  std::string certificate = {};
  std::string key = {};
  bool insecure_network = false;
  // When the coordinator's certificate ends; nullopt without TLS.
  std::function<std::optional<absl::Time>()> certificate_end = [] { return std::nullopt; };
};

// The coordinator's page, for browsers: read-only, everything in one file, no other host asked.
//   GET /              the page
//   GET /api/status    StatusJson (json.h) of all runs, and how many workers there are; a run that
//   is
//                      not over and that nobody plays is "unfinished". `with`: the name of the file
//                      to compare with, or null
//   GET /api/workers   WorkerListJson (worker_list.h); with ?most=N&match=TEXT
//   GET /api/book      BookJson (book_json.h)
//   GET /api/position?run=R&position=TEXT            PositionJson with AddImported and `opening`,
//   the
//                                                    run's start without position; run 0 is the
//                                                    book itself, by BookPositionJson
//   GET /api/line?run=R&moves=7g7f%203c3d            the late games through a line, its exits, and
//                                                    `opening`, the last name along it; run 0 has
//                                                    no games
//   GET /api/run?run=R                               RunReportJson (run_json.h)
//   GET /api/files                                   BookFilesJson (book_file.h)
//   GET /api/diff?before=A&after=B                   DiffJson (diff_json.h), 60 positions
// What is said of runs and workers is up to a second old: whoever asks within it shares one look.
// Whole books, runs and differences are worked out one at a time and kept (kept_replies.h).
// Errors are {"error": {code, found, expected, message}} with the status that HTTP has for them.
// On loopback whoever is on the machine may read, off it who knows the password, over HTTPS; with
// insecure_network everybody. A page of another site cannot: no reply may be read by other
// origins, and on loopback a request that names another host is refused.
class PageServer {
 public:
  // Listens. InvalidArgument "bad_address", FailedPrecondition "insecure_network" or "tls_files",
  // Unavailable "cannot_listen", and what PagePassword says (page_password.h). `coordinator`,
  // `rules` and `clock` must outlive it.
  static absl::StatusOr<std::unique_ptr<PageServer>> Start(PageOptions options,
                                                           Coordinator& coordinator,
                                                           const Rules& rules,
                                                           const Clock& clock = Clock::System());
  // Checks of the options by which Start refuses before it listens. Makes no password.
  static absl::Status Check(const PageOptions& options);
  // Where Start will serve it; empty where a port is to be found, or the address is none.
  static std::string UrlOf(const PageOptions& options);
  // Stops listening; waits for the replies that are being made.
  virtual ~PageServer() = default;

  virtual const std::string& address() const = 0;  // "HOST:PORT", with the port that was taken
  virtual const char* scheme() const = 0;          // "http" or "https"
};

}  // namespace joseki::coordinator
