#include "coordinator/artefacts.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "book/weights_delta.h"
#include "coordinator/services/server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "joseki/v1/artefact.grpc.pb.h"
#include "proto/grpc_status.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

Sha256 HashIn(const std::string& bytes) {
  Sha256 sha256{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), sha256.size()), sha256.begin());
  return sha256;
}
std::string BytesOf(const Sha256& sha256) { return {sha256.begin(), sha256.end()}; }

std::string CodeOf(const absl::Status& status) {
  return status.ok() ? "ok" : ProblemOf(status).code;
}

// A coordinator with a run with re-entry and a folder of weight files.
class ArtefactsTest : public ::testing::Test {
 protected:
  ArtefactsTest() : path_(folder_ / "book.sqlite"), files_(folder_ / "files") {
    testing::WriteToyBook(path_);
    std::filesystem::create_directories(files_);
    coordinator_ = *Coordinator::Start({.db_path = path_}, rules_);
    RunSpec spec = testing::ToySpec(100);
    spec.play.re_entry = true;
    spec.play.re_entry_games = 10;
    run_ = coordinator_->CreateRun(spec, "")->run;
    auto store = Store::Open(path_, OpenMode::kReadOnly).value();
    RunStore rows(*store);
    snapshot_ = rows.ReadRun(run_)->snapshot;
    snapshot_bytes_ = *rows.ReadSnapshot(snapshot_);
  }

  Sha256 Write(const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(WriteFileAtomically(files_ + "/" + name, bytes).ok());
    return Sha256Of(bytes);
  }
  Artefacts::Options Options() const { return {.db_path = path_, .folder = files_}; }

  testing::TempFolder folder_;
  const std::string path_;
  const std::string files_;
  const testing::ToyRules rules_;
  std::unique_ptr<Coordinator> coordinator_;
  RunId run_ = 0;
  Sha256 snapshot_{};
  std::string snapshot_bytes_;
};

TEST_F(ArtefactsTest, FindsSnapshotsFilesAndWeights) {
  const std::string weights(1000, 'w');
  const Sha256 file = Write("nn.bin", weights);
  Artefacts artefacts(Options(), *coordinator_);
  ASSERT_TRUE(artefacts.Scan().ok());

  const auto snapshot = artefacts.Find(snapshot_);
  ASSERT_TRUE(snapshot.ok()) << snapshot.status();
  EXPECT_EQ(snapshot->size, snapshot_bytes_.size());
  EXPECT_EQ(*artefacts.Read(snapshot_, 0, 1 << 20), snapshot_bytes_);
  EXPECT_EQ(*artefacts.Read(snapshot_, 10, 7), snapshot_bytes_.substr(10, 7));
  EXPECT_EQ(*artefacts.Read(snapshot_, snapshot_bytes_.size(), 7), "");
  EXPECT_TRUE(absl::IsOutOfRange(artefacts.Read(snapshot_, 1 << 30, 7).status()));

  EXPECT_EQ(artefacts.Find(file)->size, 1000u);
  EXPECT_EQ(artefacts.Read(file, 990, 100)->size(), 10u);
  EXPECT_TRUE(absl::IsOutOfRange(artefacts.Read(file, 1001, 1).status()));

  const auto delta = artefacts.FindWeights(run_, 0, 1);
  ASSERT_TRUE(delta.ok()) << delta.status();
  const std::string bytes = *artefacts.Read(delta->sha256, 0, 1 << 20);
  EXPECT_EQ(Sha256Of(bytes), delta->sha256);
  EXPECT_EQ(book::ReadWeightsDeltaHeader(bytes)->to, 1u);
  EXPECT_TRUE(absl::IsNotFound(artefacts.FindWeights(run_, 0, 2).status()));
  EXPECT_TRUE(absl::IsNotFound(artefacts.FindWeights(run_ + 1, 0, 1).status()));

  EXPECT_EQ(CodeOf(artefacts.Find(Sha256Of("nothing")).status()), "unknown_artefact");
  EXPECT_EQ(CodeOf(artefacts.Read(Sha256Of("nothing"), 0, 1).status()), "unknown_artefact");
}

