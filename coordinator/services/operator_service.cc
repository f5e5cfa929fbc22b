#include "coordinator/services/operator_service.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "coordinator/services/from_wire.h"
#include "coordinator/services/put_book_service.h"
#include "coordinator/services/to_wire.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMaxImportErrors = 100;

// The import options of the header.
absl::StatusOr<book::ImportOptions> OptionsOf(const v1::ImportRequest& header) {
  RETURN_IF_ERROR(CheckImportHeader(header));
  book::ImportOptions options;
  if (!header.format().empty()) {
    const std::optional<book::ImportFormat> format = book::ImportFormatOf(header.format());
    if (!format) {
      return BadField("format", Quote(header.format()),
                      "\"csa\", \"kif\", \"usi\", \"yaneuraou-db\", \"ybb\", \"apery\" or nothing");
    }
    options.from = *format;
  }
  if (header.plies() != 0) options.plies = static_cast<int>(header.plies());
  options.professional = header.professional();
  options.again = header.again();
  return options;
}

}  // namespace

absl::Status TakePiece(const v1::ImportRequest& message, v1::ImportRequest& header,
                       Upload& upload) {
  if (!upload.promised()) {
    header = message;
    header.clear_data();
    RETURN_IF_ERROR(OptionsOf(header).status());
    RETURN_IF_ERROR(upload.Promise(message.size(), message.sha256()));
  } else if (!message.file_name().empty() || !message.format().empty() || message.size() != 0 ||
             !message.sha256().empty()) {
    return BadField("file_name", "a second header", "the header in the first message only");
  }
  return upload.Add(message.data());
}

