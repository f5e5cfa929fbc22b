#include "tests/support/http_client.h"

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace joseki::testing {
namespace {

namespace asio = boost::asio;

template <typename Stream>
std::string Exchange(Stream& stream, const std::string& bytes) {
  boost::system::error_code error;
  // The server may answer before it has all, and close.
  asio::write(stream, asio::buffer(bytes), error);
  std::string answer;
  asio::read(stream, asio::dynamic_buffer(answer), error);
  return answer;
}

HttpReply ReplyOf(const std::string& text) {
  HttpReply reply;
  const size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos) return reply;
  reply.body = text.substr(end + 4);
  const std::vector<std::string> lines = absl::StrSplit(text.substr(0, end), "\r\n");
  const std::vector<std::string> first = absl::StrSplit(lines[0], ' ');
  if (first.size() < 2 || !absl::SimpleAtoi(first[1], &reply.status)) return {};
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::pair<std::string, std::string> header =
        absl::StrSplit(lines[i], absl::MaxSplits(": ", 1));
    reply.headers.insert(header);
  }
  return reply;
}

}  // namespace

std::string HttpReply::Header(const std::string& name) const {
  for (const auto& [key, value] : headers) {
    if (absl::EqualsIgnoreCase(key, name)) return value;
  }
  return "";
}

void HttpClient::SetPassword(const std::string& user, const std::string& password) {
  headers_["Authorization"] = "Basic " + absl::Base64Escape(absl::StrCat(user, ":", password));
}

std::string HttpClient::Head(const std::string& line, const Headers& headers) const {
  Headers all = headers;
  all.insert(headers_.begin(), headers_.end());
  all.emplace("Host", absl::StrCat(server_.host, ":", server_.port));
  all.emplace("Connection", "close");
  std::string head = line + " HTTP/1.1\r\n";
  for (const auto& [name, value] : all) absl::StrAppend(&head, name, ": ", value, "\r\n");
  return head;
}

HttpReply HttpClient::Get(const std::string& path, const Headers& headers) const {
  return Send(Head("GET " + path, headers) + "\r\n");
}

HttpReply HttpClient::Post(const std::string& path, const std::string& body) const {
  return Send(
      absl::StrCat(Head("POST " + path, {}), "Content-Length: ", body.size(), "\r\n\r\n", body));
}

HttpReply HttpClient::Send(const std::string& bytes) const {
  asio::io_context io;
  asio::ssl::context tls(asio::ssl::context::tls_client);
  asio::ssl::stream<asio::ip::tcp::socket> stream(io, tls);
  boost::system::error_code error;
  auto& socket = stream.next_layer();
  socket.connect({asio::ip::make_address(server_.host), static_cast<uint16_t>(server_.port)},
                 error);
  if (error) return {};
  const timeval patience{.tv_sec = 30, .tv_usec = 0};
  setsockopt(socket.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  if (!tls_) return ReplyOf(Exchange(socket, bytes));
  stream.handshake(asio::ssl::stream_base::client, error);
  return error ? HttpReply{} : ReplyOf(Exchange(stream, bytes));
}

std::string HttpClient::Certificate() const {
  asio::io_context io;
  asio::ssl::context tls(asio::ssl::context::tls_client);
  asio::ssl::stream<asio::ip::tcp::socket> stream(io, tls);
  boost::system::error_code error;
  stream.next_layer().connect(
      {asio::ip::make_address(server_.host), static_cast<uint16_t>(server_.port)}, error);
  if (!error) stream.handshake(asio::ssl::stream_base::client, error);
  if (error) return "";
  const std::unique_ptr<X509, decltype(&X509_free)> found(
      SSL_get1_peer_certificate(stream.native_handle()), X509_free);
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned length = 0;
  if (found == nullptr ||
      X509_digest(found.get(), EVP_sha256(), reinterpret_cast<unsigned char*>(digest.data()),
                  &length) == 0) {
    return "";
  }
  return absl::BytesToHexString(digest.substr(0, length));
}

}  // namespace joseki::testing