TEST_F(ArtefactsTest, SeesFilesComeChangeAndGo) {
  Artefacts artefacts(Options(), *coordinator_);
  ASSERT_TRUE(artefacts.Scan().ok());
  const Sha256 first = Write("nn.bin", "first");
  ASSERT_TRUE(artefacts.Find(first).ok()) << "found without being told";
  const Sha256 second = Write("nn.bin", "second and longer");
  EXPECT_EQ(CodeOf(artefacts.Read(first, 0, 100).status()), "unknown_artefact");
  ASSERT_TRUE(artefacts.Find(second).ok());
  EXPECT_EQ(*artefacts.Read(second, 0, 100), "second and longer");
  std::filesystem::remove(files_ + "/nn.bin");
  EXPECT_EQ(CodeOf(artefacts.Read(second, 0, 100).status()), "unknown_artefact");
}

TEST_F(ArtefactsTest, KeepsNoMoreThanItMay) {
  Artefacts::Options options = Options();
  options.kept_bytes = 1;
  Artefacts artefacts(options, *coordinator_);
  const auto delta = artefacts.FindWeights(run_, 0, 1);
  ASSERT_TRUE(delta.ok());
  ASSERT_TRUE(artefacts.Read(snapshot_, 0, 10).ok()) << "read again, and the delta forgotten";
  EXPECT_EQ(CodeOf(artefacts.Read(delta->sha256, 0, 10).status()), "unknown_artefact");
  EXPECT_EQ(artefacts.FindWeights(run_, 0, 1)->sha256, delta->sha256) << "and made again";
}

TEST_F(ArtefactsTest, NamesAFolderThatIsNone) {
  Artefacts::Options options = Options();
  options.folder = folder_ / "nowhere";
  Artefacts artefacts(options, *coordinator_);
  EXPECT_EQ(ProblemOf(artefacts.Scan()).file, options.folder);
  options.folder = "";
  EXPECT_TRUE(Artefacts(options, *coordinator_).Scan().ok());
}

// Over a real connection.
class ArtefactServiceTest : public ArtefactsTest {
 protected:
  void Serve(double mb_per_second) {
    server_ = *Server::Start({.listen = "127.0.0.1:0",
                              .address_file = "",
                              .db_path = path_,
                              .artefacts = files_,
                              .artefact_mb_per_second = mb_per_second},
                             *coordinator_, rules_);
    stub_ = v1::ArtefactService::NewStub(
        grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()));
  }
  absl::StatusOr<v1::Manifest> ManifestOf(const v1::ManifestRequest& request) {
    grpc::ClientContext context;
    v1::Manifest manifest;
    const grpc::Status status = stub_->GetManifest(&context, request, &manifest);
    if (!status.ok()) return FromGrpc(status);
    return manifest;
  }
  absl::StatusOr<std::vector<v1::ArtefactChunk>> Fetch(const std::string& sha256, uint64_t offset) {
    grpc::ClientContext context;
    v1::FetchRequest request;
    request.set_sha256(sha256);
    request.set_offset(offset);
    const auto reader = stub_->Fetch(&context, request);
    std::vector<v1::ArtefactChunk> chunks;
    for (v1::ArtefactChunk chunk; reader->Read(&chunk);) chunks.push_back(chunk);
    const grpc::Status status = reader->Finish();
    if (!status.ok()) return FromGrpc(status);
    return chunks;
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<v1::ArtefactService::Stub> stub_;
};