namespace {

absl::StatusOr<v1::ImportResponse> ImportBytes(const v1::ImportRequest& header,
                                               const std::string& bytes, const Rules& rules,
                                               const std::string& db_path) {
  ASSIGN_OR_RETURN(book::ImportOptions options, OptionsOf(header));
  v1::ImportResponse response;
  options.on_reject = [&response](const absl::Status& problem) {
    if (static_cast<size_t>(response.errors_size()) < kMaxImportErrors) {
      response.add_errors(std::string(problem.message()));
    }
  };
  const std::string name = header.file_name().empty() ? "upload" : header.file_name();
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path, book::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(options.imported, book::BookStore(*store).ImportedFiles());
  book::Importer importer(rules, std::move(options));
  importer.AddBytes(name, bytes);
  if (importer.report().files_known > 0) {
    return MakeProblem({.code = "already_imported",
                        .file = name,
                        .found = "a file that the book is made of already",
                        .expected = "a new file, or `again` to count it once more"},
                       absl::StatusCode::kAlreadyExists);
  }
  ASSIGN_OR_RETURN(const book::ImportReport report, importer.Commit(*store, name));
  response.set_games(static_cast<uint64_t>(report.games));
  response.set_rejected(static_cast<uint64_t>(report.rejected));
  response.set_positions(static_cast<uint64_t>(report.positions));
  response.set_moves(static_cast<uint64_t>(report.moves));
  response.set_book_positions(static_cast<uint64_t>(report.book_positions));
  spdlog::info("event=imported file={} games={} rejected={} positions={} moves={}", Quote(name),
               report.games, report.rejected, report.positions, report.moves);
  for (const auto& [reason, count] : report.rejects_by_reason) {
    (*response.mutable_rejects())[reason] = static_cast<uint64_t>(count);
  }
  return response;
}

// Collects the file, then has it imported on the pool. Deletes itself.
class ImportCall : public grpc::ServerReadReactor<v1::ImportRequest> {
 public:
  ImportCall(std::atomic<bool>& importing, TaskPool& pool, const Rules& rules,
             const std::string& db_path, v1::ImportResponse* response)
      : importing_(importing), pool_(pool), rules_(rules), db_path_(db_path), response_(response) {
    if (importing_.exchange(true)) {
      Finish(ToGrpc(absl::ResourceExhaustedError("another import is going on; try again")));
      return;
    }
    StartRead(&message_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return Run();
    const absl::Status status = TakePiece(message_, header_, upload_);
    if (!status.ok()) return End(status);
    StartRead(&message_);
  }
  void OnCancel() override { cancelled_ = true; }
  void OnDone() override { delete this; }

 private:
  // Allow the next import before the caller learns of this one's end.
  void End(const absl::Status& status) {
    importing_ = false;
    Finish(ToGrpc(status));
  }

  // Called when every byte is here, or the caller has cancelled.
  void Run() {
    if (cancelled_) return End(absl::CancelledError("the caller hung up"));
    const bool posted = pool_.Post([this] {
      const absl::StatusOr<std::string> bytes = upload_.Finish();
      if (!bytes.ok()) return End(bytes.status());
      absl::StatusOr<v1::ImportResponse> imported = ImportBytes(header_, *bytes, rules_, db_path_);
      if (imported.ok()) *response_ = *imported;
      End(imported.status());
    });
    if (!posted) End(TooBusy());
  }

  std::atomic<bool>& importing_;
  TaskPool& pool_;
  const Rules& rules_;
  const std::string& db_path_;
  v1::ImportResponse* const response_;
  std::atomic<bool> cancelled_ = false;
  v1::ImportRequest message_;
  v1::ImportRequest header_;
  Upload upload_{OperatorService::kMaxImportBytes};
};

}  // namespace

void OperatorService::OnPool(const std::shared_ptr<PendingCall>& call, std::function<void()> task) {
  if (!pool_.Post(std::move(task))) call->Fail(TooBusy());
}

grpc::ServerUnaryReactor* OperatorService::CreateRun(grpc::CallbackServerContext*,
                                                     const v1::CreateRunRequest* request,
                                                     v1::CreateRunResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  absl::Status checked = Check(*request);
  absl::StatusOr<RunSpec> spec = checked.ok() ? FromWire(request->spec()) : checked;
  if (!spec.ok()) {
    call->Fail(spec.status());
    return call.get();
  }
  OnPool(call, [this, call, response, spec = *std::move(spec), id = request->request_id()] {
    const absl::StatusOr<OperatorCalls::CreatedRun> run = calls_.CreateRun(spec, id);
    if (!run.ok()) return call->Fail(run.status());
    call->Reply([&] {
      response->set_run(run->run);
      response->set_positions(run->positions);
      response->set_moves(run->moves);
    });
  });
  return call.get();
}

grpc::ServerUnaryReactor* OperatorService::Change(const v1::RunRequest& request,
                                                  v1::RunResponse* response, ChangeState change) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  if (const absl::Status status = Check(request); !status.ok()) {
    call->Fail(status);
    return call.get();
  }
  OnPool(call, [this, call, response, change, run = request.run()] {
    const absl::StatusOr<std::string> state = (calls_.*change)(run);
    if (!state.ok()) return call->Fail(state.status());
    call->Reply([&] { response->set_state(*state); });
  });
  return call.get();
}

grpc::ServerUnaryReactor* OperatorService::PauseRun(grpc::CallbackServerContext*,
                                                    const v1::RunRequest* request,
                                                    v1::RunResponse* response) {
  return Change(*request, response, &OperatorCalls::PauseRun);
}

grpc::ServerUnaryReactor* OperatorService::ResumeRun(grpc::CallbackServerContext*,
                                                     const v1::RunRequest* request,
                                                     v1::RunResponse* response) {
  return Change(*request, response, &OperatorCalls::ResumeRun);
}

grpc::ServerUnaryReactor* OperatorService::StopRun(grpc::CallbackServerContext*,
                                                   const v1::RunRequest* request,
                                                   v1::RunResponse* response) {
  return Change(*request, response, &OperatorCalls::StopRun);
}

grpc::ServerUnaryReactor* OperatorService::ExtendRun(grpc::CallbackServerContext*,
                                                     const v1::ExtendRunRequest* request,
                                                     v1::ExtendRunResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  absl::StatusOr<MoreToPlay> more = FromWire(*request);
  if (!more.ok()) {
    call->Fail(more.status());
    return call.get();
  }
  OnPool(call, [this, call, response, run = request->run(), more = *std::move(more)] {
    const absl::StatusOr<ExtendedRun> extended = calls_.ExtendRun(run, more);
    if (!extended.ok()) return call->Fail(extended.status());
    call->Reply([&] {
      response->set_state(extended->state);
      *response->mutable_spec() = ToWire(extended->spec);
    });
  });
  return call.get();
}

