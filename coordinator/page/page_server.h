#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "coordinator/page/book_file.h"
#include "coordinator/reader_calls.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

struct PageOptions {
  std::string listen;             // HOST:PORT; port 0 takes a free one
  std::string option = "--page";  // name of that option, for errors
  bool only_loopback = false;     // no option opens the page to a network
  std::string db_path;            // the coordinator's database
  std::string name = {};          // its name on the page; empty: that of the file
  // Another database to compare with, opened read-only; of the same game.
  std::optional<BookFile> with = {};
  bool nobody_plays = false;  // the coordinator is read-only: no run is active
  // The file with the password; made, with a random one, if missing. Any user name goes with it.
  // Empty: everybody who reaches the port may read.
  std::string password_file = {};
  // PEM files for HTTPS; empty: plaintext.
  std::string certificate = {};
  std::string key = {};
  bool insecure_network = false;
  // The end of the coordinator's certificate; nullopt without TLS.
  std::function<std::optional<absl::Time>()> certificate_end = [] { return std::nullopt; };
};

// The coordinator's page, for browsers: read-only, in one file, without requests to other hosts.
//   GET /              the page
//   GET /api/status    StatusJson (json.h) of all runs, and the number of workers. A run that is
//                      not over in a read-only coordinator is "unfinished"; `match`: it is one,
//                      and tunes no book. `with`: the name of the file to compare with, or null
//   GET /api/workers   WorkerListJson (worker_list.h); with ?most=N&match=TEXT
//   GET /api/book      BookJson (book_json.h)
//   GET /api/position?run=R&position=TEXT  PositionJson with AddImported and `opening`; without
//                                          position the run's start; run 0 is the book itself,
//                                          by BookPositionJson
//   GET /api/line?run=R&moves=7g7f%203c3d  recent games through a line, its exits, and `opening`,
//                                          the last name along it; run 0 has no games
//   GET /api/run?run=R                     RunReportJson (run_json.h)
//   GET /api/files                         BookFilesJson (book_file.h)
//   GET /api/diff?before=A&after=B         DiffJson (diff_json.h), 60 positions
//
// The status of runs and workers is up to a second old and shared by all requests. Replies about
// whole books, runs and differences are made one at a time and cached (kept_replies.h). Errors are
// {"error": {code, found, expected, message}} with the matching HTTP status.
//
// On loopback every user of the machine may read. Elsewhere a reader needs the password, over
// HTTPS; with insecure_network everybody may read. Pages of other sites cannot: no reply may be
// read by other origins, and on loopback a request that names another host is refused.
class PageServer {
 public:
  // Listens. InvalidArgument "bad_address", FailedPrecondition "insecure_network" or "tls_files",
  // Unavailable "cannot_listen", or an error of PagePassword (page_password.h). `calls`,
  // `rules` and `clock` must outlive this object.
  static absl::StatusOr<std::unique_ptr<PageServer>> Start(PageOptions options, ReaderCalls& calls,
                                                           const Rules& rules,
                                                           const Clock& clock = Clock::System());
  // Checks the options as Start does before it listens. Makes no password.
  static absl::Status Check(const PageOptions& options);
  // The URL at which Start will serve the page; empty if the port is 0 or the address is invalid.
  static std::string UrlOf(const PageOptions& options);
  // Stops listening; waits for replies in progress.
  virtual ~PageServer() = default;

  virtual const std::string& address() const = 0;  // "HOST:PORT", with the actual port
  virtual const char* scheme() const = 0;          // "http" or "https"
};

}  // namespace joseki::coordinator