TEST_F(ArtefactServiceTest, SendsAFileInChunksFromAnyOffset) {
  std::string bytes(600'000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  const Sha256 sha256 = Write("nn.bin", bytes);
  Serve(0);
  v1::ManifestRequest request;
  request.set_worker("w");
  request.set_sha256(BytesOf(sha256));
  const auto manifest = ManifestOf(request);
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(HashIn(manifest->sha256()), sha256);
  EXPECT_EQ(manifest->size(), bytes.size());
  EXPECT_EQ(manifest->start_after_ms(), 0u);
  for (const uint64_t offset : {0, 1, 262'144, 599'999, 600'000}) {
    const auto chunks = Fetch(manifest->sha256(), offset);
    ASSERT_TRUE(chunks.ok()) << chunks.status();
    std::string got;
    for (const v1::ArtefactChunk& chunk : *chunks) {
      EXPECT_EQ(chunk.offset(), offset + got.size());
      EXPECT_LE(chunk.data().size(), 262'144u);
      got += chunk.data();
    }
    EXPECT_EQ(got, bytes.substr(offset));
  }
  EXPECT_TRUE(absl::IsOutOfRange(Fetch(manifest->sha256(), 600'001).status()));
}

TEST_F(ArtefactServiceTest, SendsWhatARunNeeds) {
  Serve(1000);
  v1::ManifestRequest request;
  request.set_worker("w");
  request.mutable_weights()->set_run(run_);
  request.mutable_weights()->set_version(1);
  const auto manifest = ManifestOf(request);
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  const auto chunks = Fetch(manifest->sha256(), 0);
  ASSERT_TRUE(chunks.ok()) << chunks.status();
  ASSERT_EQ(chunks->size(), 1u);
  EXPECT_EQ(Sha256Of(chunks->at(0).data()), HashIn(manifest->sha256()));
  request.mutable_weights()->set_version(9);
  EXPECT_TRUE(absl::IsNotFound(ManifestOf(request).status()));
  EXPECT_TRUE(absl::IsNotFound(Fetch(std::string(32, 'x'), 0).status()));
}

TEST_F(ArtefactServiceTest, RefusesFieldsOutOfBounds) {
  Serve(0);
  const auto field_of = [&](auto change) {
    v1::ManifestRequest request;
    request.set_worker("w");
    request.set_sha256(std::string(32, 'x'));
    change(request);
    const absl::Status status = ManifestOf(request).status();
    EXPECT_EQ(CodeOf(status), "bad_field") << status;
    return ProblemOf(status).file;
  };
  using M = v1::ManifestRequest;
  EXPECT_EQ(field_of([](M& m) { m.set_worker("../w"); }), "worker");
  EXPECT_EQ(field_of([](M& m) { m.clear_worker(); }), "worker");
  EXPECT_EQ(field_of([](M& m) { m.set_sha256("../../etc/passwd"); }), "sha256");
  EXPECT_EQ(field_of([](M& m) { m.clear_sha256(); }), "name");
  EXPECT_EQ(field_of([](M& m) { m.mutable_weights()->set_version(1); }), "weights.run");
  EXPECT_EQ(field_of([](M& m) { m.mutable_weights()->set_run(1); }), "weights.version");
  EXPECT_EQ(field_of([](M& m) {
              m.mutable_weights()->set_run(1);
              m.mutable_weights()->set_version(1);
              m.mutable_weights()->set_have(2);
            }),
            "weights.have");
  EXPECT_EQ(ProblemOf(Fetch("short", 0).status()).file, "sha256");
}

TEST_F(ArtefactServiceTest, ACallerThatHangsUpWhileItIsHeldBackIsForgotten) {
  const Sha256 sha256 = Write("nn.bin", std::string(8 << 20, 'n'));
  Serve(0.001);  // a chunk takes minutes
  grpc::ClientContext context;
  v1::FetchRequest request;
  request.set_sha256(BytesOf(sha256));
  const auto reader = stub_->Fetch(&context, request);
  v1::ArtefactChunk chunk;
  ASSERT_TRUE(reader->Read(&chunk)) << "the burst";
  context.TryCancel();
  while (reader->Read(&chunk)) {
  }
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  server_->Shutdown(absl::Hours(1));  // would wait for a stream that is still there
}

}  // namespace
}  // namespace joseki::coordinator