grpc::ServerReadReactor<v1::ImportRequest>* OperatorService::Import(grpc::CallbackServerContext*,
                                                                    v1::ImportResponse* response) {
  return new ImportCall(importing_, pool_, rules_, db_path_, response);
}

grpc::ServerReadReactor<v1::PutBookRequest>* OperatorService::PutBook(
    grpc::CallbackServerContext*, v1::PutBookResponse* response) {
  return coordinator::PutBook(importing_, pool_, calls_, kMaxImportBytes, response);
}

grpc::ServerUnaryReactor* OperatorService::SetPriority(grpc::CallbackServerContext*,
                                                       const v1::SetPriorityRequest* request,
                                                       v1::SetPriorityResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  if (const absl::Status status = Check(*request); !status.ok()) {
    call->Fail(status);
    return call.get();
  }
  OnPool(call, [this, call, response, wanted = *request] {
    const absl::StatusOr<Share> share =
        calls_.SetPriority(wanted.run(), wanted.priority(), wanted.weight());
    if (!share.ok()) return call->Fail(share.status());
    call->Reply([&] { *response->mutable_share() = ToWire(*share); });
  });
  return call.get();
}

grpc::ServerUnaryReactor* OperatorService::FreeLines(grpc::CallbackServerContext*,
                                                     const v1::FreeLinesRequest* request,
                                                     v1::FreeLinesResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  const absl::StatusOr<std::optional<std::vector<Move>>> line = FromWire(*request, rules_);
  if (!line.ok()) {
    call->Fail(line.status());
    return call.get();
  }
  OnPool(call, [this, call, response, run = request->run(), line = *line] {
    const absl::StatusOr<uint32_t> lines = calls_.FreeLines(run, line);
    if (!lines.ok()) return call->Fail(lines.status());
    call->Reply([&] { response->set_lines(*lines); });
  });
  return call.get();
}

grpc::ServerUnaryReactor* OperatorService::Drain(grpc::CallbackServerContext*,
                                                 const v1::DrainRequest* request,
                                                 v1::DrainResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  if (const absl::Status status = Check(*request); !status.ok()) {
    call->Fail(status);
    return call.get();
  }
  const int told = calls_.Drain(request->worker());
  call->Reply([&] { response->set_workers(static_cast<uint32_t>(told)); });
  return call.get();
}

grpc::ServerUnaryReactor* OperatorService::Undrain(grpc::CallbackServerContext*,
                                                   const v1::DrainRequest* request,
                                                   v1::DrainResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  if (const absl::Status status = Check(*request); !status.ok()) {
    call->Fail(status);
    return call.get();
  }
  const absl::StatusOr<Undrained> undrained = calls_.Undrain(request->worker());
  if (!undrained.ok()) {
    call->Fail(undrained.status());
    return call.get();
  }
  call->Reply([&] {
    response->set_workers(static_cast<uint32_t>(undrained->workers));
    response->set_lifted(undrained->lifted);
  });
  return call.get();
}

grpc::ServerUnaryReactor* OperatorService::BlockWorker(grpc::CallbackServerContext*,
                                                       const v1::BlockWorkerRequest* request,
                                                       v1::BlockWorkerResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  if (const absl::Status status = Check(*request); !status.ok()) {
    call->Fail(status);
    return call.get();
  }
  OnPool(call, [this, call, response, wanted = *request] {
    const absl::StatusOr<int> leases =
        calls_.BlockWorker(wanted.worker(), wanted.reason(), wanted.unseen());
    if (!leases.ok()) return call->Fail(leases.status());
    call->Reply([&] { response->set_leases(static_cast<uint32_t>(*leases)); });
  });
  return call.get();
}

grpc::ServerUnaryReactor* OperatorService::UnblockWorker(grpc::CallbackServerContext*,
                                                         const v1::UnblockWorkerRequest* request,
                                                         v1::UnblockWorkerResponse*) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  if (const absl::Status status = Check(*request); !status.ok()) {
    call->Fail(status);
    return call.get();
  }
  OnPool(call, [this, call, worker = request->worker(), keep = request->keep_games_out()] {
    const absl::Status status = calls_.UnblockWorker(worker, keep);
    if (!status.ok()) return call->Fail(status);
    call->Reply([] {});
  });
  return call.get();
}

}  // namespace joseki::coordinator
